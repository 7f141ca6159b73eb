import { isUtf8 } from "node:buffer";
import { bytesOfRune, isPrintable, runeAt, runeCount } from "./bytes.ts";
import { type FloatForm, formatFloat } from "./floats.ts";
import type { Budget } from "./limits.ts";
import { quote, quoteRune } from "./quote.ts";
import { Complex, Dict, Int, List, type TemplateObject, typeOf, type Value } from "./values.ts";

/** The flags of one verb of a format. */
export interface Flags {
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%#v`: as Go source. */
  sharpV: boolean;
  width: number | undefined;
  precision: number | undefined;
}

/** The flags of a verb that has none. */
export const noFlags = (): Flags => ({
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
});

const FLOAT_FORMS: Readonly<Record<string, { readonly form: FloatForm; readonly precision: number }>> = {
  v: { form: "g", precision: -1 },
  b: { form: "b", precision: -1 },
  g: { form: "g", precision: -1 },
  G: { form: "g", precision: -1 },
  x: { form: "x", precision: -1 },
  X: { form: "x", precision: -1 },
  f: { form: "f", precision: 6 },
  F: { form: "f", precision: 6 },
  e: { form: "e", precision: 6 },
  E: { form: "e", precision: 6 },
};
const BASES: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };
const MOST_RUNE = 0x10ffffn;

/** Prints values as Go's fmt does. */
export class Printer {
  readonly #budget: Budget;
  readonly #parts: string[] = [];
  #flags: Flags = noFlags();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** All that was printed, in bytes. */
  get text(): string {
    return this.#parts.join("");
  }

  write(text: string): void {
    this.#budget.bytes(text.length);
    this.#parts.push(text);
  }

  /** One argument by a verb and its flags. */
  argument(value: Value, verb: string, flags: Flags = noFlags()): void {
    this.#flags = flags;
    if (value === undefined || value === null) {
      if (verb === "T" || verb === "v") this.#pad("<nil>");
      else this.#badVerb(value, verb);
    } else if (verb === "T") this.#text(typeOf(value));
    else this.#value(value, verb, 0);
  }

  #value(value: Value, verb: string, depth: number): void {
    this.#budget.within(depth);
    if (value === undefined || value === null) {
      this.write(this.#flags.sharpV ? "interface {}(nil)" : "<nil>");
    } else if (typeof value === "string") this.#string(value, verb);
    else if (typeof value === "boolean") {
      if (verb === "t" || verb === "v") this.#pad(String(value));
      else this.#badVerb(value, verb);
    } else if (typeof value === "number") this.#float(value, verb, value);
    else if (value instanceof Int) this.#integer(value, verb);
    else if (value instanceof Complex) this.#complex(value, verb);
    else if (value instanceof List) this.#list(value, verb, depth);
    else if (value instanceof Dict) this.#dict(value, verb, depth);
    else this.#object(value, verb, depth);
  }

  #object(value: TemplateObject, verb: string, depth: number): void {
    const { sharpV } = this.#flags;
    const fields = value.fields();
    // Deeper down Go prints its address, which is another one each time.
    if (fields !== undefined && depth === 0 && (sharpV || !"vsxXqp".includes(verb)))
      this.#struct(value.type, fields, verb);
    else if ("vsxXq".includes(verb)) this.#string(value.toString(), verb);
    else this.#badVerb(value, verb);
  }

  #struct(type: string, fields: readonly (readonly [name: string, value: Value])[], verb: string): void {
    const { sharpV } = this.#flags;
    this.write(sharpV ? `&${type.replace(/^\*/, "")}{` : "&{");
    for (const [index, [name, field]] of fields.entries()) {
      if (index > 0) this.write(sharpV ? ", " : " ");
      if (sharpV) this.write(`${name}:`);
      this.#item(field, verb, 0);
    }
    this.write("}");
  }

  #list({ items, of, isNil }: List, verb: string, depth: number): void {
    const { sharpV } = this.#flags;
    if (sharpV) this.write(`[]${of}`);
    if (sharpV && isNil) {
      this.write("(nil)");
      return;
    }
    this.write(sharpV ? "{" : "[");
    for (const [index, item] of items.entries()) {
      if (index > 0) this.write(sharpV ? ", " : " ");
      this.#item(item, verb, depth);
    }
    this.write(sharpV ? "}" : "]");
  }

  #dict(dict: Dict, verb: string, depth: number): void {
    const { sharpV } = this.#flags;
    this.write(sharpV ? `map[string]${dict.of}` : "map[");
    if (sharpV && dict.isNil) {
      this.write("(nil)");
      return;
    }
    if (sharpV) this.write("{");
    for (const [index, key] of dict.sortedKeys().entries()) {
      if (index > 0) this.write(sharpV ? ", " : " ");
      this.#value(key, verb, depth + 1);
      this.write(":");
      this.#item(dict.entries.get(key), verb, depth);
    }
    this.write(sharpV ? "}" : "]");
  }

  /** An item of a list or map: nothing is nothing, by whatever verb. */
  #item(item: Value, verb: string, depth: number): void {
    this.#value(item, verb, depth + 1);
  }

  /** Go's remark where a verb does not suit a value. */
  #badVerb(value: Value, verb: string): void {
    this.write(`%!${verb}(`);
    if (value === undefined || value === null) this.write("<nil>");
    else {
      this.write(`${typeOf(value)}=`);
      this.#value(value, "v", 0);
    }
    this.write(")");
  }

  #pad(text: string): void {
    const { width, minus, zero } = this.#flags;
    const missing = width === undefined ? 0 : width - runeCount(text);
    if (missing <= 0) {
      this.write(text);
      return;
    }
    this.#budget.bytes(missing);
    this.write(minus ? text + " ".repeat(missing) : (zero ? "0" : " ").repeat(missing) + text);
  }

  #padWithSpaces(text: string): void {
    const { zero } = this.#flags;
    this.#flags.zero = false;
    this.#pad(text);
    this.#flags.zero = zero;
  }

  /** The first characters, as many as the precision says. */
  #cut(text: string): string {
    const { precision } = this.#flags;
    if (precision === undefined || text.length <= precision) return text;
    let at = 0;
    for (let count = 0; count < precision && at < text.length; count += 1) at += runeAt(text, at).size;
    return text.slice(0, at);
  }

  #text(text: string): void {
    this.#pad(this.#cut(text));
  }

  #string(value: string, verb: string): void {
    const { sharp, sharpV, plus } = this.#flags;
    if (verb === "s" || (verb === "v" && !sharpV)) this.#text(value);
    else if (verb === "q" || verb === "v") {
      const cut = this.#cut(value);
      const raw = sharp && isRaw(cut);
      this.#pad(raw ? `\`${cut}\`` : quote(cut, plus));
    } else if (verb === "x" || verb === "X") this.#hex(value, verb);
    else this.#badVerb(value, verb);
  }

  #hex(value: string, verb: string): void {
    const { sharp, space, precision } = this.#flags;
    const prefix = sharp ? `0${verb}` : "";
    const bytes = [...value.slice(0, precision)].map((byte) =>
      byte.charCodeAt(0).toString(16).padStart(2, "0"),
    );
    const cased = bytes.map((hex) => (verb === "X" ? hex.toUpperCase() : hex));
    if (cased.length === 0) {
      this.#pad("");
      return;
    }
    this.#pad(space ? cased.map((hex) => prefix + hex).join(" ") : prefix + cased.join(""));
  }

  #integer(int: Int, verb: string): void {
    const { value, type } = int;
    const unsigned = type.startsWith("u");
    const rune = value < 0n || value > MOST_RUNE ? 0xfffd : Number(value);
    if (verb === "c") this.#pad(bytesOfRune(rune));
    else if (verb === "q") this.#pad(quoteRune(rune, this.#flags.plus));
    else if (verb === "U") this.#unicode(value);
    else if (verb === "v" && this.#flags.sharpV && unsigned) this.#pad(`0x${value.toString(16)}`);
    else if (verb in BASES) this.#digits(value, verb);
    else this.#badVerb(int, verb);
  }

  #digits(value: bigint, verb: string): void {
    const { plus, minus, space, sharp, zero, width, precision } = this.#flags;
    if (precision === 0 && value === 0n) {
      this.#padWithSpaces("");
      return;
    }
    const base = BASES[verb] ?? 10;
    const negative = value < 0n;
    const signed = negative || plus || space;
    const least = precision ?? (zero && !minus && width !== undefined ? width - (signed ? 1 : 0) : 0);
    this.#budget.bytes(least);
    let text = (negative ? -value : value).toString(base).padStart(least, "0");
    if (verb === "X") text = text.toUpperCase();
    if (sharp && base === 2) text = `0b${text}`;
    if (sharp && base === 8 && !text.startsWith("0")) text = `0${text}`;
    if (sharp && base === 16) text = `0${verb === "X" ? "X" : "x"}${text}`;
    if (verb === "O") text = `0o${text}`;
    this.#padWithSpaces((negative ? "-" : plus ? "+" : space ? " " : "") + text);
  }

  #unicode(value: bigint): void {
    const { sharp, precision } = this.#flags;
    const code = BigInt.asUintN(64, value);
    const digits = code
      .toString(16)
      .toUpperCase()
      .padStart(Math.max(4, precision ?? 0), "0");
    const shown =
      sharp && code <= MOST_RUNE && isPrintable(Number(code)) ? ` '${bytesOfRune(Number(code))}'` : "";
    this.#padWithSpaces(`U+${digits}${shown}`);
  }

  #complex(value: Complex, verb: string): void {
    if (!(verb in FLOAT_FORMS)) {
      this.#badVerb(value, verb);
      return;
    }
    const { plus } = this.#flags;
    this.write("(");
    this.#float(value.real, verb, value);
    this.#flags.plus = true;
    this.#float(value.imaginary, verb, value);
    this.#flags.plus = plus;
    this.write("i)");
  }

  #float(value: number, verb: string, whole: Value): void {
    const form = FLOAT_FORMS[verb];
    if (form === undefined) {
      this.#badVerb(whole, verb);
      return;
    }
    const { plus, minus, space, sharp, zero, width } = this.#flags;
    const precision = this.#flags.precision ?? form.precision;
    const formatted = formatFloat(value, form.form, precision);
    const cased = verb === "G" || verb === "E" || verb === "X" ? formatted.toUpperCase() : formatted;
    const unsigned = cased.replace(/^[+-]/, "");
    const negative = cased.startsWith("-");
    const sign = negative ? "-" : plus ? "+" : space ? " " : "";
    if (/^[IN]/.test(unsigned)) {
      const infinite = unsigned.startsWith("I");
      this.#padWithSpaces(
        (infinite && !space ? cased.slice(0, 1) : sign).replace("+", plus ? "+" : infinite ? "+" : "") +
          unsigned,
      );
      return;
    }
    const text = sharp && verb !== "b" ? withPoint(unsigned, verb, precision) : unsigned;
    if (sign !== "" && zero && !minus && width !== undefined && width > text.length + 1) {
      this.#budget.bytes(width);
      this.write(sign + text.padStart(width - 1, "0"));
    } else this.#pad(sign + text);
  }
}

/** True where a raw string can hold these bytes: no back-quote, no control character but the tab, no broken byte. */
function isRaw(bytes: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it cannot hold.
  return !/[`\x00-\x08\x0a-\x1f\x7f]|\xef\xbb\xbf/.test(bytes) && isUtf8(Buffer.from(bytes, "latin1"));
}

/** `%#g`: a point always, and the zeros that `%g` leaves out. */
function withPoint(text: string, verb: string, precision: number): string {
  const [, body = "", tail = ""] = /^([^eEpP]*)(.*)$/.exec(text) ?? [];
  let missing = "vgGx".includes(verb) ? (precision === -1 ? 6 : precision) : 0;
  missing -= body.replace(".", "").replace(/^0+/, "").length;
  if (!body.includes(".") && body === "0") missing -= 1;
  return `${body}${body.includes(".") ? "" : "."}${"0".repeat(Math.max(0, missing))}${tail}`;
}

/** A value as an action prints it. */
export function displayed(value: Value, budget: Budget): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "<no value>";
  return sprint([value], budget);
}

/** The default form of a value, `%v`. */
export function defaultForm(value: Value, budget: Budget): string {
  if (typeof value === "string") return value;
  const printer = new Printer(budget);
  printer.argument(value, "v");
  return printer.text;
}

/** Go's `fmt.Sprint`: a space between two arguments neither of which is text. */
export function sprint(values: readonly Value[], budget: Budget): string {
  const printer = new Printer(budget);
  for (const [index, value] of values.entries()) {
    if (index > 0 && typeof value !== "string" && typeof values[index - 1] !== "string") printer.write(" ");
    printer.argument(value, "v");
  }
  return printer.text;
}

/** Go's `fmt.Sprintln`. */
export function sprintln(values: readonly Value[], budget: Budget): string {
  const printer = new Printer(budget);
  for (const [index, value] of values.entries()) {
    if (index > 0) printer.write(" ");
    printer.argument(value, "v");
  }
  printer.write("\n");
  return printer.text;
}
