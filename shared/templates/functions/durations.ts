import type { Functions } from "../function.ts";
import { wrapped } from "../numbers.ts";
import { Int, type Value } from "../values.ts";
import { fixed } from "./define.ts";

const SECOND = 1_000_000_000n;
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  "\xc2\xb5s": 1000n,
  "\xce\xbcs": 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
const PART = /([0-9]*)(?:\.([0-9]*))?(ns|us|\xc2\xb5s|\xce\xbcs|ms|s|m|h)/y;

/** Nanoseconds of text like `1h15m`; 0 where it is none. */
function parsed(text: string): bigint {
  const unsigned = text.replace(/^[+-]/, "");
  if (unsigned === "0" || text.length > 100) return 0n;
  let sum = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < unsigned.length) {
    const [, whole = "", fraction = "", unit = ""] = PART.exec(unsigned) ?? [];
    const size = UNITS[unit];
    if (size === undefined || whole + fraction === "") return 0n;
    sum += BigInt(whole === "" ? "0" : whole) * size;
    if (fraction !== "") sum += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
    if (sum > 2n ** 63n - 1n) return 0n;
  }
  return text.startsWith("-") ? -sum : sum;
}

/** Go's text of a time span of whole seconds. */
function shown(seconds: bigint): string {
  const span = wrapped(seconds * SECOND);
  const [sign, size] = span < 0n ? ["-", -span] : ["", span];
  const whole = size / SECOND;
  const rest = String(size % SECOND)
    .padStart(9, "0")
    .replace(/0+$/, "");
  const fraction = rest === "" ? "" : `.${rest}`;
  const [hours, minutes] = [whole / 3600n, (whole / 60n) % 60n];
  const tail = `${whole % 60n}${fraction}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${tail}`;
  return minutes > 0n ? `${sign}${minutes}m${tail}` : `${sign}${tail}`;
}

function secondsOf(value: Value): bigint {
  if (value instanceof Int && value.type === "int64") return value.value;
  if (typeof value !== "string" || !/^[+-]?[0-9]{1,30}$/.test(value)) return 0n;
  const seconds = BigInt(value.replace(/^\+/, ""));
  if (seconds === wrapped(seconds)) return seconds;
  return seconds < 0n ? -(2n ** 63n) : 2n ** 63n - 1n;
}

const DAY = 24n * 3600n * SECOND;
const STEPS: readonly (readonly [bigint, string])[] = [
  [365n * DAY, "y"],
  [30n * DAY, "mo"],
  [DAY, "d"],
  [3600n * SECOND, "h"],
  [60n * SECOND, "m"],
  [SECOND, "s"],
];

/** The largest unit alone. */
function rounded(value: Value): string {
  const span =
    value instanceof Int && value.type === "int64"
      ? value.value
      : typeof value === "string"
        ? parsed(value)
        : 0n;
  const size = span < 0n ? -span : span;
  const step = STEPS.find(([length]) => size > length);
  return step === undefined ? "0s" : `${size / step[0]}${step[1]}`;
}

/** Functions on spans of time. */
export const durations: Functions = {
  duration: fixed(["interface {}"], ([value]) => shown(secondsOf(value))),
  durationRound: fixed(["interface {}"], ([value]) => rounded(value)),
};
