import { type Clock, systemClock } from "../../shared/clock/clock.ts";

const LONGEST_MILLISECONDS = 2_000;

/**
 * The machine's clock, on which nothing rings that is set for two seconds or more: what comes about on it came by news, and not by a
 * look that is taken again and again.
 */
export const shortAlarms: Clock = {
  ...systemClock,
  after: (milliseconds, callback) =>
    milliseconds < LONGEST_MILLISECONDS ? systemClock.after(milliseconds, callback) : () => undefined,
};
