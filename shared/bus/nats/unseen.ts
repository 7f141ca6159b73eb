import type { Finished } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import { againItem, arrive, enqueue, type KeyState, type Running } from "../key-state.ts";
import { addedWaits, isNews, missedItem, subjectOfWait } from "../told-during.ts";
import type { Waiting } from "../waiting.ts";
import type { Delivery } from "./delivery.ts";
import type { RunParts } from "./run-parts.ts";
import { newsOf } from "./work-message.ts";
import type { WorkStore } from "./work-store.ts";

/** By how much the clocks of two hosts may differ before what was told during a run is taken for older. */
const CLOCKS_DIFFER_MILLISECONDS = 60_000;

/** What a delivery tells that the state does not account for. */
export function newsIn(delivery: Delivery, covered: Readonly<Record<string, number>>): Waiting | undefined {
  const { message, seq, sort } = delivery;
  return message === undefined ? undefined : newsOf(message, seq, covered[sort] ?? 0);
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

/** What was told during the run of the objects that it waits for from now on wakes it too. */
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
