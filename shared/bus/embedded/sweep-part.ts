import type { Finished, Parked, RunEnding } from "../contract.ts";
import { BusError } from "../errors.ts";
import { leftToSend, withoutRoom } from "../found.ts";
import type { NewItem, SweepSource, WorkItem } from "../item.ts";
import type { KeyState } from "../key-state.ts";

/** The part of a sweep's keys for which there may be room. */
export interface SweepPart {
  readonly items: readonly NewItem[];
  /** The sweep that goes on behind them. */
  readonly sweep: SweepSource;
  readonly parked: Parked;
}

export const isFull = (thrown: unknown): thrown is BusError =>
  thrown instanceof BusError && thrown.code === "BUS_FULL";

/**
 * Half of what there was no room for, nothing in the end: so a sweep gives its slot back and goes on where it stood.
 * @param part what there was no room for last; undefined: all of it
 * @returns undefined where the run is no sweep, or found nothing: its end must be written as it is
 */
export function smallerPart(
  { sweep }: WorkItem,
  ending: RunEnding,
  part: SweepPart | undefined,
  full: BusError,
): SweepPart | undefined {
  if (sweep === undefined || ending.state !== "finished" || part?.items.length === 0) return undefined;
  const left = leftToSend(ending.enqueue, sweep);
  if (left.length === 0) return undefined;
  const kept = left.slice(0, Math.floor((part?.items.length ?? left.length) / 2));
  return {
    items: kept.map(({ item }) => item),
    sweep: { ...sweep, after: kept.at(-1)?.name ?? sweep.after },
    parked: withoutRoom(ending, full),
  };
}

/** The keys that a run found, without those that an earlier part of its sweep enqueued. */
export const stillToSend = ({ sweep }: WorkItem, { enqueue }: Finished): readonly NewItem[] =>
  sweep?.after === undefined ? enqueue : leftToSend(enqueue, sweep).map(({ item }) => item);

/** The key with another sweep in the item that it runs. */
export const withSweep = (state: KeyState, sweep: SweepSource): KeyState =>
  state.running === undefined
    ? state
    : { ...state, running: { ...state.running, item: { ...state.running.item, sweep } } };
