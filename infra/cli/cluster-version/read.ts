import { type HeartbeatLease, heartbeatsOf } from "../../../functions/cluster-version/board/index.ts";
import { ClusterOperator, ClusterVersion } from "../../../functions/cluster-version/kinds/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { Lease } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { CliError } from "../exit.ts";

export type Version = Obj<typeof ClusterVersion>;
export type Operator = Obj<typeof ClusterOperator>;

/** The ClusterVersion; undefined where there is none. Throws a `CliError` where the cluster does not know the kind. */
export async function readVersion(client: KubeClient): Promise<Version | undefined> {
  const raw = await known(() => client.get(resourceOf(ClusterVersion), { name: "version" }));
  return raw === undefined ? undefined : parseObject(ClusterVersion, raw);
}

/** As `readVersion`, where there must be one. */
export async function requireVersion(client: KubeClient): Promise<Version> {
  const found = await readVersion(client);
  if (found === undefined)
    throw new CliError(
      "CLI_NO_CLUSTER_VERSION",
      "There is no ClusterVersion named version in this cluster: create it, or name another cluster with --kubeconfig or --context.",
    );
  return found;
}

/** All ClusterOperators. */
export async function readOperators(client: KubeClient): Promise<readonly Operator[]> {
  const { items } = await known(() => client.list(resourceOf(ClusterOperator)));
  return items.map((raw) => parseObject(ClusterOperator, raw));
}

/** The Leases that operators name as their heartbeat; one that is missing is left out. */
export async function readHeartbeats(
  client: KubeClient,
  operators: readonly Operator[],
): Promise<readonly HeartbeatLease[]> {
  const found = await Promise.all(
    operators.flatMap(heartbeatsOf).map((place) => client.get(resourceOf(Lease), place)),
  );
  return found.filter((lease): lease is KubeObject => lease !== undefined) as readonly HeartbeatLease[];
}

async function known<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "kindMissing")
      throw new CliError(
        "CLI_NO_CLUSTER_VERSION",
        "This cluster knows no ClusterVersion: install the CRDs (`reveille crds --systems cluster-version`), or name another cluster with --kubeconfig or --context.",
        { cause: thrown },
      );
    throw thrown;
  }
}
