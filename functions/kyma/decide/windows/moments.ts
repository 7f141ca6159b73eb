/** The days of the week as policies name them, in the order in which they are counted. */
export const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The milliseconds of a day. */
export const DAY = 24 * HOUR;

/** A time of day somewhere on earth. All in milliseconds. */
export interface TimeOfDay {
  readonly sinceMidnight: number;
  /** The time that clocks there are ahead of UTC. */
  readonly ahead: number;
}

const TIME_OF_DAY = /^(\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):(\d\d))$/;
/** Reads `23:00:00Z` or `01:30:00+02:00`. Undefined: it is none. */
export function timeOfDay(text: string): TimeOfDay | undefined {
  const [, hour, minute, second = "0", sign, hoursAhead = "0", minutesAhead = "0"] =
    TIME_OF_DAY.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(hoursAhead) > 23 || Number(minutesAhead) > 59) return undefined;
  const ahead = Number(hoursAhead) * HOUR + Number(minutesAhead) * MINUTE;
  return {
    sinceMidnight: Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * SECOND,
    ahead: sign === "-" ? -ahead : ahead,
  };
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T(?!24)\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** Reads a time as RFC 3339 has it, in milliseconds since the epoch. Undefined: it is none. */
export function instant(text: string): number | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  const read = day === undefined ? Number.NaN : Date.parse(text);
  // JavaScript counts a 30th of February on into March.
  return Number.isNaN(read) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day
    ? undefined
    : read;
}

/** The weekday of a day that began so many milliseconds after the epoch, which was on a Thursday. */
export const weekdayOf = (midnight: number): number => (((midnight / DAY + 4) % 7) + 7) % 7;
