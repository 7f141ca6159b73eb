import { bytesOf, textOf } from "./bytes.ts";
import { appendedTo } from "./capacity.ts";
import type { Budget } from "./limits.ts";

/** Go's names of the kinds of integers. */
export type IntType = "int" | "int64" | "int32" | "uint8" | "uint32" | "uint64";

/** An integer of one of Go's kinds. (Floating-point numbers are JavaScript's own.) */
export class Int {
  readonly value: bigint;
  readonly type: IntType;
  constructor(value: bigint | number, type: IntType = "int") {
    this.value = typeof value === "bigint" ? value : BigInt(value);
    this.type = type;
  }
}

/** A complex number: templates may write them, no function takes them. */
export class Complex {
  readonly real: number;
  readonly imaginary: number;
  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** The types of items, in Go's words. */
export type ItemType = "interface {}" | "string" | "int" | "[]interface {}";

/** The bytes of an item, by its type. */
const ITEM_SIZES: Readonly<Record<ItemType, number>> = {
  "interface {}": 16,
  string: 16,
  int: 8,
  "[]interface {}": 24,
};

/** A slice. Nothing changes one that is made, but for `sortAlpha` of text. */
export class List {
  #items: readonly Value[];
  readonly of: ItemType;
  /** True for Go's nil slice: empty too, but `null` in JSON. */
  readonly isNil: boolean;
  /** The items that lie behind the last one, or how many zero values do: `slice` can reach them. */
  readonly #behind: readonly Value[] | number;
  constructor(
    items: readonly Value[],
    of: ItemType = "interface {}",
    isNil = false,
    behind: readonly Value[] | number = 0,
  ) {
    this.#items = items;
    this.of = of;
    this.isNil = isNil;
    this.#behind = behind;
  }

  /** A list to which the items were appended one by one, beginning with a capacity. */
  static appended(items: readonly Value[], of: ItemType = "interface {}", isNil = false, capacity = 0): List {
    return new List(items, of, isNil, appendedTo(items.length, ITEM_SIZES[of], capacity) - items.length);
  }

  get items(): readonly Value[] {
    return this.#items;
  }

  /** Go's name of its type. A subclass gives the one of a type that has a name. */
  get type(): string {
    return `[]${this.of}`;
  }

  /** A method of a type that has a name; undefined where there is none. */
  method(_name: string): TemplateFunction | undefined {
    return undefined;
  }

  /** The number of items that `slice` can reach. */
  get capacity(): number {
    return this.#items.length + (typeof this.#behind === "number" ? this.#behind : this.#behind.length);
  }

  /** The items from one place up to another, which may lie behind the last one, but not beyond the capacity. */
  slice(from: number, to: number): List {
    const all = [
      ...this.#items,
      ...(typeof this.#behind === "number" ? this.#zeros(this.#behind) : this.#behind),
    ];
    return new List(all.slice(from, to), this.of, false, all.slice(to));
  }

  #zeros(count: number): readonly Value[] {
    const zero = {
      "interface {}": null,
      string: "",
      int: new Int(0),
      "[]interface {}": new List([], "interface {}", true),
    };
    return Array.from({ length: count }, () => zero[this.of]);
  }

  /** Puts text into byte order, here and wherever else this list is held: as Go sorts in place. */
  sort(): void {
    this.#items = this.#items.toSorted((one, other) => byteOrder(String(one), String(other)));
  }
}

/** A map with text as keys. `set`, `unset` and `merge` change it in place, as in Go. */
export class Dict {
  readonly entries: Map<string, Value>;
  readonly of: "interface {}" | "string";
  readonly isNil: boolean;
  constructor(
    entries: Map<string, Value> | Iterable<readonly [string, Value]> = [],
    of: "interface {}" | "string" = "interface {}",
    isNil = false,
  ) {
    this.entries = entries instanceof Map ? entries : new Map(entries);
    this.of = of;
    this.isNil = isNil;
  }

  /** Go's name of its type. A subclass gives the one of a type that has a name. */
  get type(): string {
    return `map[string]${this.of}`;
  }

  /** A method of a type that has a name, which goes before an entry; undefined where there is none. */
  method(_name: string): TemplateFunction | undefined {
    return undefined;
  }

  /** The keys in byte order, which is the order in which templates see them. */
  sortedKeys(): readonly string[] {
    return [...this.entries.keys()].sort(byteOrder);
  }
}

/** The order of byte strings. */
export const byteOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The type of a parameter, in Go's words; `value` takes anything and tells no value from nil. */
export type ParameterType =
  | "value"
  | "interface {}"
  | "string"
  | "bool"
  | "int"
  | "int64"
  | "uint32"
  | "float64"
  | "[]interface {}"
  | "map[string]interface {}"
  | "time.Time";

/** The surroundings of a call. */
export interface Call {
  readonly budget: Budget;
  /** The name that the template wrote. */
  readonly name: string;
  /** Renders one of the templates that are defined beside the running one, as `include` does. */
  render(template: string, data: Value): string;
  /** Reads a text as a template of this name, which may call all those that the running one may, and renders it. @throws TemplateError */
  renderText(name: string, text: string, data: Value): string;
}

/** A function of a template. It is handed as many arguments of such types as it says; text is bytes, one character each. */
export interface TemplateFunction {
  readonly takes: readonly ParameterType[];
  /** The type of any number of arguments after those. */
  readonly rest?: ParameterType;
  /** For `and` and `or`: arguments are evaluated one by one, and the first that is as true as this is the answer; `run` is not called. */
  readonly lazy?: boolean;
  /** @throws FunctionFault where it refuses them. */
  run(args: readonly Value[], call: Call): Value;
}

/** A value with methods or fields of its own, like a parsed version. Subclass it for objects that a caller hands in. */
export abstract class TemplateObject {
  /** Go's name of its type, as `typeOf` prints it. */
  abstract readonly type: string;
  /** Go's name of its kind, as `kindOf` prints it. */
  abstract readonly kind: "ptr" | "struct";
  /** A field's value, or a method, which is called where it is named; undefined where there is none. */
  abstract member(
    name: string,
  ): { readonly value: Value } | { readonly method: TemplateFunction } | undefined;
  /** The text that is printed for it. */
  abstract toString(): string;
  /** The fields of the struct behind it, which Go prints where no verb asks for its text; undefined where they are not shown. */
  fields(): readonly (readonly [name: string, value: Value])[] | undefined {
    return undefined;
  }
  /** True for an object of the same content. */
  isEqual(other: TemplateObject): boolean {
    return this === other;
  }
  /** The object that `deepCopy` makes of it. */
  copied(): TemplateObject {
    return this;
  }
}

/**
 * A value in a template. `undefined` is no value at all, `null` an interface that holds none: what templates see differs only
 * where a field of it is asked for.
 */
export type Value =
  | undefined
  | null
  | boolean
  | string
  | number
  | Int
  | Complex
  | List
  | Dict
  | TemplateObject;

/** The data that a caller may hand in: JSON, big integers (int64), and the values of this module as they are. */
export type Data =
  | Value
  | bigint
  | readonly Data[]
  | { readonly [key: string]: Data }
  | ReadonlyMap<string, Data>;

/** The value of data: text as bytes, numbers as float64, arrays and objects as lists and maps. */
export function toValue(data: Data): Value {
  switch (typeof data) {
    case "string":
      return bytesOf(data);
    case "bigint":
      return new Int(data, "int64");
    case "object":
      break;
    default:
      return data;
  }
  if (data === null) return null;
  if (Array.isArray(data)) return List.appended(data.map((item: Data) => toValue(item) ?? null));
  if (
    data instanceof Int ||
    data instanceof Complex ||
    data instanceof List ||
    data instanceof Dict ||
    data instanceof TemplateObject
  )
    return data;
  const pairs = data instanceof Map ? [...(data as ReadonlyMap<string, Data>)] : Object.entries(data);
  return new Dict(new Map(pairs.map(([key, value]) => [bytesOf(key), toValue(value) ?? null])));
}

/** Go's `map[string]string`, whose absent keys are empty text. */
export const textMap = (entries: Readonly<Record<string, string>>): Dict =>
  new Dict(
    Object.entries(entries).map(([key, value]) => [bytesOf(key), bytesOf(value)]),
    "string",
  );

/** The way back: text, numbers (a bigint where an integer is beyond 2^53), arrays, objects. */
export function dataOf(value: Value): unknown {
  if (typeof value === "string") return textOf(value);
  if (value instanceof Int) {
    const number = Number(value.value);
    return Number.isSafeInteger(number) ? number : value.value;
  }
  if (value instanceof List) return value.isNil ? null : value.items.map(dataOf);
  if (value instanceof Dict)
    return Object.fromEntries([...value.entries].map(([key, item]) => [textOf(key), dataOf(item)]));
  return value ?? null;
}

/** Go's name of a value's type: `int64`, `[]interface {}`, `<nil>`. */
export function typeOf(value: Value): string {
  if (value === undefined || value === null) return "<nil>";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "float64";
  if (value instanceof Int) return value.type;
  if (value instanceof Complex) return "complex128";
  return value.type;
}

/** Go's name of a value's kind: `int64`, `slice`, `map`, `invalid`. */
export function kindOf(value: Value): string {
  if (value === undefined || value === null) return "invalid";
  if (value instanceof List) return "slice";
  if (value instanceof Dict) return "map";
  return value instanceof TemplateObject ? value.kind : typeOf(value);
}

/** True for what `if` takes as true: not empty, not zero, not nil. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value.length > 0;
  // What is no number is not zero.
  if (typeof value === "number") return value !== 0;
  if (value instanceof Int) return value.value !== 0n;
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  if (value instanceof List) return value.items.length > 0;
  if (value instanceof Dict) return value.entries.size > 0;
  return true;
}
