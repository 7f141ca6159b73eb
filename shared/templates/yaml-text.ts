import { runesOf } from "./bytes.ts";
import { parseFloat64, parseInt64, parseUint64 } from "./numbers.ts";

/** Words that YAML 1.1 takes for something else than text. */
const WORDS = new Set(
  [
    "y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF ~ null Null NULL",
    ".nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF",
  ].flatMap((line) => line.split(" ")),
);
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const TIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)$/;
const BINARY = /^[+-]?[01]{1,64}$/;

/** True for a day that there is, and a time of it. */
function isTime(text: string): boolean {
  const found = DATE.exec(text) ?? TIME.exec(text);
  if (found === null) return false;
  const [
    ,
    year = 0,
    month = 0,
    day = 0,
    hour = 0,
    minute = 0,
    second = 0,
    ahead = 0,
    minutes = 0,
    h = 0,
    m = 0,
    s = 0,
  ] = found.map((part) => Number(part ?? 0));
  const days = new Date(Date.UTC(2000, month, 0)).getUTCDate();
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month < 1 || month > 12 || day < 1 || day > (month === 2 && !isLeap ? 28 : days)) return false;
  return hour + h < 24 && minute + m < 60 && second + s < 60 && ahead <= 24 && minutes < 60;
}

function isNumber(text: string): boolean {
  const bare = text.replaceAll("_", "");
  if (parseInt64(bare) !== undefined || parseUint64(bare) !== undefined) return true;
  if (FLOAT.test(bare) && parseFloat64(bare) !== undefined) return true;
  if (bare.startsWith("0b")) return BINARY.test(bare.slice(2));
  return bare.startsWith("-0b") && BINARY.test(`-${bare.slice(3)}`);
}

/** True where text without quotes would be read as text, by those that read YAML 1.1. */
export function isPlainText(text: string): boolean {
  if (text === "" || WORDS.has(text)) return false;
  if (text.startsWith(".")) return parseFloat64(text) === undefined;
  if (!/^[-+0-9]/.test(text)) return true;
  return !isTime(text) && !isNumber(text) && !BASE_60.test(text);
}

const isDigit = (rune: number | undefined): boolean =>
  rune !== undefined &&
  (rune < 0x80 ? rune >= 0x30 && rune <= 0x39 : /^\p{Nd}$/u.test(String.fromCodePoint(rune)));
const isLetter = (rune: number): boolean => /^\p{L}$/u.test(String.fromCodePoint(rune));

/** The number that digits say from a place on, and where they end. */
function numberAt(
  runes: readonly number[],
  from: number,
  first: bigint,
): { readonly value: bigint; readonly end: number } {
  let value = first;
  let end = from;
  for (; isDigit(runes[end]); end += 1)
    value = BigInt.asIntN(64, value * 10n + BigInt((runes[end] ?? 0) - 0x30));
  return { value, end };
}

/** The order of keys: letters after other signs, numbers by their size. */
export function keyOrder(one: string, other: string): number {
  const [a, b] = [runesOf(one), runesOf(other)];
  const at = a.findIndex((rune, index) => rune !== b[index]);
  const [left, right] = [a[at], b[at]];
  if (at < 0 || left === undefined || right === undefined) return a.length - b.length;
  const [leftIsLetter, rightIsLetter] = [isLetter(left), isLetter(right)];
  if (leftIsLetter && rightIsLetter) return left - right;
  if (leftIsLetter || rightIsLetter) return rightIsLetter ? -1 : 1;
  let first = 0n;
  if (left === 0x30 || right === 0x30)
    for (let index = at - 1; index >= 0 && isDigit(a[index]); index -= 1) if (a[index] !== 0x30) first = 1n;
  const [mine, theirs] = [numberAt(a, at, first), numberAt(b, at, first)];
  if (mine.value !== theirs.value) return mine.value < theirs.value ? -1 : 1;
  return mine.end !== theirs.end ? mine.end - theirs.end : left - right;
}

/** The characters that YAML prints as they are: none above the basic plane, for this library. */
export const isPrintable = (rune: number): boolean =>
  rune === 0x0a ||
  (rune >= 0x20 && rune <= 0x7e) ||
  (rune >= 0xa0 && rune <= 0xd7ff) ||
  (rune >= 0xe000 && rune <= 0xfffd && rune !== 0xfeff);

export const isBreak = (rune: number | undefined): boolean =>
  rune === 0x0d || rune === 0x0a || rune === 0x85 || rune === 0x2028 || rune === 0x2029;

/** The ways in which a text may be written. */
export interface Ways {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly block: boolean;
}

const SPACE = 0x20;
const isBlank = (rune: number | undefined): boolean => rune === SPACE || rune === 0x09;
const startsBadly = (first: string, followed: boolean): boolean =>
  "#,[]{}&*!|>'\"%@`".includes(first) || ((first === "?" || first === ":" || first === "-") && followed);

/** The ways in which these characters may be written, outside brackets. */
export function waysOf(runes: readonly number[]): Ways {
  const first = String.fromCodePoint(runes[0] ?? 0);
  const head = String.fromCodePoint(...runes.slice(0, 3));
  let indicators =
    head === "---" || head === "..." || startsBadly(first, runes.length === 1 || isBlank(runes[1]));
  let special = false;
  let breaks = false;
  let spaceAfterBreak = false;
  let breakAfterSpace = false;
  for (const [index, rune] of runes.entries()) {
    const before = runes[index - 1];
    const followed = index + 1 >= runes.length || isBlank(runes[index + 1]);
    if (index > 0 && rune === 0x3a && followed) indicators = true;
    if (index > 0 && rune === 0x23 && (isBlank(before) || isBreak(before) || before === 0)) indicators = true;
    if (!isPrintable(rune)) special = true;
    if (rune === SPACE && index > 0 && isBreak(before)) spaceAfterBreak = true;
    if (isBreak(rune)) {
      breaks = true;
      if (before === SPACE) breakAfterSpace = true;
    }
  }
  const last = runes.at(-1);
  const atEnds = [runes[0], last].some((rune) => rune === SPACE || isBreak(rune));
  const never = special || breakAfterSpace;
  return {
    multiline: breaks,
    plain: !(indicators || atEnds || spaceAfterBreak || never || breaks),
    singleQuoted: !(spaceAfterBreak || never),
    block: last !== SPACE && !never && runes.length > 0,
  };
}
