const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Milliseconds as kubectl shows ages: two units at most, fewer the longer it is. */
export function durationText(milliseconds: number): string {
  // A clock that is a little ahead is no age.
  if (milliseconds < -2 * SECOND) return "<invalid>";
  if (milliseconds < 0) return "0s";
  const whole = (unit: number): number => Math.floor(milliseconds / unit);
  const with2 = (unit: number, name: string, small: number, smallName: string): string => {
    const rest = Math.floor((milliseconds % unit) / small);
    return rest === 0 ? `${whole(unit)}${name}` : `${whole(unit)}${name}${rest}${smallName}`;
  };
  if (milliseconds < 2 * MINUTE) return `${whole(SECOND)}s`;
  if (milliseconds < 10 * MINUTE) return with2(MINUTE, "m", SECOND, "s");
  if (milliseconds < 3 * HOUR) return `${whole(MINUTE)}m`;
  if (milliseconds < 8 * HOUR) return with2(HOUR, "h", MINUTE, "m");
  if (milliseconds < 2 * DAY) return `${whole(HOUR)}h`;
  if (milliseconds < 8 * DAY) return with2(DAY, "d", HOUR, "h");
  if (milliseconds < 2 * YEAR) return `${whole(DAY)}d`;
  if (milliseconds < 8 * YEAR) return with2(YEAR, "y", DAY, "d");
  return `${whole(YEAR)}y`;
}

/** The time that has passed since then. */
export function ageText(time: unknown, now: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  const at = Date.parse(time);
  return Number.isNaN(at) ? "<invalid>" : durationText(now - at);
}
