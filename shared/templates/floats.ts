/** Decimal digits without zeros at either end, and the place of the point: 0.`digits` × 10^`point`. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

const stripped = (digits: string): string => digits.replace(/0+$/, "");

/** The fewest digits that are read back as the same number. */
function shortest(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const digits = stripped(mantissa.replace(".", ""));
  return { digits, point: digits === "" ? 0 : Number(exponent) + 1 };
}

/** The sign, mantissa and exponent of a float64: mantissa × 2^exponent. */
function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0) & (2n ** 63n - 1n);
  const fraction = bits & (2n ** 52n - 1n);
  const biased = Number(bits >> 52n);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** All digits: a float64 is a finite decimal. (JavaScript's own rounding takes halves up; Go takes them to the even digit.) */
function exact(value: number): Decimal {
  const { mantissa, exponent } = partsOf(value);
  if (mantissa === 0n) return { digits: "", point: 0 };
  const whole = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const text = String(whole);
  return { digits: stripped(text), point: text.length + Math.min(exponent, 0) };
}

/** So many digits, rounded half to even. */
function rounded({ digits, point }: Decimal, count: number): Decimal {
  if (count < 0) return { digits: "", point: 0 };
  if (count >= digits.length) return { digits, point };
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const half = rest[0] === "5" && rest.length === 1;
  const last = count === 0 ? 0 : Number(kept.at(-1));
  const up = half ? last % 2 === 1 : (rest[0] ?? "0") >= "5";
  if (!up) {
    const left = stripped(kept);
    return { digits: left, point: left === "" ? 0 : point };
  }
  if (kept === "") return { digits: "1", point: point + 1 };
  const raised = String(BigInt(kept) + 1n).padStart(count, "0");
  return { digits: stripped(raised), point: point + raised.length - count };
}

function scientific({ digits, point }: Decimal, precision: number, letter: string): string {
  const exponent = digits === "" ? 0 : point - 1;
  const first = digits[0] ?? "0";
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, "0")}` : "";
  const sign = exponent < 0 ? "-" : "+";
  return `${first}${rest}${letter}${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function plain({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (precision <= 0) return whole;
  const fraction = `${"0".repeat(Math.max(0, -point))}${digits.slice(Math.max(0, point))}`;
  return `${whole}.${fraction.slice(0, precision).padEnd(precision, "0")}`;
}

function general(decimal: Decimal, precision: number, isShortest: boolean, letter: string): string {
  const { digits, point } = decimal;
  const threshold = isShortest
    ? 6
    : precision > digits.length && digits.length >= point
      ? digits.length
      : precision;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= threshold)
    return scientific(decimal, Math.min(precision, digits.length) - 1, letter);
  return plain(decimal, Math.max((precision > point ? digits.length : precision) - point, 0));
}

/** Hexadecimal, `%x`: 0x1.8p+00. */
function hexadecimal(value: number, precision: number): string {
  let { mantissa, exponent } = partsOf(value);
  if (mantissa === 0n) return `0x0${precision > 0 ? `.${"0".repeat(precision)}` : ""}p+00`;
  while (mantissa < 1n << 52n) {
    mantissa <<= 1n;
    exponent -= 1;
  }
  if (precision >= 0 && precision < 13) {
    const shift = BigInt(4 * (13 - precision));
    const rest = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    let kept = mantissa >> shift;
    if (rest > half || (rest === half && kept % 2n === 1n)) kept += 1n;
    mantissa = kept << shift;
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const power = exponent + 52;
  const all = mantissa.toString(16).slice(1);
  const fraction = precision < 0 ? stripped(all) : all.slice(0, precision).padEnd(precision, "0");
  return `0x1${fraction === "" ? "" : `.${fraction}`}p${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** The form of a number's text: Go's verbs, in lower case. */
export type FloatForm = "e" | "f" | "g" | "x" | "b";

/** A float64 as Go's strconv writes it; precision -1 is as many digits as it needs. Infinity has its sign, what is no number none. */
export function formatFloat(value: number, form: FloatForm = "g", precision = -1): string {
  if (Number.isNaN(value)) return "NaN";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const positive = Math.abs(value);
  if (positive === Infinity) return value < 0 ? "-Inf" : "+Inf";
  if (form === "x") return sign + hexadecimal(positive, precision);
  if (form === "b") {
    const { mantissa, exponent } = partsOf(positive);
    return `${sign}${mantissa}p${exponent < 0 ? "" : "+"}${exponent}`;
  }
  if (precision < 0) {
    const decimal = shortest(positive);
    const count = decimal.digits.length;
    if (form === "e") return sign + scientific(decimal, Math.max(count - 1, 0), "e");
    if (form === "f") return sign + plain(decimal, Math.max(count - decimal.point, 0));
    return sign + general(decimal, count, true, "e");
  }
  const all = exact(positive);
  if (form === "e") return sign + scientific(rounded(all, precision + 1), precision, "e");
  if (form === "f") return sign + plain(rounded(all, all.point + precision), precision);
  const least = Math.max(precision, 1);
  return sign + general(rounded(all, least), least, false, "e");
}
