import { DAY, type TimeOfDay, weekdayOf } from "./moments.ts";

/** A window that comes each week on these days, 0 for Sunday. A day counts where the window begins. */
export interface WeeklyWindow {
  readonly days: readonly number[];
  readonly begin: TimeOfDay;
  /** The end: on the next day where it is not after the beginning. */
  readonly end: TimeOfDay;
}
/** A stretch of time, in milliseconds since the epoch. */
export interface Stretch {
  readonly begin: number;
  readonly end: number;
}
/** A window that comes each week, or once. */
export type Window = WeeklyWindow | Stretch;

/** The days that are looked ahead. */
const DAYS_AHEAD = 8;

/** The times at which a window is open around now: from the one that began yesterday to a week ahead. */
export function stretchesOf(window: Window, now: number): readonly Stretch[] {
  if (!("days" in window)) return [window];
  const { days, begin, end } = window;
  const length = (end.sinceMidnight - end.ahead - (begin.sinceMidnight - begin.ahead)) % DAY;
  const today = Math.floor((now + begin.ahead) / DAY) * DAY;
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, index) => today + (index - 1) * DAY)
    .filter((midnight) => days.includes(weekdayOf(midnight)))
    .map((midnight) => {
      const opens = midnight + begin.sinceMidnight - begin.ahead;
      // Equal times are a whole day.
      return { begin: opens, end: opens + (length > 0 ? length : length + DAY) };
    });
}
