import { ReveilleError } from "../../shared/errors.ts";
import type { KubeClient } from "../../shared/kube/client.ts";

const NAMESPACES = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
} as const;

/**
 * A cluster is its configured name plus the beginning of the uid of its kube-system namespace: another cluster behind
 * the same address is another one. Throws a `KubeError`, or `CLUSTER_UNIDENTIFIED`.
 */
export async function clusterName(client: KubeClient, configured: string): Promise<string> {
  const namespace = await client.get(NAMESPACES, { name: "kube-system" }, { metadataOnly: true });
  const uid = namespace?.metadata.uid;
  if (uid === undefined)
    throw new ReveilleError(
      "CLUSTER_UNIDENTIFIED",
      "The cluster has no namespace kube-system, whose uid names it: wait until it has started, or check the address",
    );
  return `${configured}-${uid.slice(0, 8)}`;
}
