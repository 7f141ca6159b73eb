import { setTimeout as pause } from "node:timers/promises";

/** The first pause between two looks; it doubles up to the last: what this machine brings is mostly there at once. */
const FIRST_PAUSE_MILLISECONDS = 2;
const LAST_PAUSE_MILLISECONDS = 20;

/**
 * Waits until `look` gives a value that is neither false nor undefined, and gives it back. For worlds that change by
 * themselves (real servers); fails with `what` after `withinMilliseconds` (default 60 s).
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMilliseconds = 60_000,
): Promise<Exclude<T, false | undefined>> {
  const until = Date.now() + withinMilliseconds;
  for (let wait = FIRST_PAUSE_MILLISECONDS; ; wait = Math.min(2 * wait, LAST_PAUSE_MILLISECONDS)) {
    const value = await look();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (Date.now() > until) throw new Error(`not within ${withinMilliseconds} ms: ${what}`);
    await pause(wait);
  }
}
