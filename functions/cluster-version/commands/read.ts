import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Lease } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { type HeartbeatLease, heartbeatsOf } from "../decide/board/index.ts";
import { readWork, WORK_RECORD, type WorkRecord } from "../decide/sync/index.ts";
import { ClusterOperator, ClusterVersion, FeatureGate } from "../kinds/index.ts";

export type Version = Obj<typeof ClusterVersion>;
export type Operator = Obj<typeof ClusterOperator>;

/** The ClusterVersion; undefined where there is none. Throws a `CliError` where the cluster does not know the kind. */
export async function readVersion(client: KubeClient): Promise<Version | undefined> {
  const raw = await known(() => client.get(resourceOf(ClusterVersion), { name: "version" }));
  return raw === undefined ? undefined : parseObject(ClusterVersion, raw);
}

/** Reads the version as `readVersion` does; fails where there is none. */
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

/** The FeatureGate of the cluster; undefined where it has none, or does not know the kind. */
export async function readFeatureGate(client: KubeClient): Promise<Obj<typeof FeatureGate> | undefined> {
  try {
    const raw = await client.get(resourceOf(FeatureGate), { name: "cluster" });
    return raw && parseObject(FeatureGate, raw);
  } catch (thrown) {
    if (thrown instanceof KubeError && thrown.kind === "kindMissing") return undefined;
    throw thrown;
  }
}

/** The record of the work on that ClusterVersion; undefined where there is none. */
export async function readWorkOf(client: KubeClient, { metadata }: Version): Promise<WorkRecord | undefined> {
  const raw = await client.get(resourceOf(ConfigMap), WORK_RECORD);
  const found = readWork(raw as { readonly data?: Readonly<Record<string, string>> } | undefined);
  return found?.uid === metadata.uid ? found : undefined;
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
