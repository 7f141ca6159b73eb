import { bytesOf, bytesOfRune, isPrintable, REPLACEMENT, runeAt } from "./bytes.ts";
import { equal, less } from "./compare.ts";
import { FunctionFault } from "./errors.ts";
import type { Call, Functions, TemplateFunction } from "./function.ts";
import { displayed, sprint, sprintln } from "./print.ts";
import { sprintf } from "./printf.ts";
import { Dict, Int, isTrue, List, typeOf, type Value } from "./values.ts";

/** The place that an index names. */
function placeOf(index: Value, most: number): number {
  if (index === undefined || index === null) throw new FunctionFault("cannot index slice/array with nil");
  if (!(index instanceof Int)) throw new FunctionFault(`cannot index slice/array with type ${typeOf(index)}`);
  if (index.value < 0n || index.value > BigInt(most))
    throw new FunctionFault(`index out of range: ${index.value}`);
  return Number(index.value);
}

function indexed(item: Value, index: Value): Value {
  if (item === undefined || item === null) throw new FunctionFault("index of nil pointer");
  if (item instanceof Dict) {
    if (typeof index !== "string")
      throw new FunctionFault(
        index === undefined || index === null
          ? "value is nil; should be of type string"
          : `value has type ${typeOf(index)}; should be string`,
      );
    return item.entries.get(index) ?? (item.of === "string" ? "" : null);
  }
  const isText = typeof item === "string";
  if (!isText && !(item instanceof List)) throw new FunctionFault(`can't index item of type ${typeOf(item)}`);
  const length = isText ? item.length : item.items.length;
  const at = placeOf(index, length);
  if (at >= length) throw new FunctionFault(`reflect: ${isText ? "string" : "slice"} index out of range`);
  return isText ? new Int(item.charCodeAt(at), "uint8") : item.items[at];
}

function sliced(item: Value, indexes: readonly Value[]): Value {
  if (item === undefined || item === null) throw new FunctionFault("slice of untyped nil");
  if (indexes.length > 3) throw new FunctionFault(`too many slice indexes: ${indexes.length}`);
  const isText = typeof item === "string";
  if (!isText && !(item instanceof List)) throw new FunctionFault(`can't slice item of type ${typeOf(item)}`);
  if (isText && indexes.length === 3) throw new FunctionFault("cannot 3-index slice a string");
  const length = isText ? item.length : item.items.length;
  const reach = isText ? length : item.capacity;
  const [from = 0, to = length, most = reach] = indexes.map((index) => placeOf(index, reach));
  if (from > to) throw new FunctionFault(`invalid slice index: ${from} > ${to}`);
  if (to > most) throw new FunctionFault(`invalid slice index: ${to} > ${most}`);
  return isText ? item.slice(from, to) : item.slice(from, to);
}

function lengthOf(item: Value): Int {
  if (typeof item === "string") return new Int(item.length);
  if (item instanceof List) return new Int(item.items.length);
  if (item instanceof Dict) return new Int(item.entries.size);
  throw new FunctionFault(
    item === undefined || item === null ? "len of nil pointer" : `len of type ${typeOf(item)}`,
  );
}

/** The text that an escaping function works on. */
function joined(values: readonly Value[], { budget }: Call): string {
  const [only] = values;
  if (values.length === 1 && typeof only === "string") return only;
  const shown = values.map((value) =>
    value === null || value === undefined ? displayed(value, budget) : value,
  );
  return sprint(shown, budget);
}

const HTML: Readonly<Record<string, string>> = {
  "\0": bytesOf("\ufffd"),
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};
const html = (text: string): string =>
  text.replace(/[\0"'&<>]/g, (character) => HTML[character] ?? character);

const JS: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", '"': '\\"' };
const upperHex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, "0");

function js(text: string): string {
  let escaped = "";
  for (let at = 0; at < text.length; ) {
    const { rune, size } = runeAt(text, at);
    const bytes = text.slice(at, at + size);
    at += size;
    if (rune >= 0x80)
      escaped += isPrintable(rune)
        ? rune === REPLACEMENT && size === 1
          ? bytes
          : bytesOfRune(rune)
        : `\\u${upperHex(rune, 4)}`;
    else if (JS[bytes] !== undefined) escaped += JS[bytes];
    else escaped += rune < 0x20 || "<>&=".includes(bytes) ? `\\u00${upperHex(rune, 2)}` : bytes;
  }
  return escaped;
}

/** A query's part of a URL. */
const urlQuery = (text: string): string =>
  text.replace(/[^A-Za-z0-9_.~-]/g, (byte) => (byte === " " ? "+" : `%${upperHex(byte.charCodeAt(0), 2)}`));

const text = (write: (values: readonly Value[], call: Call) => string): TemplateFunction => ({
  takes: [],
  rest: "interface {}",
  run: write,
});
const comparison = (compare: (one: Value, other: Value) => boolean): TemplateFunction => ({
  takes: ["value", "value"],
  run: ([one, other]) => compare(one, other),
});
const lazy = (stopsAt: boolean): TemplateFunction => ({
  takes: ["value"],
  rest: "value",
  lazy: stopsAt,
  run: (values) => values.find((value) => isTrue(value) === stopsAt) ?? values.at(-1),
});

/** The functions that Go's templates have by themselves. */
export const builtins: Functions = {
  and: lazy(false),
  or: lazy(true),
  not: { takes: ["value"], run: ([value]) => !isTrue(value) },
  call: {
    takes: ["value"],
    rest: "value",
    run: ([value]) => {
      // No value of a template is a function.
      throw new FunctionFault(value === undefined ? "call of nil" : `non-function of type ${typeOf(value)}`);
    },
  },
  html: text((values, call) => html(joined(values, call))),
  js: text((values, call) => js(joined(values, call))),
  urlquery: text((values, call) => urlQuery(joined(values, call))),
  index: {
    takes: ["value"],
    rest: "value",
    run: ([item, ...indexes]) => {
      if (item === undefined || item === null) throw new FunctionFault("index of untyped nil");
      return indexes.reduce<Value>(indexed, item);
    },
  },
  slice: { takes: ["value"], rest: "value", run: ([item, ...indexes]) => sliced(item, indexes) },
  len: { takes: ["value"], run: ([item]) => lengthOf(item) },
  print: text((values, { budget }) => sprint(values, budget)),
  println: text((values, { budget }) => sprintln(values, budget)),
  printf: {
    takes: ["string"],
    rest: "interface {}",
    run: ([format, ...values], { budget }) =>
      sprintf(typeof format === "string" ? format : "", values, budget),
  },
  eq: { takes: ["value"], rest: "value", run: ([one, ...others]) => equal(one, others) },
  ne: comparison((one, other) => !equal(one, [other])),
  lt: comparison(less),
  le: comparison((one, other) => less(one, other) || equal(one, [other])),
  gt: comparison((one, other) => !(less(one, other) || equal(one, [other]))),
  ge: comparison((one, other) => !less(one, other)),
};
