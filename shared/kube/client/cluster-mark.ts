import type { KubeClient } from "../client.ts";
import type { ClustersStatics } from "../cluster-names.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";
import { SECRETS } from "./cluster-secret.ts";

/** The refusals of a server on which nobody has left a mark. */
const UNMARKED: ReadonlySet<string> = new Set(["missing", "kindMissing"]);

/** A cluster is free as long as nobody has marked it: others may do so at any time. */
export type Belonging =
  | { readonly of: "nobody" | "self" }
  | { readonly of: "other"; readonly reason: string };

/**
 * The owner of a cluster. Two that have one cluster by mistake, over a Secret that was copied, would each take away what the other puts there.
 * Throws the `KubeError` of the request.
 */
export async function belonging(
  client: Pick<KubeClient, "get">,
  { mark, secret }: ClustersStatics,
  cluster: string,
  signal: AbortSignal,
): Promise<Belonging> {
  if (mark === undefined) return { of: "self" };
  const { resource, namespace, name, annotation } = mark;
  const self = "label" in secret ? `${secret.namespace}/${cluster}` : cluster;
  let owner: string | undefined;
  try {
    const found = await client.get(resource, { namespace, name }, { metadataOnly: true, signal });
    owner = found?.metadata.annotations?.[annotation];
  } catch (thrown) {
    if (!(thrown instanceof KubeError)) throw thrown;
    // Who may not see the mark will not see it later either.
    if (thrown.kind === "forbidden") return { of: "self" };
    if (UNMARKED.has(thrown.kind)) return { of: "nobody" };
    throw thrown;
  }
  if (!owner) return { of: "nobody" };
  if (owner === self) return { of: "self" };
  const reason = `its ${resource.kind} ${namespace}/${name} says that it is the cluster of ${JSON.stringify(owner)}, and not of ${self}: name another cluster in the Secret, or, if nobody has it any more, take the annotation ${annotation} off there`;
  return { of: "other", reason };
}

/** The refusals of a server that does not show the Secrets of a namespace: it is another one, or its account can do no harm to what lies there. */
const UNSEEN: ReadonlySet<string> = new Set([...UNMARKED, "forbidden"]);

/**
 * The reason why a cluster is nobody's to look after: it is the one that its own Secret lies in, with the objects of all others. Undefined where it
 * is another one. Throws the `KubeError` of the request.
 */
export async function homeItself(
  client: Pick<KubeClient, "get">,
  { namespace = "", name, uid }: Pick<KubeObject["metadata"], "namespace" | "name" | "uid">,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const found = await client.get(SECRETS, { namespace, name }, { metadataOnly: true, signal });
    if (uid === undefined || found?.metadata.uid !== uid) return undefined;
  } catch (thrown) {
    if (thrown instanceof KubeError && UNSEEN.has(thrown.kind)) return undefined;
    throw thrown;
  }
  return `the Secret ${namespace}/${name} leads to the very cluster that it lies in, which is none to be looked after: put the kubeconfig of another cluster there, or delete it`;
}
