import type { KubeClient } from "../client.ts";
import type { ClustersStatics } from "../cluster-names.ts";
import { KubeError } from "../errors.ts";

/** The refusals of a server on which nobody has left a mark that this user could see. */
const UNMARKED: ReadonlySet<string> = new Set(["forbidden", "missing", "kindMissing"]);

/**
 * The reason why a cluster is somebody else's; undefined where it is free, or is this one's. Two that have one cluster by mistake, over a Secret
 * that was copied, would each take away what the other puts there. Throws the `KubeError` of the request.
 */
export async function strangeness(
  client: Pick<KubeClient, "get">,
  { mark, secret }: ClustersStatics,
  cluster: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (mark === undefined) return undefined;
  const { resource, namespace, name, annotation } = mark;
  const self = "label" in secret ? `${secret.namespace}/${cluster}` : cluster;
  let owner: string | undefined;
  try {
    const found = await client.get(resource, { namespace, name }, { metadataOnly: true, signal });
    owner = found?.metadata.annotations?.[annotation];
  } catch (thrown) {
    if (thrown instanceof KubeError && UNMARKED.has(thrown.kind)) return undefined;
    throw thrown;
  }
  if (!owner || owner === self) return undefined;
  return `its ${resource.kind} ${namespace}/${name} says that it is the cluster of ${JSON.stringify(owner)}, and not of ${self}: name another cluster in the Secret, or, if nobody has it any more, take the annotation ${annotation} off there`;
}
