import type { Work } from "../contract.ts";
import type { WorkItem } from "../item.ts";
import type { Delivery } from "./delivery.ts";
import { objectIn } from "./work-message.ts";

/**
 * How old what was begun ahead may be when the key is taken. The record of a run lives longer than this, so that of a run that
 * another host had meanwhile would have been met.
 */
const AHEAD_MILLISECONDS = 1_000;
/** Gives what was begun for the run while its key was being taken, where that did not take long. */
export function beginAhead(
  item: WorkItem | undefined,
  { ahead }: Work,
  taken: readonly Delivery[],
): (() => unknown) | undefined {
  if (item === undefined || ahead === undefined) return undefined;
  const began = performance.now();
  // Whether it is in the version that counts is for the run to see.
  const told = taken
    .toSorted((one, other) => other.seq - one.seq)
    .map(({ message }) => message && objectIn(message))
    .find((object) => object !== undefined);
  const what = ahead(item, told);
  return () => (performance.now() - began < AHEAD_MILLISECONDS ? what : undefined);
}
