import { BusError } from "../errors.ts";
import { leftToSend } from "../found.ts";
import type { NewItem, SweepSource } from "../item.ts";
import type { WorkStore } from "./work-store.ts";

/** The number of items that are sent before it is known that they stand. */
const PART = 1_000;

/**
 * Sends what a run found for other keys, in their order. A stream without room is no reason to hold a slot that would make some: what
 * is sent is remembered in the sweep, which goes on behind it.
 * @returns undefined where all stand; else the fault, and the sweep as far as it came
 * @throws Unsure, BusError
 */
export async function sendFound(
  work: WorkStore,
  items: readonly NewItem[],
  sweep: SweepSource | undefined,
): Promise<{ readonly full: BusError; readonly sweep: SweepSource | undefined } | undefined> {
  const left = leftToSend(items, sweep);
  let reached = sweep?.after;
  for (let start = 0; start < left.length; start += PART) {
    const part = left.slice(start, start + PART);
    const sent = await Promise.allSettled(part.map(({ item }) => work.enqueue([item])));
    for (const [index, result] of sent.entries()) {
      if (result.status === "rejected") {
        const thrown: unknown = result.reason;
        if (!(thrown instanceof BusError) || thrown.code !== "BUS_FULL") throw thrown;
        return { full: thrown, sweep: sweep && { ...sweep, after: reached } };
      }
      reached = part[index]?.name;
    }
  }
  return undefined;
}
