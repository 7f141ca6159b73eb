import type { KubeClient, Resource } from "../client.ts";
import type { ClusterSecret, ClustersStatics, FoundState } from "../cluster-names.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";

/** The state of one of other clusters. */
export interface Standing {
  readonly state: FoundState;
  /** The reason in words; empty where it is reachable. */
  readonly reason: string;
  /** True where it is reachable and bears nobody's mark, though these clusters have one. */
  readonly isUnmarked?: boolean;
}

/** The Secret of a cluster as it was found. */
export type FoundSecret =
  | { readonly secret: KubeObject }
  /** There is none, or there are several. */
  | { readonly lacks: Standing };

export const SECRETS: Resource = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  scope: "Namespaced",
};

/** The Secret of a cluster whose name tells it; undefined where only a label does. */
export function secretPlace(
  secret: ClusterSecret,
  cluster: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if ("label" in secret) return undefined;
  const [namespace = "", name = ""] = cluster.split("/");
  return { namespace, name: `${name}${secret.suffix}` };
}

/**
 * Finds the Secret of a cluster. Throws the `KubeError` of the request: a list that failed is no empty list.
 * @param named only the Secret of this name is looked at, whether it still has the label. A server looks through all Secrets of a namespace for
 * a label, and a list waits until its cache has caught up with the last write to anything, up to 100 ms.
 */
export async function findSecret(
  home: Pick<KubeClient, "get" | "list">,
  { secret }: ClustersStatics,
  cluster: string,
  metadataOnly: boolean,
  named?: string,
): Promise<FoundSecret> {
  const place = secretPlace(secret, cluster);
  if (place !== undefined) {
    const found = await home.get(SECRETS, place, { metadataOnly });
    return found === undefined
      ? lacking("no secret", `there is no Secret ${place.namespace}/${place.name} with its kubeconfig`)
      : { secret: found };
  }
  if (!("label" in secret)) throw new TypeError("a Secret without a label has a place");
  const labelSelector = `${secret.label}=${cluster}`;
  const { namespace } = secret;
  const all = async () =>
    (await home.list(SECRETS, { namespace, labelSelector, limit: 2, metadataOnly })).items;
  const got =
    named === undefined
      ? undefined
      : await labelled(home, { namespace, name: named }, secret.label, cluster, metadataOnly);
  const [found, other] = got ?? (await all());
  const where = `in the namespace ${namespace} with the label ${labelSelector}`;
  if (found === undefined) return lacking("no secret", `there is no Secret ${where}`);
  if (other !== undefined)
    return lacking(
      "several secrets",
      `there are several Secrets ${where} (${found.metadata.name}, ${other.metadata.name}), of which none is used: delete all but one`,
    );
  return { secret: found };
}

/** The Secret at a place, where it is there and has the label of a cluster; undefined where the account may only list Secrets. */
async function labelled(
  home: Pick<KubeClient, "get">,
  place: { readonly namespace: string; readonly name: string },
  label: string,
  cluster: string,
  metadataOnly: boolean,
): Promise<readonly KubeObject[] | undefined> {
  try {
    const found = await home.get(SECRETS, place, { metadataOnly });
    return found?.metadata.labels?.[label] === cluster ? [found] : [];
  } catch (error) {
    if (error instanceof KubeError && error.kind === "forbidden") return undefined;
    throw error;
  }
}

const lacking = (state: "no secret" | "several secrets", reason: string): FoundSecret => ({
  lacks: { state, reason },
});

/** The text under a key of a Secret; undefined where there is none. */
export function textIn(secret: KubeObject, key: string): string | undefined {
  const data = secret.data as Readonly<Record<string, unknown>> | undefined;
  const value = data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : undefined;
}

/** Names one state of a Secret. */
export const versionOf = ({ metadata }: KubeObject): string =>
  `${metadata.uid ?? ""}/${metadata.resourceVersion ?? ""}`;
