import type { Finished } from "../bus/contract.ts";
import { inheritedSignature, type NewItem, type SweepSource, type WorkItem } from "../bus/item.ts";
import { type Duration, milliseconds } from "../clock/time.ts";
import type { FunctionDeclaration } from "../function/declaration.ts";
import { keyOf } from "../function/key.ts";
import { DeclarationError } from "../function/system.ts";
import type { Spread } from "../function/wakes.ts";
import type { KubeClient } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { factsOf } from "../kube/facts.ts";
import { type Kind, resourceOf } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { parseObject } from "../kube/read.ts";
import type { Log } from "../log/log.ts";
import { laneOfFound } from "./event-lane.ts";
import { lookUps, namedByEvent, statesOf } from "./look-ups.ts";
import type { Recorder } from "./recorder.ts";
import type { RunReport } from "./run-report.ts";

export interface SweepParts {
  readonly client: KubeClient;
  readonly cluster: string;
  readonly recorder: Recorder;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly now: number;
  /** Absent: the whole cluster. */
  readonly namespaces: readonly string[] | undefined;
  /** The configuration of the function's system. */
  readonly config?: unknown;
  /** Asked after each page: whether this run still holds the item. */
  readonly check: () => Promise<void>;
}

/** Runs a sweep: its end enqueues the keys that it found. */
export async function sweptRun(
  declaration: FunctionDeclaration,
  item: WorkItem,
  report: RunReport,
  parts: SweepParts,
): Promise<Finished> {
  const source = item.sweep;
  if (source === undefined)
    throw new DeclarationError("KEY_INVALID", `${item.key} is a sweep without a source.`);
  const enqueue = await sweep(declaration, item, source, parts);
  return {
    state: "finished",
    echoes: [],
    waits: [],
    deadlines: undefined,
    net: undefined,
    again: false,
    enqueue,
    run: report.record("swept"),
  };
}

/** Looks up the dependants of a source, in pages, and says which keys to enqueue. */
export async function sweep(
  declaration: FunctionDeclaration,
  item: WorkItem,
  source: SweepSource,
  parts: SweepParts,
): Promise<readonly NewItem[]> {
  const { kind } = declaration.key;
  /** The keys, and whether they wake at once, whatever the spread is. */
  const keys = new Map<string, boolean>();
  /** Those whom the event is about: one, or it names nobody. */
  const meant = new Set<string>();
  const metadataOnly = isNamedByMetadata(declaration, source);
  const named = namedByEvent(declaration, source, parts.cluster);
  for (const key of named ?? []) keys.set(key, false);
  for (const lookUp of named === undefined ? lookUps(declaration, source, parts.namespaces) : []) {
    parts.recorder.listed(`${kind.group}/${kind.kind}/${lookUp.namespace ?? ""}/*`);
    for await (const page of pagesOf(parts.client, kind, { metadataOnly, ...lookUp, signal: parts.signal })) {
      await parts.check();
      for (const raw of page.items) {
        const one = soleOf(declaration, raw, source);
        if (one !== undefined) meant.add(one);
        if (!depends(declaration, raw, source)) continue;
        const key = keyOf(
          declaration.key,
          { cluster: parts.cluster, ...raw.metadata },
          factsOf(kind.facts, raw),
        );
        if (key !== undefined) keys.set(key, keys.get(key) === true || isAtOnce(declaration, raw, source));
      }
    }
  }
  if (meant.size > 1) {
    const about = { function: declaration.name, source: source.subject.name, meant: [...meant].sort() };
    parts.log.warn(
      about,
      "an event is about several at once and is dropped: have each bear an identity of its own",
    );
    return [];
  }
  // The newest: whoever wrote that one knew the source's older versions, but not the other way round.
  const cause = item.causes.at(-1);
  if (cause === undefined) return [];
  const spread = spreadOf(declaration.wakes[source.wake]?.spread, parts.config);
  const late = new Map([...keys].filter(([, atOnce]) => !atOnce).map(([key], index) => [key, index]));
  const lane = laneOfFound(item.lane, keys.size);
  return [...keys.keys()].map((key) => ({
    function: declaration.name,
    key,
    lane,
    cause: {
      ...cause,
      sort: cause.sort === "command" ? "command" : "dependency",
      revives: true,
      ...inheritedSignature(item.causes),
    },
    ...(spread !== undefined && {
      notBefore: parts.now + Math.floor((spread * (late.get(key) ?? 0)) / Math.max(1, late.size)),
    }),
  }));
}

/** The time over which the wakes are spread, in milliseconds. */
const spreadOf = (spread: Spread | undefined, config: unknown): number | undefined =>
  spread === undefined
    ? undefined
    : milliseconds(typeof spread === "function" ? (spread as (config: unknown) => Duration)(config) : spread);

/** The pages of the objects of a kind: none where others are to install it and have not. Once they do, each object wakes by itself. */
async function* pagesOf(
  client: KubeClient,
  kind: Kind,
  options: Parameters<KubeClient["pages"]>[1],
): ReturnType<KubeClient["pages"]> {
  try {
    yield* client.pages(resourceOf(kind), options);
  } catch (error) {
    if (!(kind.external && error instanceof KubeError && error.kind === "kindMissing")) throw error;
  }
}

/** True where the keys follow from the metadata: where every dependant counts, nobody looks into it. */
function isNamedByMetadata({ key, wakes }: FunctionDeclaration, source: SweepSource): boolean {
  const wake = wakes[source.wake];
  if (wake?.atOnce !== undefined || (!source.incomplete && wake?.matches !== undefined)) return false;
  return key.by !== "fact" || key.kind.facts[key.fact ?? ""]?.[0] === "metadata";
}

type Matches = (dependant: unknown, said: unknown) => boolean;

/** True where any state of the source matches, or where that cannot be told. */
function depends(declaration: FunctionDeclaration, raw: KubeObject, source: SweepSource): boolean {
  const matches = declaration.wakes[source.wake]?.matches as Matches | undefined;
  if (source.incomplete || matches === undefined) return true;
  try {
    const dependant = parseObject(declaration.key.kind, raw);
    return statesOf(declaration, source).some((said) => matches(dependant, said));
  } catch {
    // A dependant that cannot be read, or a predicate that throws, is looked at rather than forgotten: its run shows the error.
    return true;
  }
}

/** The one that an event is about by this dependant; undefined where the wake does not ask, or it cannot be told. */
function soleOf(declaration: FunctionDeclaration, raw: KubeObject, source: SweepSource): string | undefined {
  const sole = declaration.wakes[source.wake]?.sole as ((dependant: unknown) => string) | undefined;
  if (sole === undefined || source.incomplete) return undefined;
  try {
    return sole(parseObject(declaration.key.kind, raw));
  } catch {
    // It is looked at, and its run shows the error.
    return undefined;
  }
}

/** True where the dependant wakes at once in any state of the source, as far as that can be told. */
function isAtOnce(declaration: FunctionDeclaration, raw: KubeObject, source: SweepSource): boolean {
  const atOnce = declaration.wakes[source.wake]?.atOnce as Matches | undefined;
  if (atOnce === undefined) return false;
  try {
    const dependant = parseObject(declaration.key.kind, raw);
    return statesOf(declaration, source).some((said) => atOnce(dependant, said));
  } catch {
    return false;
  }
}
