import type { KubeClient } from "../../../shared/kube/client.ts";
import { openCluster } from "../cluster.ts";
import type { ClusterOptions, StateOption } from "../options.ts";
import { readRunFile, stateDirectory } from "../state-directory.ts";

/** Which cluster is asked: the one that is named, else the one of `--data`, else the one that kubectl would ask. */
export async function withCluster<T>(
  { kubeconfig, context, data }: ClusterOptions & StateOption,
  use: (client: KubeClient) => Promise<T>,
): Promise<T> {
  const run =
    kubeconfig === undefined && context === undefined ? readRunFile(stateDirectory(data)) : undefined;
  const { client } = openCluster(run ?? { kubeconfig, context });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
