/** A length of time as people write it: `30s`, `10m`, `2h`. */
export type Duration = `${number}${"ms" | "s" | "m" | "h"}`;

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** The length of a duration in milliseconds. Throws a `TypeError` for a text that is no duration. */
export function milliseconds(duration: Duration): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration);
  const unit = match?.[2] as keyof typeof UNITS | undefined;
  if (match?.[1] === undefined || unit === undefined)
    throw new TypeError(`"${duration}" is no duration: write 500ms, 30s, 10m or 2h`);
  return Number.parseFloat(match[1]) * UNITS[unit];
}

/** A time as RFC 3339 text in UTC, as Kubernetes stores it: comparable, serialisable, and never a mutable Date. */
export type Time = string;

/** The time that is so many milliseconds after the epoch. */
export const timeOf = (epochMilliseconds: number): Time => new Date(epochMilliseconds).toISOString();
/** The time that lies a duration after `from`: for `wakeAt`. */
export const later = (from: Time, by: Duration): Time => timeOf(Date.parse(from) + milliseconds(by));
/** The milliseconds from `from` to `now`. */
export const since = (from: Time, now: Time): number => Date.parse(now) - Date.parse(from);
/** The tolerance for clocks that differ, in milliseconds: an event said to happen later than that has not happened yet. */
export const CLOCKS_DIFFER = 5 * 60_000;
/** The time that a sender gives, or five minutes from now where it gives a later one: a wrong clock locks nobody out. */
export const notFarAhead = (said: Time, now: number): Time =>
  Date.parse(said) > now + CLOCKS_DIFFER ? timeOf(now + CLOCKS_DIFFER) : said;
/** A time without its fraction of a second, as metav1.Time is stored. */
export const toWholeSeconds = (time: Time): Time => time.replace(/\.\d+Z$/, "Z");
