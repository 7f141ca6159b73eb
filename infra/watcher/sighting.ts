import type { ResourceChanged } from "../../events/index.ts";
import type { WatchedKind } from "../../shared/function/watch-list.ts";
import type { KubeObject, OwnerReference } from "../../shared/kube/object.ts";
import { valueAt } from "../../shared/kube/paths.ts";
import { canonical, digest } from "./canonical.ts";
import { MalformedObjectError } from "./errors.ts";

export type Facts = ResourceChanged["data"]["facts"];

/** What the watcher keeps of one version of an object: never the object itself. */
export interface Sighting {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly facts: Facts;
  /** Undefined where the kind declares no readiness. */
  readonly ready: boolean | undefined;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  /** Digest of all but the status; empty where the interest does not ask for it. */
  readonly object: string;
  /** Digest of the status; empty where the interest does not ask for it. */
  readonly status: string;
}

/** Secrets are only ever read as metadata: what they hold shall not even pass through here. */
const isSecret = ({ group, kind }: WatchedKind): boolean => group === "" && kind === "Secret";

const ofMetadata = (path: readonly string[]): boolean =>
  path[0] === "metadata" || path[0] === "apiVersion" || path[0] === "kind";

/** Whether lists and watches of the kind can do without spec and status. */
export function metadataSuffices(watched: WatchedKind): boolean {
  if (isSecret(watched)) return true;
  return (
    watched.interest === "facts" &&
    Object.values(watched.facts).every(ofMetadata) &&
    (watched.ready === undefined || ofMetadata(watched.ready.path))
  );
}

/** Names how a kind is read: with another entry the same object says something else. */
export function entryOf(watched: WatchedKind): string {
  const { version, facts, ready, interest, labelSelector } = watched;
  return digest(canonical({ version, facts, ready, interest, labelSelector })).slice(0, 12);
}

/** Of a Secret every version counts: its content is not read, so only the version tells that it changed. */
function objectDigest(object: KubeObject, watched: WatchedKind): string {
  if (isSecret(watched)) return digest(object.metadata.resourceVersion ?? "");
  const { apiVersion: _, kind: __, metadata, status: ___, ...fields } = object;
  const { labels, annotations, ownerReferences, finalizers, deletionTimestamp } = metadata;
  return digest(
    canonical({ fields, metadata: { labels, annotations, ownerReferences, finalizers, deletionTimestamp } }),
  );
}

const ownerOf = ({ apiVersion, kind, name, uid, controller }: OwnerReference): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  ...(controller === undefined ? {} : { controller }),
});

/** Reads what counts out of an object. Throws `MalformedObjectError`. */
export function sight(object: KubeObject, watched: WatchedKind): Sighting {
  const { metadata } = object;
  if (!metadata?.name || !metadata.uid || !metadata.resourceVersion)
    throw new MalformedObjectError(`A ${watched.kind}`);
  const facts: Facts = {};
  for (const [name, path] of Object.entries(watched.facts)) {
    const value = valueAt(object, path);
    if (value !== undefined) facts[name] = value as Facts[string];
  }
  const { ready, interest } = watched;
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation ?? 0,
    facts,
    ready:
      ready === undefined ? undefined : canonical(valueAt(object, ready.path)) === canonical(ready.equals),
    owners: (metadata.ownerReferences ?? []).map(ownerOf),
    deleting: metadata.deletionTimestamp !== undefined,
    object: interest === "facts" ? "" : objectDigest(object, watched),
    status: interest === "all" && !isSecret(watched) ? digest(canonical(object.status ?? null)) : "",
  };
}

/**
 * Negative where `a` is older than `b`. Versions are integers without leading zeros, so length and then text order
 * them (apimachinery `CompareResourceVersion`); others (extension servers) have no order: each is taken as newer.
 */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return 1;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
