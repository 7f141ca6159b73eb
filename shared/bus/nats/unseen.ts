import type { Echo, Finished } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import { againItem, arrive, enqueue, type KeyState, type Running } from "../key-state.ts";
import { addedWaits, isNews, missedItem, subjectOfWait } from "../told-during.ts";
import { isEcho } from "../waiting.ts";
import type { Arrival } from "./delivery.ts";
import type { RunParts } from "./run-parts.ts";
import { newsOf } from "./work-message.ts";
import type { WorkStore } from "./work-store.ts";

/** The difference that two hosts' clocks may have before an event during a run is taken for older. */
const CLOCKS_DIFFER_MILLISECONDS = 60_000;

/**
 * The state with what came for its key; `covered` says so then.
 * @param echoes of the key's last run: what is nothing else wakes nobody
 */
export function accountFor(
  state: KeyState,
  arrivals: readonly Arrival[],
  covered: Record<string, number>,
  now: number,
  echoes: readonly Echo[] = [],
): KeyState {
  let merged = state;
  for (const arrival of arrivals) {
    if (arrival.sort === "due") continue;
    const { message, seq, sort } = arrival;
    const news = newsOf(message, seq, covered[sort] ?? 0);
    covered[sort] = Math.max(covered[sort] ?? 0, seq);
    if (news === undefined || (isEcho(news, echoes) && merged.waiting === undefined)) continue;
    merged = arrive(merged, news, now);
  }
  return merged;
}

/** After a host died: what it had in its hands, and what came since, is read where it is kept. */
export async function takeUnseen(
  key: WorkKey,
  work: WorkStore,
  state: KeyState,
  covered: Record<string, number>,
  now: number,
): Promise<KeyState> {
  let merged = state;
  for (const lane of ["urgent", "sweep"] as const) {
    const found = await work.waiting(key, lane);
    if (found === undefined) continue;
    const news = newsOf(found.message, found.seq, covered[lane] ?? 0);
    if (news !== undefined) merged = arrive(merged, news, now);
    covered[lane] = Math.max(covered[lane] ?? 0, found.seq);
  }
  return merged;
}

/** Wakes the run by events that came while it ran, about objects that it waits for from now on. */
export async function withMissed(
  { told: events, clock }: Pick<RunParts, "told" | "clock">,
  state: KeyState,
  { item, takenAt }: Running,
  ending: Finished,
  before: Finished["waits"],
): Promise<KeyState> {
  const subjects = addedWaits(ending, before).map(subjectOfWait);
  if (subjects.length === 0) return state;
  const told = await events.since(takenAt - CLOCKS_DIFFER_MILLISECONDS, subjects);
  const now = clock.now();
  // Where it cannot be known it looks once more.
  if (told === undefined) return enqueue(state, againItem(item, ending, now), now);
  return told
    .filter((event) => isNews(event, ending))
    .reduce((merged, event) => enqueue(merged, missedItem(item, event), now), state);
}
