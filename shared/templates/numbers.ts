/** The smallest and the largest int64, and the largest uint64. */
export const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n, mostUnsigned: 2n ** 64n - 1n } as const;

/** An integer as 64 bits keep it: too large ones begin again at the other end. */
export const wrapped = (value: bigint): bigint => BigInt.asIntN(64, value);

const BASES: Readonly<Record<string, { readonly base: number; readonly digits: RegExp }>> = {
  x: { base: 16, digits: /^[0-9a-fA-F]+$/ },
  o: { base: 8, digits: /^[0-7]+$/ },
  b: { base: 2, digits: /^[01]+$/ },
  "": { base: 10, digits: /^[0-9]+$/ },
};

/** Underscores may stand between digits, and between a prefix and a digit. */
const underscoresFit = (digits: string, afterPrefix: boolean): boolean =>
  !/__|_$/.test(digits) && (afterPrefix || !digits.startsWith("_"));

/**
 * An integer in Go's way with base 0: sign, prefix `0x`, `0o`, `0b` or `0`, underscores. Undefined where it is none.
 * It is not bounded: see {@link parseInt64}.
 */
export function parseInteger(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  const unsigned = negative || text.startsWith("+") ? text.slice(1) : text;
  const letter = unsigned.startsWith("0") ? (unsigned[1] ?? "").toLowerCase() : "";
  const prefixed = letter in BASES && letter !== "";
  const octal = !prefixed && /^0[0-9_]/.test(unsigned);
  const { base, digits } = BASES[prefixed ? letter : octal ? "o" : ""] ?? { base: 10, digits: /^[0-9]+$/ };
  const body = prefixed ? unsigned.slice(2) : octal ? unsigned.slice(1) : unsigned;
  const bare = body.replaceAll("_", "");
  if (!digits.test(bare) || !underscoresFit(body, prefixed || octal)) return undefined;
  const value = BigInt(base === 10 ? bare : `${base === 16 ? "0x" : base === 8 ? "0o" : "0b"}${bare}`);
  return negative ? -value : value;
}

/** An int64 in Go's way with base 0; undefined where it is none or does not fit. */
export function parseInt64(text: string): bigint | undefined {
  // A text of a thousand digits is not an int64: no need to compute it.
  if (text.length > 100) return undefined;
  const value = parseInteger(text);
  return value === undefined || value < INT64.least || value > INT64.most ? undefined : value;
}

/** A uint64 in Go's way with base 0, without a sign; undefined where it is none or does not fit. */
export function parseUint64(text: string): bigint | undefined {
  if (/^[+-]/.test(text) || text.length > 100) return undefined;
  const value = parseInteger(text);
  return value === undefined || value > INT64.mostUnsigned ? undefined : value;
}

const DECIMAL = /^[+-]?([0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)([eE][+-]?[0-9][0-9_]*)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([+-]?[0-9][0-9_]*)$/;
const SPECIAL: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Infinity,
  "+inf": Infinity,
  "-inf": -Infinity,
  infinity: Infinity,
  "+infinity": Infinity,
  "-infinity": -Infinity,
};

/** A float64 in Go's way; undefined where it is none, or beyond the largest. */
export function parseFloat64(text: string): number | undefined {
  const special = SPECIAL[text.toLowerCase()];
  if (special !== undefined) return special;
  const bare = text.replaceAll("_", "");
  const isHex = /^[+-]?0[xX]/.test(text);
  const digit = isHex ? "[0-9a-fA-FxX]" : "[0-9]";
  // Underscores stand between digits, or between a prefix and a digit.
  if (bare !== text && new RegExp(`(^|(?!${digit}).)_|_($|_|(?!${digit}).)`).test(text)) return undefined;
  if (DECIMAL.test(bare)) {
    const value = Number(bare);
    return Number.isFinite(value) ? value : undefined;
  }
  const [, sign = "", whole = "", fraction = "", exponent = ""] = HEXADECIMAL.exec(bare) ?? [];
  if (whole + fraction === "" || exponent === "") return undefined;
  const power = Number(exponent) - 4 * fraction.length;
  // In two steps: the smallest powers are numbers only together with what they multiply.
  const half = Math.trunc(power / 2);
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** half * 2 ** (power - half);
  return Number.isFinite(value) ? (sign === "-" ? -value : value) : undefined;
}

/** A float64 as an int64: cut, and the smallest one where it does not fit, as an amd64 processor does it. */
export function truncated(value: number): bigint {
  if (!Number.isFinite(value)) return INT64.least;
  const whole = BigInt(Math.trunc(value));
  return whole < INT64.least || whole > INT64.most ? INT64.least : whole;
}

/** A number in the source of a template, as each kind that it may be taken for. */
export interface Constant {
  readonly text: string;
  readonly int?: bigint;
  readonly uint?: bigint;
  readonly float?: number;
  readonly complex?: { readonly real: number; readonly imaginary: number };
}

/** The kinds of a float: also an integer where it is whole. */
function ofFloat(text: string, float: number): Constant {
  const whole = Number.isInteger(float) ? BigInt(float) : undefined;
  return {
    text,
    float,
    ...(whole !== undefined && whole >= INT64.least && whole <= INT64.most && { int: whole }),
    ...(whole !== undefined && whole >= 0n && whole <= INT64.mostUnsigned && { uint: whole }),
  };
}

function ofComplex(text: string, real: number, imaginary: number): Constant {
  return { ...(imaginary === 0 ? ofFloat(text, real) : { text }), complex: { real, imaginary } };
}

/** The kinds of a character literal's number. */
export const runeConstant = (text: string, rune: number): Constant => ({
  text,
  int: BigInt(rune),
  uint: BigInt(rune),
  float: rune,
});

/** A pair like `1+2i`. */
export function complexConstant(text: string): Constant | string {
  const [, real = "", imaginary = ""] = /^([+-]?[^i]+?)([+-][^+-]*(?:[eEpP][+-]\w*)?)i$/.exec(text) ?? [];
  const [one, other] = [parseFloat64(real), parseFloat64(imaginary)];
  return one === undefined || other === undefined
    ? "syntax error scanning complex number"
    : ofComplex(text, one, other);
}

/** The kinds of a number's text; a message where it is none. */
export function constantOf(text: string): Constant | string {
  if (text.endsWith("i")) {
    const imaginary = parseFloat64(text.slice(0, -1));
    if (imaginary !== undefined) return ofComplex(text, 0, imaginary);
  }
  const int = parseInt64(text);
  const uint = parseUint64(text) ?? (int === 0n ? 0n : undefined);
  if (int !== undefined || uint !== undefined)
    return {
      text,
      float: Number(int ?? uint),
      ...(int !== undefined && { int }),
      ...(uint !== undefined && { uint }),
    };
  const float = parseFloat64(text);
  if (float === undefined) return `illegal number syntax: "${text}"`;
  return /[.eEpP]/.test(text) ? ofFloat(text, float) : `integer overflow: "${text}"`;
}
