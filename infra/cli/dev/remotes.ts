import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../shared/clock/clock.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { System } from "../../../shared/function/system.ts";
import { SECRETS, secretPlace } from "../../../shared/kube/client/cluster-secret.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import {
  type ClusterReference,
  type ClustersStatics,
  referenceOf,
} from "../../../shared/kube/cluster-names.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import type { Log } from "../../../shared/log/log.ts";
import { clustersOf } from "../../systems/declared.ts";
import type { SampleCluster } from "../../systems/samples.ts";
import { prepareDirectory, type StateDirectory, stateDirectory } from "../state-directory.ts";
import { type Api, startApi } from "./api.ts";

const WRITER = { fieldManager: "reveille-dev" } as const;

/** One of other clusters that samples need. */
export interface Remote {
  readonly reference: ClusterReference;
  readonly api: Api;
}

/**
 * Starts an API server of the home's sort for each of other clusters that samples name, with a folder of its own, and puts its kubeconfig
 * into the Secret that leads functions there. `started` is told of each as soon as it has to be ended.
 */
export async function startRemotes(
  samples: readonly { readonly system: System; readonly clusters: readonly SampleCluster[] }[],
  home: Pick<Api, "client"> & { readonly kind: "local" | "real" },
  parts: { readonly directory: StateDirectory; readonly clock: Clock; readonly log: Log },
  started: (remote: Remote) => void,
): Promise<void> {
  const { directory, clock, log } = parts;
  for (const { system, clusters } of samples) {
    const declared = clustersOf(system.functions);
    for (const { clusters: id, name } of clusters) {
      const statics = declared.get(id);
      if (statics === undefined)
        throw new CliError(
          "CLI_SAMPLES_INVALID",
          `functions/${system.name}/samples/clusters.json names a ${id} cluster, and no function of the system has to do with such clusters.`,
        );
      const reference = referenceOf(statics, name);
      const own = stateDirectory(join(directory.others, reference.slice(1).replaceAll(":", "_")));
      prepareDirectory(own);
      const api = await startApi({ kind: home.kind }, own, { clock, log: log.child({ cluster: reference }) });
      started({ reference, api });
      await lead(home.client, statics, name, readFileSync(own.kubeconfig, "utf8"));
    }
  }
}

/** Writes the Secret that leads to a cluster, and its namespace. */
async function lead(
  client: KubeClient,
  { secret }: ClustersStatics,
  cluster: string,
  kubeconfig: string,
): Promise<void> {
  const { namespace, name } =
    "label" in secret
      ? { namespace: secret.namespace, name: `kubeconfig-${cluster.toLowerCase()}` }
      : (secretPlace(secret, cluster) ?? { namespace: "", name: "" });
  await client.apply(
    resourceOf(Namespace),
    { name: namespace },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { ...WRITER, force: true },
  );
  const labels = "label" in secret ? { [secret.label]: cluster } : {};
  await client.apply(
    SECRETS,
    { namespace, name },
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name, labels },
      data: { [secret.key]: Buffer.from(kubeconfig).toString("base64") },
    },
    { ...WRITER, force: true },
  );
}
