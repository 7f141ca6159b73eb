import type { Finished, RunEnding, WaitedObject } from "../contract.ts";
import { withoutRoom } from "../found.ts";
import type { WorkItem, WorkKey } from "../item.ts";
import {
  againItem,
  fail,
  finish,
  giveBack,
  type Interruption,
  type KeyState,
  park,
  type Running,
} from "../key-state.ts";
import type { HeldLease } from "../lease.ts";
import type { RunRecord } from "../run-record.ts";
import { sameWaits } from "../same-waits.ts";
import { isSuspect } from "../waiting.ts";
import { sendFound } from "./found.ts";
import type { RunParts } from "./run-parts.ts";
import { withMissed } from "./unseen.ts";

/** A run that has ended, and what its key is by then. */
export interface EndedRun {
  readonly key: WorkKey;
  readonly lease: HeldLease;
  readonly running: Running;
  /** The item of the run, with how far its sweep has come. */
  readonly item: WorkItem;
  /** The state of the key, with the news that came during the run. */
  readonly state: KeyState;
  readonly ending: RunEnding;
  /** The former waits of the key. */
  readonly waits: readonly WaitedObject[];
  /** The interruption of the run, where it was lost. */
  readonly how: Interruption;
  readonly now: number;
}

export type Outcome =
  | { readonly of: "end"; readonly state: KeyState; readonly run: RunRecord | undefined }
  /** The key is another's by now. */
  | { readonly of: "nothing" }
  /** It found more than the bus has room for: it ends so, and goes on once some of it is gone. */
  | { readonly of: "noRoom"; readonly item: WorkItem; readonly ending: RunEnding };

/**
 * The outcome for the key at the end of a run. The items that it found for others are sent by then, and its waits stand: the
 * key's record is written last.
 * @throws Unsure, BusError
 */
export async function outcomeOf(parts: RunParts, ended: EndedRun): Promise<Outcome> {
  const { policy, random } = parts;
  const { state, ending, now } = ended;
  switch (ending.state) {
    case "finished":
      return outcomeOfFinished(parts, ended, ending);
    case "failed": {
      const { state: failed, outcome } = fail(state, ending, now, policy, random());
      return { of: "end", state: failed, run: { ...ending.run, outcome, error: ending.error } };
    }
    case "parked": {
      const run: RunRecord = { ...ending.run, outcome: "away", error: ending.error };
      return { of: "end", state: park(state, ending, now), run };
    }
    case "lost":
      return { of: "end", state: giveBack(state, ended.how, now, policy, random()), run: undefined };
  }
}

async function outcomeOfFinished(
  parts: RunParts,
  { key, lease, running, item, state, waits, now }: EndedRun,
  ending: Finished,
): Promise<Outcome> {
  const { log, work } = parts;
  // Alone it goes to the end of the queue; with something that waits it is one run.
  const asks = ending.again && state.waiting === undefined;
  // First, and not beside the others: it goes before them in the queue. Where there is no room it runs on here.
  const later = asks && (await sendFound(work, [againItem(item, ending, now)], undefined)) === undefined;
  const stuck = await sendFound(work, ending.enqueue, item.sweep);
  if (stuck !== undefined) {
    log.warn(
      { function: key.function, key: key.key, error: stuck.full.message },
      "a run found more than the bus has room for; it goes on once some of it is gone",
    );
    return { of: "noRoom", item: { ...item, sweep: stuck.sweep }, ending: withoutRoom(ending, stuck.full) };
  }
  if (!lease.held()) return { of: "nothing" };
  if (!sameWaits(ending.waits, state.waits)) await parts.waits.set(key, ending.waits);
  const finished = finish(state, later ? { ...ending, again: false } : ending, now);
  const looks = !later && !isDue(finished, now);
  return {
    of: "end",
    state: looks ? await withMissed(parts, finished, running, ending, waits) : finished,
    run: ending.run,
  };
}

/** True where it may run only where nothing else does. */
export const mustBeAlone = ({ waiting }: KeyState): boolean => waiting !== undefined && isSuspect(waiting);

export const isDue = ({ waiting }: KeyState, now: number): boolean =>
  waiting !== undefined && waiting.notBefore <= now;
