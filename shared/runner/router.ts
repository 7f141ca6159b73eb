import {
  type DependencyReady,
  type Envelope,
  MOST_OWNERS,
  type ResourceChanged,
  type ResourceDeleted,
  type SubjectReference,
} from "../../events/index.ts";
import type { Cause, CauseSort, NewItem, SweepSource } from "../bus/item.ts";
import { waitedObjectOf } from "../bus/wait-cause.ts";
import { commandItem } from "../function/commands.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { guarded } from "../function/guarded-facts.ts";
import {
  eventSource,
  groupOfAll,
  groupOfNamespace,
  keyOf,
  objectKey,
  subjectOf,
  sweepKey,
} from "../function/key.ts";
import type { Wake } from "../function/wakes.ts";
import { elsewhereOnBus } from "../kube/cluster-names.ts";
import { laneOfEvent } from "./event-lane.ts";
import { type Heeds, heedsOf } from "./heeds.ts";

/** One line of the routing table. */
export interface RouteRow {
  /** `<group>/<kind>` or an event type. */
  readonly source: string;
  /** The kind of change that matters: `own`, `child`, `changed`, `ready` or `event`. */
  readonly on: "own" | "child" | "changed" | "ready" | "event";
  readonly function: string;
  /** The target: `itself`, `owner`, `name`, `every`, `each`. */
  readonly to: string;
}

/** A pure table from events to work items, built from all declarations. */
export interface Router {
  route(event: Envelope): readonly NewItem[];
  readonly rows: readonly RouteRow[];
}

/** A wake that stands for "every key of this function": what commands and resyncs sweep. */
export const EVERY_KEY = -1;

interface Entry {
  readonly row: RouteRow;
  readonly declaration: FunctionDeclaration;
  readonly wake: number;
  /** True for a change of the object itself that may matter, in a line about it. */
  readonly heeds: Heeds;
}
type Changed = ResourceChanged["data"];
type Gone = ResourceDeleted["data"];
type Flip = DependencyReady["data"];

export function createRouter(functions: readonly FunctionDeclaration[]): Router {
  const entries = functions.flatMap(entriesOf);
  const bySource = Map.groupBy(entries, ({ row }) => `${eventsFor(row)} ${row.source}`);
  const about = (group: string, ref: { readonly group: string; readonly kind: string }): readonly Entry[] =>
    bySource.get(`${group} ${ref.group}/${ref.kind}`) ?? [];
  return {
    rows: entries.map(({ row }) => row),
    route(event) {
      if (isElsewhere(event)) return [];
      switch (event.type) {
        case "resource.changed": {
          const change = event.data as Changed;
          if (change.awaited === true) return [];
          return about("object", change.ref).flatMap((entry) => routeChange(entry, event, change));
        }
        case "resource.deleted": {
          const gone = event.data as Gone;
          if (gone.awaited === true) return [];
          return about("object", gone.ref).flatMap((entry) => routeDeletion(entry, event, gone));
        }
        case "dependency.ready":
        case "dependency.lost": {
          const flip = event.data as Flip;
          const isReady = event.type === "dependency.ready";
          return about("ready", flip.ref).flatMap((entry) =>
            follow(entry, event, "dependency", true, {
              ...pointOf(flip),
              ready: isReady,
              gone: false,
              owners: [],
            }),
          );
        }
        default: {
          const command = commandItem(event);
          if (command !== undefined) return [command];
          return (bySource.get(`event ${event.type}`) ?? []).map((entry) => ({
            function: entry.declaration.name,
            key: sweepKey(entry.wake, eventSource(event.id)),
            lane: laneOfEvent(entry.declaration.wakes[entry.wake], event.data),
            cause: {
              sort: "dependency",
              eventId: event.id,
              type: event.type,
              revives: true,
              at: event.time,
              traceparent: event.traceparent,
            },
            sweep: {
              wake: entry.wake,
              subject: { cluster: "", name: event.id },
              facts: [event.data as Readonly<Record<string, unknown>>],
              gone: false,
              incomplete: false,
            },
          }));
        }
      }
    },
  };
}

/** True for an event of another cluster: it wakes those alone who wait for it, since an object of the same kind there is none of ours. */
function isElsewhere(event: Envelope): boolean {
  const about = waitedObjectOf(event);
  return about !== undefined && elsewhereOnBus(about.cluster) !== undefined;
}

/** The events that tell what a line is about: only those of the object itself name its owners. */
const eventsFor = ({ on, to }: RouteRow): "ready" | "event" | "object" =>
  on === "event" || (on === "ready" && to !== "owner") ? on : "object";

/** A sweep over every key of a function. */
export const everyKey = (declaration: FunctionDeclaration, cluster: string, cause: Cause): NewItem =>
  declaration.key.by === "all"
    ? { function: declaration.name, key: groupOfAll(declaration.key.kind, cluster), lane: "sweep", cause }
    : {
        function: declaration.name,
        key: sweepKey(EVERY_KEY, groupOfAll(declaration.key.kind, cluster)),
        lane: "sweep",
        cause,
        sweep: { wake: EVERY_KEY, subject: { cluster, name: "*" }, facts: [], gone: false, incomplete: true },
      };

function entriesOf(declaration: FunctionDeclaration): Entry[] {
  const name = (kind: { readonly group: string; readonly kind: string }): string =>
    `${kind.group}/${kind.kind}`;
  const entry = (source: string, on: RouteRow["on"], to: string, wake: number): Entry => ({
    row: { source, on, function: declaration.name, to },
    declaration,
    wake,
    heeds: heedsOf(declaration),
  });
  return [
    entry(name(declaration.key.kind), "own", "itself", EVERY_KEY),
    ...declaration.owns.map((kind) => entry(name(kind), "child", "owner", EVERY_KEY)),
    ...declaration.wakes.map((wake, index) =>
      entry(wake.kind === undefined ? wake.source : name(wake.kind), wake.on, wake.to, index),
    ),
  ];
}

/** The state of an event's object, for every type of event. */
interface Point {
  readonly ref: SubjectReference;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly lane: "urgent" | "sweep";
  /** Newest first. */
  readonly facts: readonly Readonly<Record<string, unknown>>[];
  readonly incomplete: boolean;
  /** Nothing of it was published before: its oldest state came from nothing. */
  readonly isNew: boolean;
  readonly ready: boolean | undefined;
  readonly gone: boolean;
  readonly owners: readonly Changed["owners"][number][];
}
const pointOf = (flip: Flip): Omit<Point, "ready" | "gone" | "owners"> => ({
  ref: flip.ref,
  resourceVersion: flip.resourceVersion,
  lane: flip.lane,
  facts: [flip.facts, ...flip.seen.toReversed(), ...(flip.was === undefined ? [] : [flip.was])],
  incomplete: flip.incomplete,
  isNew: flip.was === undefined,
});

function routeChange(entry: Entry, event: Envelope, change: Changed): NewItem[] {
  const point: Point = {
    ...pointOf(change),
    generation: change.generation,
    ready: change.ready,
    gone: false,
    owners: [...change.owners, ...(change.wereOwners ?? [])],
  };
  const differs = (...parts: Changed["differs"]): boolean =>
    change.differs.some((part) => part === "unknown" || part === "created" || parts.includes(part));
  switch (entry.row.on) {
    case "own":
      if (!entry.heeds(change.differs, point)) return [];
      // Kinds without generations (ConfigMap, Secret, Node) tell a new wish by nothing but their change (rule 10).
      return follow(entry, event, "own", change.generation === 0 && differs("object"), point);
    case "child":
      return differs("object", "facts", "ready")
        ? follow(entry, event, "child", differs("facts", "ready"), point)
        : [];
    case "ready":
      return change.differs.some(
        (part) => part === "unknown" || part === "ready" || (part === "created" && change.ready),
      )
        ? follow(entry, event, "dependency", true, point)
        : [];
    default:
      return differs("facts") ? follow(entry, event, "dependency", true, point) : [];
  }
}

const routeDeletion = (entry: Entry, event: Envelope, gone: Gone): NewItem[] => {
  if (entry.row.on === "ready" && gone.ready === false) return [];
  const sort = entry.row.on === "own" ? "own" : entry.row.on === "child" ? "child" : "dependency";
  const facts = [...gone.seen.toReversed(), gone.was];
  return follow(entry, event, sort, true, {
    ref: gone.ref,
    resourceVersion: gone.resourceVersion,
    lane: gone.lane,
    facts,
    incomplete: gone.incomplete,
    isNew: false,
    ready: gone.ready,
    gone: true,
    owners: gone.owners,
  });
};

function follow(entry: Entry, event: Envelope, sort: CauseSort, revives: boolean, point: Point): NewItem[] {
  const { declaration } = entry;
  const cause: Cause = {
    sort,
    eventId: event.id,
    type: event.type,
    subject: subjectOf(point.ref, point.ref),
    uid: point.ref.uid,
    resourceVersion: point.resourceVersion,
    generation: point.generation,
    revives,
    at: event.time,
    traceparent: event.traceparent,
  };
  const items = (keys: readonly (string | undefined)[]): NewItem[] =>
    [...new Set(keys.filter((key) => key !== undefined))].map((key) => ({
      function: declaration.name,
      key,
      lane: point.lane,
      cause,
    }));
  if (entry.row.on === "own")
    return items(point.facts.map((facts) => keyOf(declaration.key, point.ref, facts)));
  const wake: Wake<never> | undefined = declaration.wakes[entry.wake];
  if (!matters(wake, point)) return [];
  const named = namedKeys(entry, wake, point);
  if (named.every((key) => key !== undefined)) return items(named);
  return [
    {
      function: declaration.name,
      key: sweepKey(entry.wake, objectKey(point.ref, point.ref)),
      lane: "sweep",
      cause,
      sweep: sweepOf(entry.wake, point),
    },
  ];
}

/** True where `when` holds for a step between the states that the event tells. */
function matters(wake: Wake<never> | undefined, point: Point): boolean {
  const when = wake?.when as ((said: unknown) => boolean) | undefined;
  if (when === undefined || point.incomplete) return true;
  // The oldest state is where the steps begin, unless it came from nothing or is all there is.
  const steps = point.gone || point.isNew || point.facts.length < 2 ? point.facts : point.facts.slice(0, -1);
  try {
    return steps.some((_, index) => when(saidOf(point, index)));
  } catch {
    return true;
  }
}

const sweepOf = (wake: number, point: Point): SweepSource => ({
  wake,
  subject: { cluster: point.ref.cluster, namespace: point.ref.namespace, name: point.ref.name },
  facts: point.facts,
  ready: point.ready,
  gone: point.gone,
  incomplete: point.incomplete,
});

function ownersOf(
  declaration: FunctionDeclaration,
  point: Point,
  controllersOnly: boolean,
): (string | undefined)[] {
  const { kind } = declaration.key;
  const group = (apiVersion: string): string =>
    apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return point.owners
    .filter(
      (owner) =>
        owner.kind === kind.kind &&
        group(owner.apiVersion) === kind.group &&
        (owner.controller === true || !controllersOnly),
    )
    .map((owner) =>
      keyAt(declaration, point.ref.cluster, {
        name: owner.name,
        namespace: kind.scope === "Cluster" ? undefined : point.ref.namespace,
      }),
    );
}

/** Undefined where only the object itself tells its group. */
function keyAt(
  declaration: FunctionDeclaration,
  cluster: string,
  at: { readonly name: string; readonly namespace?: string | undefined },
): string | undefined {
  const { key } = declaration;
  if (key.by === "namespace") return groupOfNamespace(key.kind, cluster, at.namespace ?? "");
  // Two keys of one object would run at once.
  const namespace = key.kind.scope === "Cluster" ? undefined : at.namespace;
  return key.by === "fact" ? undefined : keyOf(key, { cluster, name: at.name, namespace }, {});
}

/** The keys that the event names by itself. An undefined among them: dependants must be looked up. */
function namedKeys(
  { row, declaration }: Entry,
  wake: Wake<never> | undefined,
  point: Point,
): (string | undefined)[] {
  if (declaration.key.by === "all") return [groupOfAll(declaration.key.kind, point.ref.cluster)];
  if (row.on === "child") return ownersOf(declaration, point, true);
  if (wake?.to === "owner")
    return point.owners.length < MOST_OWNERS ? ownersOf(declaration, point, false) : [undefined];
  if (wake?.to !== "name" || point.incomplete) return [undefined];
  try {
    return namesOf(wake, point).map((place) => keyAt(declaration, point.ref.cluster, place));
  } catch {
    // A name that cannot be computed may be anybody's: the sweep looks at all, as for a predicate that throws.
    return [undefined];
  }
}

type NameOf = (
  said: unknown,
) => { readonly name: string; readonly namespace?: string | undefined } | undefined;
const namesOf = (
  wake: Wake<never>,
  point: Point,
): { readonly name: string; readonly namespace?: string | undefined }[] =>
  point.facts.flatMap((_, index) => (wake.name as NameOf | undefined)?.(saidOf(point, index)) ?? []);

/** One state of the source, as a wake's author sees it. */
export function saidOf(
  point: Pick<Point, "facts" | "ready" | "gone"> & { readonly ref?: SubjectReference } & {
    readonly subject?: SweepSource["subject"];
  },
  index: number,
): unknown {
  const at = point.ref ?? point.subject;
  const [facts = {}, was] = point.facts.slice(index, index + 2).map(guarded);
  const said = {
    name: at?.name ?? "",
    namespace: at?.namespace ?? "",
    cluster: at?.cluster ?? "",
    ready: point.ready ?? false,
    gone: point.gone,
    was,
  };
  // A copy would read the facts, and some throw where they are read.
  if (facts !== point.facts[index])
    return Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(facts), ...Object.getOwnPropertyDescriptors(said) },
    );
  return { ...facts, ...said };
}
