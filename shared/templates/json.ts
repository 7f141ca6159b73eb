import { bytesOf, runeAt, textOf } from "./bytes.ts";
import { FunctionFault } from "./errors.ts";
import { formatFloat } from "./floats.ts";
import type { Budget } from "./limits.ts";
import { Complex, type Data, Int, List, TemplateObject, toValue, type Value } from "./values.ts";

/** The form of JSON. */
export interface JsonOptions {
  /** True for `<`, `>` and `&` as escapes, which is Go's way unless it is told otherwise. */
  readonly escapesHtml: boolean;
  /** One level of indentation; absent: all on one line. */
  readonly indent?: string;
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
const hex = (rune: number): string => `\\u${rune.toString(16).padStart(4, "0")}`;

/** Text in quotes; broken bytes become U+FFFD. */
export function jsonText(bytes: string, escapesHtml: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON must escape.
  if (!/["\\<>&\x00-\x1f\x80-\xff]/.test(bytes)) return `"${bytes}"`;
  let text = '"';
  for (let at = 0; at < bytes.length; ) {
    const { rune, size } = runeAt(bytes, at);
    const character = bytes.slice(at, at + size);
    at += size;
    if (rune === 0xfffd && size === 1) text += "\\ufffd";
    else if (rune === 0x2028 || rune === 0x2029 || rune < 0x20) text += SHORT[character] ?? hex(rune);
    else if (escapesHtml && (rune === 0x3c || rune === 0x3e || rune === 0x26)) text += hex(rune);
    else text += SHORT[character] ?? character;
  }
  return `${text}"`;
}

/** A float64 as JSON has it. @throws FunctionFault where it has none */
export function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new FunctionFault(`json: unsupported value: ${formatFloat(value)}`);
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-6 && size < 1e21)) return formatFloat(value, "f");
  return formatFloat(value, "e").replace(/e-0(\d)$/, "e-$1");
}

class Writer {
  readonly #options: JsonOptions;
  readonly #budget: Budget;
  readonly #parts: string[] = [];

  constructor(options: JsonOptions, budget: Budget) {
    this.#options = options;
    this.#budget = budget;
  }

  get text(): string {
    return this.#parts.join("");
  }

  #write(text: string): void {
    this.#budget.bytes(text.length);
    this.#parts.push(text);
  }

  value(value: Value, depth: number): void {
    this.#budget.within(depth);
    if (value === undefined || value === null) this.#write("null");
    else if (typeof value === "string") this.#write(jsonText(value, this.#options.escapesHtml));
    else if (typeof value === "boolean") this.#write(String(value));
    else if (typeof value === "number") this.#write(jsonNumber(value));
    else if (value instanceof Int) this.#write(String(value.value));
    else if (value instanceof Complex) throw new FunctionFault("json: unsupported type: complex128");
    else if (value instanceof TemplateObject)
      this.#write(jsonText(value.toString(), this.#options.escapesHtml));
    else if (value.isNil) this.#write("null");
    else if (value instanceof List)
      this.#inBrackets("[", "]", value.items, depth, (item) => this.value(item, depth + 1));
    else
      this.#inBrackets("{", "}", value.sortedKeys(), depth, (key) => {
        this.#write(
          `${jsonText(key, this.#options.escapesHtml)}:${this.#options.indent === undefined ? "" : " "}`,
        );
        this.value(value.entries.get(key), depth + 1);
      });
  }

  #inBrackets<T>(
    open: string,
    close: string,
    items: readonly T[],
    depth: number,
    write: (item: T) => void,
  ): void {
    const { indent } = this.#options;
    this.#write(open);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#write(",");
      if (indent !== undefined) this.#write(`\n${indent.repeat(depth + 1)}`);
      write(item);
    }
    if (items.length > 0 && indent !== undefined) this.#write(`\n${indent.repeat(depth)}`);
    this.#write(close);
  }
}

/** JSON as Go writes it, keys in byte order. @throws FunctionFault for what JSON cannot say */
export function toJson(value: Value, options: JsonOptions, budget: Budget): string {
  const writer = new Writer(options, budget);
  writer.value(value, 0);
  return writer.text;
}

/** The value of a JSON text: numbers are float64. @throws FunctionFault */
export function fromJson(bytes: string, budget: Budget): Value {
  budget.step(bytes.length);
  let data: Data;
  try {
    data = JSON.parse(textOf(bytes), (_, item: Data) => {
      if (typeof item === "number" && !Number.isFinite(item))
        throw new SyntaxError("a number is out of range");
      return typeof item === "string" ? item.toWellFormed() : item;
    }) as Data;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new FunctionFault(bytesOf(cause.message), { cause });
  }
  return toValue(data) ?? null;
}
