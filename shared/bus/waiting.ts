import type { Lane } from "../../events/index.ts";
import { isNewer } from "../kube/resource-version.ts";
import type { Echo } from "./contract.ts";
import { type Cause, MAXIMUM_CAUSES, mergeSweeps, type NewItem, type SweepSource } from "./item.ts";
import type { RunRecord } from "./run-record.ts";

/** The one item of a key that waits (B2). */
export interface Waiting {
  readonly lane: Lane;
  readonly causes: readonly Cause[];
  readonly causesIncomplete: boolean;
  readonly sweep?: SweepSource | undefined;
  /** Milliseconds since the epoch; 0 for at once. */
  readonly notBefore: number;
  readonly enqueuedAt: number;
  /** The number of processes that have died while they ran it, one after the other. */
  readonly deaths?: number | undefined;
  /** The connection that was away when it was looked at last. */
  readonly behind?: string | undefined;
}

export const waitingOf = (item: NewItem, now: number): Waiting => ({
  lane: item.lane,
  causes: [item.cause],
  causesIncomplete: false,
  sweep: item.sweep,
  notBefore: item.notBefore ?? 0,
  enqueuedAt: now,
});

const sameCause = (a: Cause, b: Cause): boolean =>
  a.eventId === b.eventId && a.sort === b.sort && a.timer === b.timer;

/**
 * Causes of both, each once, oldest first. Where there are too many the oldest go; last of all commands, for which a person asked, and
 * what only code of one signature can answer.
 */
function mergeCauses(
  older: readonly Cause[],
  newer: readonly Cause[],
): { readonly causes: readonly Cause[]; readonly dropped: boolean } {
  const causes = [...older, ...newer.filter((cause) => !older.some((other) => sameCause(cause, other)))];
  const dropped = causes.length > MAXIMUM_CAUSES;
  while (causes.length > MAXIMUM_CAUSES) {
    const oldest = causes.findIndex(({ sort, signature }) => sort !== "command" && signature === undefined);
    causes.splice(Math.max(0, oldest), 1);
  }
  return { causes, dropped };
}

/**
 * The number of deaths from which on it is not chance that the key ran each time: it runs alone in its host, and after a while
 * only.
 */
const SUSPECT_DEATHS = 2;

/** True where the item may be what ends its hosts: nothing else may run beside it, or the others die with it. */
export const isSuspect = ({ deaths = 0 }: { readonly deaths?: number | undefined }): boolean =>
  deaths >= SUSPECT_DEATHS;

/** A suspect keeps its back-off, unless its own object changed or a person asked: what others do ends no more hosts. */
function timeOf(older: Waiting, newer: Waiting): number {
  const mended = newer.causes.some(({ sort }) => sort === "own" || sort === "command");
  return isSuspect(older) && !mended ? older.notBefore : Math.min(older.notBefore, newer.notBefore);
}

/** One item that stands for both: the more urgent lane, the earlier time, the causes of both (B2). */
export function mergeWaiting(older: Waiting | undefined, newer: Waiting): Waiting {
  if (older === undefined) return newer;
  const deaths = Math.max(older.deaths ?? 0, newer.deaths ?? 0);
  const { causes, dropped } = mergeCauses(older.causes, newer.causes);
  const behind = newer.behind ?? older.behind;
  return {
    lane: older.lane === "urgent" || newer.lane === "urgent" ? "urgent" : "sweep",
    causes,
    causesIncomplete: older.causesIncomplete || newer.causesIncomplete || dropped,
    sweep: mergeSweeps(older.sweep, newer.sweep),
    notBefore: timeOf(older, newer),
    enqueuedAt: Math.min(older.enqueuedAt, newer.enqueuedAt),
    ...(deaths > 0 && { deaths }),
    ...(behind !== undefined && { behind }),
  };
}

/** True where every cause of a waiting item is a conditional write of the key's own runs. */
export function isEcho(waiting: Waiting, echoes: readonly Echo[]): boolean {
  if (echoes.length === 0 || waiting.causesIncomplete || waiting.sweep !== undefined) return false;
  return waiting.causes.every(({ uid, resourceVersion }) =>
    echoes.some((echo) => echo.uid === uid && echo.resourceVersion === resourceVersion),
  );
}

/** The most echoes of earlier runs that a key remembers beside those of its last one. */
const EARLIER = 64;

/**
 * The echoes that a key remembers once a run has ended: its own, and those of runs before whose objects it read as they were written, or later
 * ones: events of these come late as well. Another one may have rested on less, and what was written before is news to it.
 */
export function withEarlier(
  earlier: readonly Echo[],
  { echoes, run }: { readonly echoes: readonly Echo[]; readonly run: Pick<RunRecord, "reads"> },
): readonly Echo[] {
  const versions = new Map(run.reads.map(({ uid, resourceVersion }) => [uid, resourceVersion]));
  const stillKnown = earlier.filter(({ uid, resourceVersion }) => {
    const read = versions.get(uid);
    return (
      (read === resourceVersion || isNewer(read, resourceVersion)) &&
      echoes.every((echo) => echo.uid !== uid || echo.resourceVersion !== resourceVersion)
    );
  });
  return [...stillKnown.slice(-EARLIER), ...echoes];
}
