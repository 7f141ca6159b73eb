import type { Lane } from "../../events/index.ts";
import { canonical } from "../../shared/json/canonical.ts";
import type { OwnerReference } from "../../shared/kube/object.ts";
import type { LedgerRow } from "./ledger-lines.ts";
import { compareVersions, entryFor, type Facts, type Sighting } from "./sighting.ts";
import { weightOfFacts } from "./weight.ts";

/** A part of an object that can differ (events/resource-changed.ts). */
export type Part = "created" | "object" | "status" | "facts" | "ready" | "unknown";

/** The origin of a sighting: `stream`, told by the server; `compare`, found by a list, so the versions between are unknown. */
export interface Finding {
  readonly by: "stream" | "compare";
  readonly lane: Lane;
  readonly deleted: boolean;
  /** True where it is deleted and somebody may have been told of it although the ledger does not know it. */
  readonly lived?: boolean | undefined;
  readonly era: number;
  /** Resuming the watch there would tell this again; undefined after a compare, which gives no such place. */
  readonly before: string | undefined;
  /** The version as of which it is known: whoever has published up to there has published this. */
  readonly asOf: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One object whose last state is not yet published: everything seen since, folded into one. */
export interface Mark {
  readonly first: Sighting;
  readonly last: Sighting;
  readonly deleted: boolean;
  /** True where a living version was among what was seen, so somebody may have read it. */
  readonly lived: boolean;
  /** The parts that differed between the versions seen, first to last. */
  readonly touched: ReadonlySet<Part>;
  /** Facts of the versions before the last one, oldest first. */
  readonly seen: readonly Facts[];
  readonly incomplete: boolean;
  /** Owners of the versions before the last one. */
  readonly owners: readonly OwnerReference[];
  readonly everReady: boolean;
  readonly lane: Lane;
  readonly era: number;
  readonly before: string | undefined;
  readonly asOf: string;
  readonly at: number;
}

const SEEN_LIMIT = 16;
/** The most bytes of the facts of former versions together. */
const SEEN_BYTES = 32_768;
const OWNER_LIMIT = 16;
/** The bytes of a sighting without facts and owners: names, versions, digests. */
const BARE_BYTES = 400;
const OWNER_BYTES = 200;
const NOTHING: ReadonlySet<Part> = new Set();

export const sameFacts = (a: Facts, b: Facts): boolean => a === b || canonical(a) === canonical(b);

/** The parts in which two versions of one object differ. */
function partsBetween(
  a: Pick<Sighting, "object" | "status" | "facts" | "ready">,
  b: Pick<Sighting, "object" | "status" | "facts" | "ready">,
): Part[] {
  const parts: Part[] = [];
  if (a.object !== b.object) parts.push("object");
  if (a.status !== b.status) parts.push("status");
  if (!sameFacts(a.facts, b.facts)) parts.push("facts");
  if (a.ready !== b.ready) parts.push("ready");
  return parts;
}

/** The parts that differ between the last publication about an object and its present sighting. */
export function partsSince(
  row: LedgerRow | undefined,
  seen: Sighting,
  now: { readonly era: number; readonly entry: string },
): Part[] {
  if (row === undefined || row.uid !== seen.uid) return ["created"];
  // Read by another entry, its facts cannot be compared; under another era, its versions cannot.
  if (row.entry !== entryFor(now.entry, seen) || row.era !== now.era) return ["unknown"];
  return partsBetween(row, seen);
}

export function markOf(sighting: Sighting, finding: Finding): Mark {
  return {
    first: sighting,
    last: sighting,
    deleted: finding.deleted,
    lived: finding.lived ?? !finding.deleted,
    touched: NOTHING,
    seen: [],
    incomplete: finding.by === "compare" || sighting.isUnread === true,
    owners: [],
    everReady: sighting.ready === true,
    lane: finding.lane,
    era: finding.era,
    before: finding.before,
    asOf: finding.asOf,
    at: finding.at,
  };
}

function ownersOf(a: readonly OwnerReference[], b: readonly OwnerReference[]): readonly OwnerReference[] {
  const missing = b.filter(({ uid }) => !a.some((known) => known.uid === uid));
  return missing.length === 0 ? a : [...a, ...missing];
}

/** Two marks of one object as one: `earlier` was seen first. A later one that tells nothing newer changes nothing. */
export function join(earlier: Mark, later: Mark): Mark {
  if (earlier.era === later.era) {
    const order = compareVersions(later.last.resourceVersion, earlier.last.resourceVersion);
    // A deleted one may come back under its uid: a selector let go of it and took it again.
    if (order < 0 || (order === 0 && !later.deleted)) return withUrgency(earlier, later);
  }
  const touched = new Set([...earlier.touched, ...partsBetween(earlier.last, later.first), ...later.touched]);
  const seen = [...earlier.seen];
  for (const facts of [earlier.last.facts, ...later.seen]) {
    const before = seen.at(-1);
    if (before === undefined || !sameFacts(before, facts)) seen.push(facts);
  }
  const kept = newest(seen);
  const owners = ownersOf(ownersOf(earlier.owners, earlier.last.owners), later.owners);
  return {
    first: earlier.first,
    last: later.last,
    deleted: later.deleted,
    lived: earlier.lived || later.lived,
    touched,
    seen: kept,
    incomplete:
      earlier.incomplete || later.incomplete || kept.length < seen.length || owners.length > OWNER_LIMIT,
    owners: owners.slice(-OWNER_LIMIT),
    everReady: earlier.everReady || later.everReady,
    lane: earlier.lane === "urgent" ? "urgent" : later.lane,
    era: later.era,
    before: earlier.before,
    asOf: later.asOf,
    at: later.at,
  };
}

/** The last of these, as many as there is room for. */
function newest(seen: readonly Facts[]): readonly Facts[] {
  let from = seen.length;
  let bytes = 0;
  while (from > 0 && seen.length - from < SEEN_LIMIT) {
    bytes += weightOfFacts(seen[from - 1] ?? {});
    if (bytes > SEEN_BYTES) break;
    from--;
  }
  return from === 0 ? seen : seen.slice(from);
}

/** The mark without what former versions said: whatever may have depended on the object is looked at. */
export const withoutHistory = (mark: Mark): Mark =>
  mark.seen.length === 0 ? mark : { ...mark, seen: [], incomplete: true };

/** The memory that a mark takes, roughly: from above. */
export function weightOf({ first, last, seen, owners }: Mark): number {
  let weight = BARE_BYTES + OWNER_BYTES * (owners.length + last.owners.length) + weightOfFacts(last.facts);
  if (first !== last) weight += BARE_BYTES + OWNER_BYTES * first.owners.length + weightOfFacts(first.facts);
  for (const facts of seen) weight += weightOfFacts(facts);
  return weight;
}

const withUrgency = (mark: Mark, other: Mark): Mark =>
  mark.lane === "sweep" && other.lane === "urgent" ? { ...mark, lane: "urgent" } : mark;
