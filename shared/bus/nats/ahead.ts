import type { Work } from "../contract.ts";
import type { WorkItem } from "../item.ts";

/**
 * The age that a read ahead may have when the key is taken. The record of a run lives longer than this, so that one of a run that
 * another host had meanwhile would have been met.
 */
const AHEAD_MILLISECONDS = 1_000;
/** Gives what was begun for the run while its key was being taken, where that did not take long. */
export function beginAhead(item: WorkItem | undefined, { ahead }: Work): (() => unknown) | undefined {
  if (item === undefined || ahead === undefined) return undefined;
  const began = performance.now();
  const what = ahead(item);
  return () => (performance.now() - began < AHEAD_MILLISECONDS ? what : undefined);
}
