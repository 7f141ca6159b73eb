/** Units with their seconds; the last spelling of each also stands for whatever begins with it. */
const units: readonly (readonly [number, readonly string[]])[] = [
  [1e-9, ["ns", "nano"]],
  [1e-6, ["us", "µs", "micro"]],
  [1e-3, ["ms", "milli"]],
  [1, ["s", "sec"]],
  [60, ["m", "min"]],
  [3_600, ["h", "hr", "hour"]],
  [86_400, ["d", "day"]],
  [604_800, ["w", "wk", "week"]],
];
const goDuration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const goPart = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const spokenPart = /(\d+)\s*([A-Za-zµ]+)/g;

/**
 * The seconds of a text of format `duration`: as Go spells it (`1h30m`), or any text with numbers and units in it (`3 weeks`,
 * `P1D`), which the server takes as well. Undefined where it is none.
 */
export function durationSeconds(text: string): number | undefined {
  if (goDuration.test(text)) {
    let sum = 0;
    for (const [, amount, unit] of text.matchAll(goPart)) sum += Number(amount) * secondsOf(unit ?? "");
    return text.startsWith("-") ? -sum : sum;
  }
  const parts = [...text.matchAll(spokenPart)].filter(([, , unit]) => secondsOf(unit ?? "") > 0);
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * secondsOf(unit ?? ""), 0);
}

function secondsOf(written: string): number {
  const unit = written.toLowerCase().replace("μ", "µ");
  const known = units.find(([, names]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit));
  return known?.[0] ?? 0;
}
