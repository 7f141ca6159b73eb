import { setTimeout as pause } from "node:timers/promises";

const POLL_MILLISECONDS = 20;

/**
 * Waits until `look` gives a value that is neither false nor undefined, and gives it back. For worlds that change by
 * themselves (real servers); fails with `what` after `withinMilliseconds` (default 60 s).
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMilliseconds = 60_000,
): Promise<Exclude<T, false | undefined>> {
  for (const until = Date.now() + withinMilliseconds; ; await pause(POLL_MILLISECONDS)) {
    const value = await look();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (Date.now() > until) throw new Error(`not within ${withinMilliseconds} ms: ${what}`);
  }
}
