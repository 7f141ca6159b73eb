import type { WaitedObject } from "./contract.ts";

/** True where a key waits for the same objects as before, in the same order. */
export const sameWaits = (one: readonly WaitedObject[], other: readonly WaitedObject[]): boolean =>
  one === other || (one.length === other.length && JSON.stringify(one) === JSON.stringify(other));
