import { FunctionFault } from "../errors.ts";
import type { Call, Functions, TemplateFunction } from "../function.ts";
import { wrapped } from "../numbers.ts";
import { sprint } from "../print.ts";
import { Int, List, type Value } from "../values.ts";
import { type Decimal, decimalOf, floatOf, toFloat, toInteger } from "./cast.ts";
import { fixed, variadic } from "./define.ts";

const int64 = (value: bigint): Int => new Int(wrapped(value), "int64");
const onInteger = (change: (value: bigint) => bigint): TemplateFunction =>
  fixed(["interface {}"], ([value]) => int64(change(toInteger(value))));
const onTwo = (change: (one: bigint, other: bigint) => bigint): TemplateFunction =>
  fixed(["interface {}", "interface {}"], ([one, other]) => int64(change(toInteger(one), toInteger(other))));
const folded = (change: (one: bigint, other: bigint) => bigint): TemplateFunction =>
  variadic(["interface {}"], "interface {}", ([first, ...others]) =>
    int64(others.reduce<bigint>((sum, value) => wrapped(change(sum, toInteger(value))), toInteger(first))),
  );

function divisor(value: bigint): bigint {
  if (value === 0n) throw new FunctionFault("runtime error: integer divide by zero");
  return value;
}

/** Numbers from one to another, the other left out. */
function steps(start: bigint, stop: bigint, step: bigint, { budget }: Call): readonly bigint[] {
  const counts = stop < start ? step < 0n : step > 0n;
  if (!counts) return [];
  const distance = stop < start ? start - stop : stop - start;
  const size = step < 0n ? -step : step;
  const length = (distance + size - 1n) / size;
  budget.items(length);
  return Array.from({ length: Number(length) }, (_, index) => start + step * BigInt(index));
}
const ints = (values: readonly bigint[]): List =>
  List.appended(
    values.map((value) => new Int(value)),
    "int",
  );

function sequence(parameters: readonly bigint[], call: Call): string {
  if (parameters.length === 0 || parameters.length > 3) return "";
  const start = parameters.length === 1 ? 1n : (parameters[0] ?? 0n);
  const end = parameters.at(-1) ?? 0n;
  const increment = end < start ? -1n : 1n;
  const step = parameters.length === 3 ? (parameters[1] ?? 0n) : increment;
  if (parameters.length === 3 && end < start && step > 0n) return "";
  return steps(start, end + increment, step, call).join(" ");
}

/** The digits after the point that a division gives. */
const PRECISION = 16;
const scaled = ({ whole, exponent }: Decimal, to: number): bigint => whole * 10n ** BigInt(exponent - to);

const added = (one: Decimal, other: Decimal): Decimal => {
  const exponent = Math.min(one.exponent, other.exponent);
  return { whole: scaled(one, exponent) + scaled(other, exponent), exponent };
};
const negated = ({ whole, exponent }: Decimal): Decimal => ({ whole: -whole, exponent });
const multiplied = (one: Decimal, other: Decimal): Decimal => ({
  whole: one.whole * other.whole,
  exponent: one.exponent + other.exponent,
});
function divided(one: Decimal, other: Decimal): Decimal {
  if (other.whole === 0n) throw new FunctionFault("decimal division by 0");
  const shift = one.exponent - other.exponent + PRECISION;
  const top = shift >= 0 ? one.whole * 10n ** BigInt(shift) : one.whole;
  const bottom = shift >= 0 ? other.whole : other.whole * 10n ** BigInt(-shift);
  const quotient = top / bottom;
  const rest = top % bottom;
  const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
  const away = 2n * magnitude(rest) >= magnitude(bottom);
  const sign = top < 0n === bottom < 0n ? 1n : -1n;
  return { whole: away ? quotient + sign : quotient, exponent: -PRECISION };
}

/** A decimal of a number that has one. */
function decimal(value: Value, { budget }: Call): Decimal {
  const number = toFloat(value);
  if (!Number.isFinite(number)) throw new FunctionFault(`Cannot create a Decimal from ${number}`);
  budget.step();
  return decimalOf(number);
}
const decimals = (change: (one: Decimal, other: Decimal) => Decimal): TemplateFunction =>
  variadic(["interface {}"], "interface {}", ([first, ...others], call) =>
    floatOf(
      others.reduce<Decimal>(
        (sum, value) => bounded(change(sum, decimal(value, call))),
        decimal(first, call),
      ),
    ),
  );
/** More digits than that change no float64. */
const MOST_DIGITS = 2000;
function bounded(value: Decimal): Decimal {
  const digits = String(value.whole).length;
  if (digits <= MOST_DIGITS) return value;
  const cut = digits - MOST_DIGITS;
  return { whole: value.whole / 10n ** BigInt(cut), exponent: value.exponent + cut };
}

const extreme = (better: (one: bigint, other: bigint) => boolean): TemplateFunction =>
  folded((one, other) => (better(other, one) ? other : one));
const extremeFloat = (choose: (one: number, other: number) => number): TemplateFunction =>
  variadic(["interface {}"], "interface {}", ([first, ...others]) =>
    others.reduce<number>((best, value) => choose(best, toFloat(value)), toFloat(first)),
  );
const max = extreme((one, other) => one > other);

function rounded(value: number, places: number, from: number): number {
  const power = 10 ** places;
  const digit = power * value;
  const fraction = digit - Math.trunc(digit);
  return (fraction >= from ? Math.ceil(digit) : Math.floor(digit)) / power;
}

function octal(value: Value, { budget }: Call): bigint {
  const text = typeof value === "string" ? value : sprint([value], budget);
  if (!/^[+-]?[0-7]{1,100}$/.test(text)) return 0n;
  const parsed = BigInt(`0o${text.replace(/^[+-]/, "")}`);
  const signed = text.startsWith("-") ? -parsed : parsed;
  return signed === wrapped(signed) ? signed : 0n;
}

/** A whole decimal number that fits; 0 where it does not. */
function atoi(text: string): bigint {
  if (!/^[+-]?[0-9]{1,30}$/.test(text)) return 0n;
  const value = BigInt(text.replace(/^\+/, ""));
  return value === wrapped(value) ? value : value < 0n ? wrapped(1n << 63n) : (1n << 63n) - 1n;
}

/** Functions on numbers. */
export const numbers: Functions = {
  int: fixed(["interface {}"], ([value]) => new Int(toInteger(value), "int")),
  int64: onInteger((value) => value),
  float64: fixed(["interface {}"], ([value]) => toFloat(value)),
  atoi: fixed(["string"], ([text]) => new Int(atoi(text))),
  toDecimal: fixed(["interface {}"], ([value], call) => int64(octal(value, call))),
  add: variadic([], "interface {}", (values) =>
    int64(values.reduce<bigint>((sum, value) => sum + toInteger(value), 0n)),
  ),
  add1: onInteger((value) => value + 1n),
  sub: onTwo((one, other) => one - other),
  mul: folded((one, other) => one * other),
  div: onTwo((one, other) => one / divisor(other)),
  mod: onTwo((one, other) => one % divisor(other)),
  max,
  biggest: max,
  min: extreme((one, other) => one < other),
  addf: variadic([], "interface {}", (values, call) =>
    floatOf(
      values.reduce<Decimal>((sum, value) => bounded(added(sum, decimal(value, call))), {
        whole: 0n,
        exponent: 0,
      }),
    ),
  ),
  add1f: fixed(["interface {}"], ([value], call) =>
    floatOf(added(decimal(value, call), { whole: 1n, exponent: 0 })),
  ),
  subf: decimals((one, other) => added(one, negated(other))),
  mulf: decimals(multiplied),
  divf: decimals(divided),
  maxf: extremeFloat(Math.max),
  minf: extremeFloat(Math.min),
  ceil: fixed(["interface {}"], ([value]) => Math.ceil(toFloat(value))),
  floor: fixed(["interface {}"], ([value]) => Math.floor(toFloat(value))),
  round: variadic(["interface {}", "int"], "float64", ([value, places, from = 0.5]) =>
    rounded(toFloat(value), Number(places.value), from),
  ),
  until: fixed(["int"], ([{ value }], call) => ints(steps(0n, value, value < 0n ? -1n : 1n, call))),
  untilStep: fixed(["int", "int", "int"], ([start, stop, step], call) =>
    ints(steps(start.value, stop.value, step.value, call)),
  ),
  seq: variadic([], "int", (values, call) =>
    sequence(
      values.map(({ value }) => value),
      call,
    ),
  ),
};
