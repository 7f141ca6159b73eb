import { FunctionFault } from "../errors.ts";
import type { Call, ParameterType, TemplateFunction } from "../function.ts";
import { defaultForm } from "../print.ts";
import { type Dict, type Int, kindOf, List, TemplateObject, type Value } from "../values.ts";

/** The value of an argument of a type: the evaluator has checked it. */
type ArgumentOf<T extends ParameterType> = T extends "string"
  ? string
  : T extends "bool"
    ? boolean
    : T extends "float64"
      ? number
      : T extends "int" | "int64" | "uint32"
        ? Int
        : T extends "map[string]interface {}"
          ? Dict
          : T extends "[]interface {}"
            ? List
            : Value;
type Arguments<T extends readonly ParameterType[]> = { readonly [K in keyof T]: ArgumentOf<T[K]> };

/** A function of so many arguments. */
export const fixed = <const T extends readonly ParameterType[]>(
  takes: T,
  run: (values: Arguments<T>, call: Call) => Value,
): TemplateFunction => ({ takes, run });

/** A function that takes any number of arguments after those. */
export const variadic = <const T extends readonly ParameterType[], R extends ParameterType>(
  takes: T,
  rest: R,
  run: (values: readonly [...Arguments<T>, ...ArgumentOf<R>[]], call: Call) => Value,
): TemplateFunction => ({ takes, rest, run });

/** A function of one text that gives a text. */
export const onText = (change: (text: string) => string): TemplateFunction =>
  fixed(["string"], ([text]) => change(text));

/** The function itself, and under `must…`, where an error ends the rendering as well. */
export const alsoMust = <Name extends string>(
  name: Name,
  defined: TemplateFunction,
): Readonly<Record<string, TemplateFunction>> => ({
  [name]: defined,
  [`must${name.slice(0, 1).toUpperCase()}${name.slice(1)}`]: defined,
});

/** The text of any value, as most functions want it. */
export const textFrom = (value: Value, { budget }: Call): string =>
  typeof value === "string"
    ? value
    : value instanceof TemplateObject
      ? value.toString()
      : defaultForm(value, budget);

/** Accounts for a walk over so many items. */
const PER_STEP = 8;
/** The items of a list. @throws FunctionFault where it is none. */
export function itemsOf(value: Value, doing: string, { budget }: Call): readonly Value[] {
  if (!(value instanceof List)) throw new FunctionFault(`Cannot ${doing} type ${kindOf(value)}`);
  budget.step(Math.ceil(value.items.length / PER_STEP));
  return value.items;
}

/** The text of each item that is not nil; one item, or none, where it is no list. */
export function textsOf(value: Value, call: Call): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!(value instanceof List)) return [textFrom(value, call)];
  return itemsOf(value, "list", call).flatMap((item) =>
    item === undefined || item === null ? [] : [textFrom(item, call)],
  );
}

/** Go's `[]string`. */
export const textList = (texts: readonly string[]): List => new List(texts, "string");

/** Refuses a count below zero. */
export function count(value: Int): number {
  if (value.value < 0n) throw new FunctionFault("strings: negative Repeat count");
  return Number(value.value);
}
