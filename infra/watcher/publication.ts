import { hash } from "node:crypto";
import {
  type DependencyLost,
  type DependencyReady,
  type Envelope,
  facts,
  type Lane,
  ownerReference,
  type ResourceChanged,
  type ResourceDeleted,
  type SubjectReference,
  subjectReference,
} from "../../events/index.ts";
import { asOwnEvent } from "../../shared/bus/own-events.ts";
import type { WatchedKind } from "../../shared/runner/watch-list.ts";
import { accepts } from "../../shared/schema/accepts.ts";
import type { LedgerChange, LedgerRow } from "./ledger-lines.ts";
import { type Mark, type Part, partsSince, sameFacts } from "./mark.ts";
import { compareVersions, entryFor, type Facts } from "./sighting.ts";

/** The parts that all publications of one stream share. */
export interface Publisher {
  readonly cluster: string;
  readonly watched: WatchedKind;
  /** `entryOf(watched)`. */
  readonly entry: string;
  /** The stream's number in the ledger. */
  readonly stream: number;
}

/** The publication of one dirty key: events to publish, then lines for the ledger. No events: nothing that counts differs. */
export interface Publication {
  readonly events: readonly Envelope[];
  readonly changes: readonly LedgerChange[];
  /** Lines for the ledger before anything is published. */
  readonly first?: LedgerChange | undefined;
}

type Told = ResourceChanged | ResourceDeleted | DependencyReady | DependencyLost;

/** The object and version that an event is about. */
interface Version {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly era: number;
  readonly at: number;
  /** Set where the same version is told once more because it is read by another entry. */
  readonly entry?: string | undefined;
}

const SEEN_LIMIT = 16;

/** The bytes of an id: those of a trace and of a span. */
const TRACE_BYTES = 16;
const ID_BYTES = 24;

/**
 * Names one change and one meaning: any two watchers of a cluster derive the same id, and the same trace.
 * `entry` only where a version is told again in other words.
 */
function nameOf(
  type: string,
  { cluster, watched }: Pick<Publisher, "cluster" | "watched">,
  version: Pick<Version, "era" | "uid" | "resourceVersion" | "entry">,
): Pick<Envelope, "id" | "traceparent"> {
  const parts = [
    type,
    cluster,
    String(version.era),
    `${watched.group}/${watched.kind}`,
    version.uid,
    version.resourceVersion,
  ];
  if (version.entry !== undefined) parts.push(version.entry);
  const digest = hash("sha256", parts.join("\n"), "buffer");
  const trace = digest.toString("hex", 0, TRACE_BYTES);
  const span = digest.toString("hex", TRACE_BYTES, ID_BYTES);
  return { id: digest.toString("base64url", 0, ID_BYTES), traceparent: `00-${trace}-${span}-01` };
}

function referenceTo({ cluster, watched }: Publisher, version: Version): SubjectReference {
  return {
    cluster,
    group: watched.group,
    version: watched.version,
    kind: watched.kind,
    ...(version.namespace === "" ? {} : { namespace: version.namespace }),
    name: version.name,
    uid: version.uid,
  };
}

/** The name of an object in events, and for onlookers that hear of objects before them. */
export const subjectOf = (
  { group, kind }: Pick<WatchedKind, "group" | "kind">,
  { namespace = "", name }: { readonly namespace?: string | undefined; readonly name: string },
): string => `${group}/${kind}/${namespace}/${name}`;

function envelope<E extends Told>(
  publisher: Publisher,
  version: Version,
  type: E["type"],
  data: E["data"],
): Envelope {
  const { id, traceparent } = nameOf(type, publisher, version);
  const { watched, cluster } = publisher;
  const event: Envelope = {
    specversion: "1.0",
    id,
    type,
    source: `/clusters/${cluster}`,
    subject: subjectOf(watched, version),
    time: new Date(version.at).toISOString(),
    datacontenttype: "application/json",
    traceparent,
    data,
  };
  return isInOrder(data) ? asOwnEvent(event) : event;
}

/**
 * True where the parts that come from the object, or from the ledger's rows, are as the event's schema wants them. The others are made
 * here, and are so by their types.
 */
const isInOrder = (data: Told["data"]): boolean =>
  accepts(subjectReference, data.ref) &&
  (!("facts" in data) || accepts(facts, data.facts)) &&
  (data.was === undefined || accepts(facts, data.was)) &&
  data.seen.every((each) => accepts(facts, each)) &&
  (!("owners" in data) || data.owners.every(isOwner)) &&
  (!("wereOwners" in data) || (data.wereOwners ?? []).every(isOwner));

const isOwner = (owner: unknown): boolean => accepts(ownerReference, owner);

/** The facts between what was published and what is so now: neither of these, nor the same twice in a row. */
function between(was: Facts | undefined, seen: readonly Facts[], now: Facts): Facts[] {
  const told: Facts[] = [];
  let last = was;
  for (const facts of seen) {
    if (last !== undefined && sameFacts(last, facts)) continue;
    told.push(facts);
    last = facts;
  }
  const end = told.at(-1);
  if (end !== undefined && sameFacts(end, now)) told.pop();
  return told;
}

/** A resumed watch tells again what is published already. Versions compare within one era only. */
function isPublished(publisher: Publisher, mark: Mark, row: LedgerRow): boolean {
  if (row.uid !== mark.last.uid || row.era !== mark.era) return false;
  const order = compareVersions(mark.last.resourceVersion, row.resourceVersion);
  return order < 0 || (order === 0 && row.entry === entryFor(publisher.entry, mark.last));
}

/** Tells that an object is present as `mark` saw it last. */
export function publishPresent(publisher: Publisher, mark: Mark, row: LedgerRow | undefined): Publication {
  if (row !== undefined && isPublished(publisher, mark, row)) return { events: [], changes: [] };
  // Another uid stood under this name, and its end was missed.
  const replaced =
    row !== undefined && row.uid !== mark.last.uid
      ? publishLost(publisher, mark, row)
      : { events: [], changes: [] };
  const known = row?.uid === mark.last.uid ? row : undefined;
  const entry = entryFor(publisher.entry, mark.last);
  const changes: LedgerChange[] = [
    ...replaced.changes,
    { do: "keep", stream: publisher.stream, sighting: mark.last, era: mark.era, entry },
  ];
  const parts = partsOf(publisher, mark, known);
  if (parts.length === 0) return { events: replaced.events, changes };
  const events = [...replaced.events, ...changedEvents(publisher, mark, known, parts)];
  const first: LedgerChange = { do: "announce", stream: publisher.stream, sighting: mark.last };
  return known === undefined ? { events, changes, first } : { events, changes };
}

function partsOf(publisher: Publisher, mark: Mark, known: LedgerRow | undefined): Part[] {
  const parts = new Set<Part>([
    ...partsSince(known, mark.first, { era: mark.era, entry: publisher.entry }),
    ...mark.touched,
  ]);
  if (parts.size > 0 && mark.incomplete) parts.add("unknown");
  return [...parts];
}

function changedEvents(
  publisher: Publisher,
  mark: Mark,
  known: LedgerRow | undefined,
  parts: readonly Part[],
): Envelope[] {
  const { last, era, lane } = mark;
  const retold = known !== undefined && known.entry !== entryFor(publisher.entry, last);
  const version: Version = { ...last, era, at: mark.at, entry: retold ? publisher.entry : undefined };
  const ref = referenceTo(publisher, version);
  const seen = between(known?.facts, mark.seen, last.facts);
  const incomplete = mark.incomplete || parts.includes("unknown") || seen.length > SEEN_LIMIT;
  const told = {
    ref,
    era,
    resourceVersion: last.resourceVersion,
    lane,
    facts: last.facts,
    ...(known === undefined ? {} : { was: known.facts }),
    seen: seen.slice(-SEEN_LIMIT),
    incomplete,
  };
  const letGo = [...(known?.owners ?? []), ...mark.owners].filter(
    ({ uid }, index, all) =>
      !last.owners.some((owner) => owner.uid === uid) &&
      all.findIndex((owner) => owner.uid === uid) === index,
  );
  const events = [
    envelope<ResourceChanged>(publisher, version, "resource.changed", {
      ...told,
      generation: last.generation,
      differs: [...parts],
      owners: [...last.owners],
      ...(letGo.length === 0 ? {} : { wereOwners: letGo }),
      ...(last.ready === undefined ? {} : { ready: last.ready }),
      deleting: last.deleting,
    }),
  ];
  if (last.ready === undefined) return events;
  const flipped = parts.some((part) => part === "ready" || part === "created" || part === "unknown");
  if (!flipped) return events;
  if (last.ready) events.push(envelope<DependencyReady>(publisher, version, "dependency.ready", told));
  else if (known?.ready === true || mark.everReady)
    events.push(envelope<DependencyLost>(publisher, version, "dependency.lost", told));
  return events;
}

/** Tells that the object of `mark` is gone. Nothing where nobody can have known it. */
export function publishGone(
  publisher: Publisher,
  mark: Mark,
  row: LedgerRow | undefined,
  lane: Lane,
): Publication {
  const known = row?.uid === mark.last.uid ? row : undefined;
  if (known === undefined && !mark.lived) return { events: [], changes: [] };
  const { last } = mark;
  const was = known?.facts ?? last.facts;
  const seen = between(was, [...mark.seen, last.facts], was);
  return goneEvents(publisher, {
    version: { ...last, era: mark.era, at: mark.at },
    lane,
    was,
    seen,
    incomplete: mark.incomplete || (known !== undefined && known.entry !== publisher.entry),
    owners: [...(known?.owners ?? []), ...mark.owners, ...last.owners],
    ready: known?.ready ?? last.ready,
    everReady: known?.ready === true || mark.everReady,
  });
}

/** Tells that a known object is gone, of which the end itself was not seen. */
function publishLost(publisher: Publisher, mark: Mark, row: LedgerRow): Publication {
  return goneEvents(publisher, {
    version: { ...row, era: mark.era, at: mark.at },
    lane: mark.lane,
    was: row.facts,
    seen: [],
    incomplete: true,
    owners: row.owners,
    ready: row.ready,
    everReady: row.ready === true,
  });
}

interface End {
  readonly version: Version;
  readonly lane: Lane;
  readonly was: Facts;
  readonly seen: readonly Facts[];
  readonly incomplete: boolean;
  readonly owners: LedgerRow["owners"];
  readonly ready: boolean | undefined;
  readonly everReady: boolean;
}

function goneEvents(publisher: Publisher, end: End): Publication {
  const { version, lane, was } = end;
  const owners = end.owners.filter(
    ({ uid }, index, all) => all.findIndex((owner) => owner.uid === uid) === index,
  );
  const told = {
    ref: referenceTo(publisher, version),
    era: version.era,
    resourceVersion: version.resourceVersion,
    lane,
    was,
    seen: end.seen.slice(-SEEN_LIMIT),
    incomplete: end.incomplete || end.seen.length > SEEN_LIMIT,
  };
  const events = [
    envelope<ResourceDeleted>(publisher, version, "resource.deleted", {
      ...told,
      owners: [...owners],
      ...(end.ready === undefined ? {} : { ready: end.ready }),
    }),
  ];
  if (end.everReady)
    events.push(envelope<DependencyLost>(publisher, version, "dependency.lost", { ...told, facts: was }));
  const { namespace, name, uid } = version;
  return { events, changes: [{ do: "forget", stream: publisher.stream, namespace, name, uid }] };
}
