/** A quantity in exact arithmetic: `digits × 10^ten × 2^two`. */
interface Exact {
  readonly digits: bigint;
  readonly ten: number;
  readonly two: number;
  readonly form: "decimal" | "exponent" | "binary";
}

const decimal: Readonly<Record<string, number>> = {
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
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const written = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d+)|([KMGTPE]i|[numkMGTPE]))?$/;
/** No quantity is that large; a hostile exponent must not make a number of a million digits. */
const largestExponent = 64;

function exact(text: string): Exact | undefined {
  const match = written.exec(text);
  if (match === null) return undefined;
  const [, sign, number = "", exponent, suffix = ""] = match;
  const point = number.indexOf(".");
  const fraction = point < 0 ? 0 : number.length - point - 1;
  const digits = BigInt(`${sign === "-" ? "-" : ""}${number.replace(".", "") || "0"}`);
  if (exponent !== undefined) {
    const ten = Number(exponent.slice(1));
    return Math.abs(ten) > largestExponent
      ? undefined
      : { digits, ten: ten - fraction, two: 0, form: "exponent" };
  }
  const two = binary[suffix];
  if (two !== undefined) return { digits, ten: -fraction, two, form: "binary" };
  return { digits, ten: (decimal[suffix] ?? 0) - fraction, two: 0, form: "decimal" };
}

/** `digits × 10^ten` without the power of two. */
const plain = ({ digits, ten, two }: Exact): { readonly digits: bigint; readonly ten: number } => ({
  digits: digits << BigInt(two),
  ten,
});

const textOf = (value: unknown): string | undefined =>
  typeof value === "string"
    ? value
    : typeof value === "number" && Number.isFinite(value)
      ? String(value)
      : undefined;

/** Below zero, zero or above, as `a` is smaller than, equal to or larger than `b`; undefined where one is no quantity. */
export function compareQuantities(a: unknown, b: unknown): number | undefined {
  const [first, second] = [textOf(a), textOf(b)];
  if (first === undefined || second === undefined) return undefined;
  const [x, y] = [exact(first), exact(second)];
  if (x === undefined || y === undefined) return undefined;
  const [left, right] = [plain(x), plain(y)];
  const ten = Math.min(left.ten, right.ten);
  const difference =
    left.digits * 10n ** BigInt(left.ten - ten) - right.digits * 10n ** BigInt(right.ten - ten);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** True where both are quantities and equal numbers: `1` and `1000m`, `1Gi` and `1024Mi`. */
export const sameQuantity = (a: unknown, b: unknown): boolean => compareQuantities(a, b) === 0;

/** `digits × 10^ten` as an integer of units of `10^scale`; rounded away from zero, as the server does. */
function unitsOf(value: { readonly digits: bigint; readonly ten: number }, scale: number): bigint {
  const shift = value.ten - scale;
  if (shift >= 0) return value.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const whole = value.digits / divisor;
  return whole * divisor === value.digits ? whole : whole + (value.digits < 0n ? -1n : 1n);
}

/** A quantity in billionths, rounded away from zero as the server does; undefined where it is none. */
export function quantityNano(value: unknown): bigint | undefined {
  const text = textOf(value);
  const parsed = text === undefined ? undefined : exact(text);
  return parsed === undefined ? undefined : unitsOf(plain(parsed), -9);
}

/**
 * The spelling in which the server stores a quantity of a built-in kind: no fraction, the largest suffix that allows it
 * (`0.5` → `500m`, `1024Mi` → `1Gi`, `1000` → `1k`). Undefined where it is no quantity.
 * Source: apimachinery's documented rules of `resource.Quantity`.
 */
export function canonicalQuantity(value: unknown): string | undefined {
  const text = textOf(value);
  const parsed = text === undefined ? undefined : exact(text);
  if (parsed === undefined) return undefined;
  const amount = plain(parsed);
  const nano = unitsOf(amount, -9);
  if (nano === 0n) return "0";
  const size = nano < 0n ? -nano : nano;
  // Below 1024, and for fractions of one, the binary suffixes have nothing to say.
  if (parsed.form === "binary" && size >= 1024n * 10n ** 9n && nano % 10n ** 9n === 0n) {
    let units = nano / 10n ** 9n;
    let index = 0;
    while (units % 1024n === 0n && index < 6) {
      units /= 1024n;
      index++;
    }
    return `${units}${["", ...Object.keys(binary)][index]}`;
  }
  let units = nano;
  let ten = -9;
  while (units % 1000n === 0n && ten < 18) {
    units /= 1000n;
    ten += 3;
  }
  if (parsed.form === "exponent") return ten === 0 ? String(units) : `${units}e${ten}`;
  const suffix = Object.keys(decimal).find((name) => decimal[name] === ten) ?? "";
  return `${units}${suffix}`;
}
