import type { SweepSource } from "./item.ts";
import type { KeyState } from "./key-state.ts";
import type { Waiting } from "./waiting.ts";

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A sweep of which only the present is told, where that is small: every dependant counts then. */
function cut(sweep: SweepSource, mostBytes: number): SweepSource {
  const facts = sweep.facts.slice(0, 1).filter((present) => bytesOf(present) <= mostBytes / 2);
  return { ...sweep, facts, incomplete: true };
}

/** A sweep in so many bytes of UTF-8. What is left out makes it incomplete. */
const boundedSweep = (sweep: SweepSource, mostBytes: number): SweepSource =>
  bytesOf(sweep) <= mostBytes ? sweep : cut(sweep, mostBytes);

/** A waiting item in so many bytes of UTF-8; its causes are bounded by their number. */
export function bounded(waiting: Waiting, mostBytes: number): Waiting {
  const { sweep } = waiting;
  if (sweep === undefined || bytesOf(waiting) <= mostBytes) return waiting;
  return { ...waiting, sweep: cut(sweep, mostBytes) };
}

/**
 * The bounded state of a key, each item in it within so many bytes of UTF-8: the waiting one, the running one, and the sweep that
 * a dead one still owes.
 */
export function boundedState<State extends Pick<KeyState, "waiting" | "dead"> & Partial<KeyState>>(
  state: State,
  mostBytes: number,
): State {
  const { waiting, running, dead } = state;
  if (waiting?.sweep === undefined && running?.item.sweep === undefined && dead?.sweep === undefined)
    return state;
  return {
    ...state,
    ...(waiting !== undefined && { waiting: bounded(waiting, mostBytes) }),
    ...(running?.item.sweep !== undefined && {
      running: {
        ...running,
        item: { ...running.item, sweep: boundedSweep(running.item.sweep, mostBytes) },
      },
    }),
    ...(dead?.sweep !== undefined && { dead: { ...dead, sweep: boundedSweep(dead.sweep, mostBytes) } }),
  };
}
