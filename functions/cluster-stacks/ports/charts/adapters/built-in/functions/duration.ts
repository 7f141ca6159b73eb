const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** The milliseconds of Go's text of a span, `-1.5h`; undefined where it is none. */
export function durationOf(text: string): number | undefined {
  const [, sign = "", body = ""] =
    /^([-+]?)(0|(?:\d{1,18}(?:\.\d{0,18})?(?:ns|us|ms|s|m|h))+)$/.exec(text) ?? [];
  if (body === "") return undefined;
  const parts = [...body.matchAll(/(\d+(?:\.\d*)?)(ns|us|ms|s|m|h)/g)];
  const sum = parts.reduce((total, [, count, unit = ""]) => total + Number(count) * (UNITS[unit] ?? 0), 0);
  return sign === "-" ? -sum : sum;
}

/** Go's text of whole seconds: `1h0m3s`. */
export function shownDuration(seconds: number): string {
  const size = Math.abs(seconds);
  const [hours, minutes] = [Math.floor(size / 3600), Math.floor(size / 60) % 60];
  const sign = seconds < 0 ? "-" : "";
  if (hours > 0) return `${sign}${hours}h${minutes}m${size % 60}s`;
  return minutes > 0 ? `${sign}${minutes}m${size % 60}s` : `${sign}${size % 60}s`;
}
