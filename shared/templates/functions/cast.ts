import { formatFloat } from "../floats.ts";
import { parseFloat64, parseInt64, truncated, wrapped } from "../numbers.ts";
import { Int, type Value } from "../values.ts";

/** `1.00` as `1`: zeros after the point do not make text a fraction. */
const withoutZeros = (text: string): string => /^(.*)\.0+$/s.exec(text)?.[1] ?? text;

/** An int64 from anything; 0 from what is none. */
export function toInteger(value: Value): bigint {
  if (value instanceof Int) return wrapped(value.value);
  if (typeof value === "number") return truncated(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "string" ? (parseInt64(withoutZeros(value)) ?? 0n) : 0n;
}

/** A float64 from anything; 0 from what is none. */
export function toFloat(value: Value): number {
  if (typeof value === "number") return value;
  if (value instanceof Int) return Number(value.value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" ? (parseFloat64(value) ?? 0) : 0;
}

/** A decimal fraction: `whole` × 10^`exponent`. */
export interface Decimal {
  readonly whole: bigint;
  readonly exponent: number;
}

/** The decimal that the shortest text of a float64 says. */
export function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = formatFloat(value, "e").split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return { whole: BigInt(mantissa.replace(".", "")), exponent: Number(exponent) - fraction.length };
}

/** The nearest float64. */
export const floatOf = ({ whole, exponent }: Decimal): number => Number(`${whole}e${exponent}`);
