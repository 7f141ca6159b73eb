import { jsonOf } from "../../shared/json/parse.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { LeaderPositions } from "./standby.ts";

export const LEASES: Resource = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  scope: "Namespaced",
};

/** The annotation in which the leader says how far it has published. */
const POSITIONS = "reveille.dev/positions";
/** The era of versions; it never falls: an etcd that was restored begins a new one. */
const ERA = "reveille.dev/era";
/** The greatest era that is believed, so that all that a restore adds stays an integer that can be told. */
const ERA_LIMIT = 2 ** 52;
/** For what the leader published last, in the words of whoever compares them: versions, functions, the bus. */
const PUBLISHED_FOR = "reveille.dev/published-for";
/** Annotations of an object together hold 256 KiB. */
const POSITIONS_LIMIT = 128 * 1024;
/** The length in characters from which on a digest is written in place of the text. */
export const PUBLISHED_FOR_LIMIT = 32 * 1024;

/** The contents of a Lease. */
export interface LeaseRecord {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Empty: it was released. */
  readonly holder: string;
  readonly durationMilliseconds: number;
  readonly transitions: number;
  readonly renewTime: string;
  readonly era: number;
  /** The text in place of an era; undefined where it is an era, or nothing stands there. */
  readonly refusedEra: string | undefined;
  readonly positions: LeaderPositions | undefined;
  /** The text of the annotation; undefined where no leader wrote it. */
  readonly publishedFor: string | undefined;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  readonly renewTime?: string;
}

/** Reads a Lease; an annotation that is no position says nothing. */
export function readLease(object: KubeObject): LeaseRecord {
  const spec = (object.spec ?? {}) as LeaseSpec;
  const annotations = object.metadata.annotations ?? {};
  const text = annotations[ERA] ?? "0";
  const isEra = /^\d{1,16}$/.test(text) && Number(text) <= ERA_LIMIT;
  return {
    uid: object.metadata.uid ?? "",
    resourceVersion: object.metadata.resourceVersion ?? "",
    holder: spec.holderIdentity ?? "",
    durationMilliseconds: (spec.leaseDurationSeconds ?? 15) * 1000,
    transitions: spec.leaseTransitions ?? 0,
    renewTime: spec.renewTime ?? "",
    era: isEra ? Number(text) : 0,
    refusedEra: isEra ? undefined : text,
    positions: readPositions(annotations[POSITIONS]),
    publishedFor: annotations[PUBLISHED_FOR],
  };
}

function readPositions(text: string | undefined): LeaderPositions | undefined {
  if (text === undefined) return undefined;
  // Somebody else may have written there: a standby that knows no positions repeats more, and misses nothing.
  const parsed = jsonOf(text) as Partial<LeaderPositions> | null | undefined;
  return typeof parsed?.era === "number" && typeof parsed.streams === "object" && parsed.streams !== null
    ? { era: parsed.era, streams: parsed.streams }
    : undefined;
}

/** The server wants microseconds. */
const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace("Z", "000Z");

/** The body of a Lease. `released`: nobody holds it, so that the next one need not wait. */
export function leaseBody(lease: {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly durationMilliseconds: number;
  readonly transitions: number;
  readonly acquiredAt: number;
  readonly now: number;
  readonly released: boolean;
  readonly positions: LeaderPositions;
  readonly publishedFor: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly uid: string | undefined;
}): KubeObject {
  const positions = JSON.stringify(lease.positions);
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name: lease.name,
      namespace: lease.namespace,
      ...(lease.resourceVersion === undefined
        ? {}
        : { resourceVersion: lease.resourceVersion, uid: lease.uid }),
      annotations: {
        [ERA]: String(lease.positions.era),
        ...(positions.length > POSITIONS_LIMIT ? {} : { [POSITIONS]: positions }),
        ...(lease.publishedFor === undefined ? {} : { [PUBLISHED_FOR]: lease.publishedFor }),
      },
    },
    spec: {
      holderIdentity: lease.released ? "" : lease.identity,
      leaseDurationSeconds: lease.released ? 1 : Math.ceil(lease.durationMilliseconds / 1000),
      acquireTime: microTime(lease.acquiredAt),
      renewTime: microTime(lease.now),
      leaseTransitions: lease.transitions,
    },
  };
}

/** The leader by a Lease, for people. `ended`: it was not renewed in time. Undefined where nobody holds it. */
export async function leaderOf(
  client: Pick<KubeClient, "get">,
  place: { readonly namespace: string; readonly name: string },
  now: number,
): Promise<{ readonly holder: string; readonly renewTime: string; readonly ended: boolean } | undefined> {
  const found = await client.get(LEASES, place);
  if (found === undefined) return undefined;
  const { holder, renewTime, durationMilliseconds } = readLease(found);
  if (holder === "") return undefined;
  return { holder, renewTime, ended: Date.parse(renewTime) + durationMilliseconds < now };
}
