/**
 * Amounts as the API server stores them: `1000m` → `1`, `0.5` → `500m`, `1024Mi` → `1Gi`, `1000` → `1k`.
 * Source: k8s.io, "Quantity": the largest suffix that leaves an integer; binary and decimal families stay apart.
 */
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const SCALE = 9;
const UNIT = 10n ** BigInt(SCALE);

/** An amount in billionths, and the family of suffixes that it was written in. */
interface Amount {
  readonly nano: bigint;
  readonly family: "binary" | "decimal" | "exponent";
}

/** Undefined where the text is no quantity. Smaller parts than a billionth are rounded up. */
export function parseQuantity(text: string): Amount | undefined {
  const match = FORM.exec(text.trim());
  if (match === null || text !== text.trim()) return undefined;
  const [, sign, whole = "", fraction = "", binary, decimal, exponent] = match;
  if (whole === "" && fraction === "") return undefined;
  const digits = BigInt(`${whole}${fraction}` || "0");
  let numerator = digits * UNIT;
  let denominator = 10n ** BigInt(fraction.length);
  const power = exponent !== undefined ? Number(exponent) : (DECIMAL[decimal ?? ""] ?? 0);
  if (Math.abs(power) > 64) return undefined;
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  if (binary !== undefined) numerator *= 1024n ** BigInt(BINARY.indexOf(binary as (typeof BINARY)[number]));
  const nano = (numerator + denominator - 1n) / denominator;
  return {
    nano: sign === "-" ? -nano : nano,
    family: binary !== undefined ? "binary" : exponent !== undefined ? "exponent" : "decimal",
  };
}

/** The spelling that the server stores; the text itself where it is no quantity. */
export function canonicalQuantity(text: string): string {
  const amount = parseQuantity(text);
  if (amount === undefined) return text;
  const { nano } = amount;
  if (nano === 0n) return "0";
  const negative = nano < 0n;
  const positive = negative ? -nano : nano;
  const spelled =
    amount.family === "binary" && positive % UNIT === 0n && positive / UNIT >= 1024n
      ? inBinary(positive / UNIT)
      : amount.family === "exponent"
        ? inDecimal(positive, (power) => (power === 0 ? "" : `e${power}`))
        : inDecimal(positive, suffixOf);
  return negative ? `-${spelled}` : spelled;
}

/** -1, 0 or 1 as `a` is less than, equal to or more than `b`; undefined where one is no quantity. */
export function compareQuantities(a: string, b: string): number | undefined {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined || right === undefined) return undefined;
  return left.nano < right.nano ? -1 : left.nano > right.nano ? 1 : 0;
}

function inBinary(amount: bigint): string {
  let power = 0;
  let rest = amount;
  while (rest % 1024n === 0n && power < BINARY.length - 1) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${BINARY[power]}`;
}

function inDecimal(nano: bigint, suffix: (power: number) => string): string {
  let power = -SCALE;
  let rest = nano;
  while (rest % 1000n === 0n && power < 18) {
    rest /= 1000n;
    power += 3;
  }
  return `${rest}${suffix(power)}`;
}

const suffixOf = (power: number): string =>
  Object.keys(DECIMAL).find((name) => DECIMAL[name] === power) ?? "";
