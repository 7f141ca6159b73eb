import type { ResourceChanged } from "../../events/index.ts";
import { canonical, canonicalDigest } from "../../shared/json/canonical.ts";
import { digest } from "../../shared/json/digest.ts";
import { factsOf } from "../../shared/kube/facts.ts";
import type { KubeObject, OwnerReference } from "../../shared/kube/object.ts";
import { valueAt } from "../../shared/kube/paths.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import { MalformedObjectError } from "./errors.ts";
import { ownersOf } from "./owners.ts";

export type Facts = ResourceChanged["data"]["facts"];

/** The watcher's record of one version of an object: never the object itself. */
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
  /** Set where the object could not be read: only its name and version are known, whatever it says. */
  readonly isUnread?: true | undefined;
}

/** Secrets are only ever read as metadata: what they hold shall not even pass through here. */
const isSecret = ({ group, kind }: WatchedKind): boolean => group === "" && kind === "Secret";

const ofMetadata = (path: readonly string[]): boolean =>
  path[0] === "metadata" || path[0] === "apiVersion" || path[0] === "kind";

/** True where lists and watches of the kind can do without spec and status. */
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
  const { version, versions, facts, ready, interest, labelSelector } = watched;
  return digest(
    canonical({
      version,
      ...(versions !== undefined && { versions }),
      facts,
      ready,
      interest,
      labelSelector,
    }),
  ).slice(0, 12);
}

const sameValue = (one: unknown, other: unknown): boolean =>
  typeof one === "object" && one !== null
    ? canonicalDigest(one).digest === canonicalDigest(other).digest
    : canonical(one) === canonical(other);

/**
 * The digest of an object. Of a Secret every version counts: its content is not read, so only the version tells that it changed.
 */
function objectDigest(object: KubeObject, watched: WatchedKind): string {
  if (isSecret(watched)) return digest(object.metadata.resourceVersion ?? "");
  const { apiVersion: _, kind: __, metadata, status: ___, ...fields } = object;
  const { labels, annotations, ownerReferences, finalizers, deletionTimestamp } = metadata;
  const counts = { labels, annotations, ownerReferences, finalizers, deletionTimestamp };
  return canonicalDigest({ fields, metadata: counts }).digest;
}

type Identity = Pick<Sighting, "namespace" | "name" | "uid" | "resourceVersion" | "generation">;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The object and version of a body. Throws `MalformedObjectError` where it does not say. */
function identityOf(object: KubeObject, watched: WatchedKind): Identity {
  const { namespace, name, uid, resourceVersion, generation } = object.metadata ?? {};
  if (!isText(name) || !isText(uid) || !isText(resourceVersion))
    throw new MalformedObjectError(`A ${watched.kind}`);
  return {
    namespace: isText(namespace) ? namespace : "",
    name,
    uid,
    resourceVersion,
    generation: Number.isSafeInteger(generation) ? Math.max(0, Number(generation)) : 0,
  };
}

/** Reads what counts out of an object. Throws `MalformedObjectError`, and whatever an odd object makes of it. */
export function sight(object: KubeObject, watched: WatchedKind): Sighting {
  const { metadata } = object;
  const { ready, interest } = watched;
  return {
    ...identityOf(object, watched),
    facts: factsOf(watched.facts, object) as Facts,
    ready: ready === undefined ? undefined : sameValue(valueAt(object, ready.path), ready.equals),
    owners: ownersOf(metadata.ownerReferences ?? []),
    deleting: metadata.deletionTimestamp !== undefined,
    object: interest === "facts" ? "" : objectDigest(object, watched),
    status: interest === "all" && !isSecret(watched) ? canonicalDigest(object.status ?? null).digest : "",
  };
}

/** The sighting of an object that cannot be read: this version of it is there. Throws `MalformedObjectError`. */
export function unreadSighting(object: KubeObject, watched: WatchedKind): Sighting {
  const identity = identityOf(object, watched);
  const version = digest(identity.resourceVersion);
  return {
    ...identity,
    facts: {},
    ready: watched.ready === undefined ? undefined : false,
    owners: [],
    deleting: object.metadata.deletionTimestamp !== undefined,
    object: version,
    status: version,
    isUnread: true,
  };
}

/** The way in which the object was read: a sighting of one that could not be read compares with no later one. */
export const entryFor = (entry: string, sighting: Pick<Sighting, "isUnread">): string =>
  sighting.isUnread === true ? `${entry}?` : entry;

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
