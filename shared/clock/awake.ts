import type { Clock } from "./clock.ts";

const PARTS = 10;

/**
 * Calls back once this process has waited for so long. A part that it overslept, because it was busy or frozen, counts as one part: what it
 * waits for may have come meanwhile, and lie unread.
 * @param milliseconds the time, of which a tenth is a part
 * @returns ends it
 */
export function afterAwake(clock: Clock, milliseconds: number, callback: () => void): () => void {
  let cancel: () => void;
  const wait = (parts: number): void => {
    cancel = clock.after(milliseconds / PARTS, parts === 1 ? callback : () => wait(parts - 1));
  };
  wait(PARTS);
  return () => cancel();
}
