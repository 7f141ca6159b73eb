import { runeAt } from "./bytes.ts";
import type { Budget } from "./limits.ts";
import { type Flags, noFlags, Printer } from "./print.ts";
import { Int, typeOf, type Value } from "./values.ts";

/** The largest width or precision. */
const MOST = 1_000_000;

const FLAGS: Readonly<Record<string, "sharp" | "zero" | "plus" | "minus" | "space">> = {
  "#": "sharp",
  "0": "zero",
  "+": "plus",
  "-": "minus",
  " ": "space",
};

/** Goes through one format. */
class Format {
  readonly #format: string;
  readonly #values: readonly Value[];
  readonly #printer: Printer;
  #at = 0;
  #next = 0;
  #reordered = false;
  #good = true;
  #afterIndex = false;

  constructor(format: string, values: readonly Value[], budget: Budget) {
    this.#format = format;
    this.#values = values;
    this.#printer = new Printer(budget);
  }

  text(): string {
    while (this.#at < this.#format.length) {
      const found = this.#format.indexOf("%", this.#at);
      const percent = found < 0 ? this.#format.length : found;
      if (percent > this.#at) this.#printer.write(this.#format.slice(this.#at, percent));
      this.#at = percent + 1;
      if (found >= 0) this.#verb();
    }
    if (!this.#reordered && this.#next < this.#values.length) this.#extra();
    return this.#printer.text;
  }

  #extra(): void {
    this.#printer.write("%!(EXTRA ");
    for (const [index, value] of this.#values.slice(this.#next).entries()) {
      if (index > 0) this.#printer.write(", ");
      if (value === undefined || value === null) this.#printer.write("<nil>");
      else {
        this.#printer.write(`${typeOf(value)}=`);
        this.#printer.argument(value, "v");
      }
    }
    this.#printer.write(")");
  }

  #verb(): void {
    const flags = noFlags();
    this.#good = true;
    this.#afterIndex = false;
    for (let flag = FLAGS[this.#format[this.#at] ?? ""]; flag !== undefined; ) {
      flags[flag] = true;
      this.#at += 1;
      flag = FLAGS[this.#format[this.#at] ?? ""];
    }
    this.#index();
    this.#width(flags);
    this.#precision(flags);
    if (!this.#afterIndex) this.#index();
    if (this.#at >= this.#format.length) {
      this.#printer.write("%!(NOVERB)");
      return;
    }
    const { size } = runeAt(this.#format, this.#at);
    const verb = this.#format.slice(this.#at, this.#at + size);
    this.#at += size;
    this.#print(verb, flags);
  }

  #print(verb: string, flags: Flags): void {
    if (verb === "%") {
      this.#printer.write("%");
      return;
    }
    if (!this.#good) {
      this.#printer.write(`%!${verb}(BADINDEX)`);
      return;
    }
    if (this.#next >= this.#values.length) {
      this.#printer.write(`%!${verb}(MISSING)`);
      return;
    }
    if (verb === "v") {
      flags.sharpV = flags.sharp;
      flags.sharp = false;
      flags.plus = false;
    }
    this.#printer.argument(this.#values[this.#next], verb, flags);
    this.#next += 1;
  }

  /** An argument's number, like `[2]`. */
  #index(): void {
    this.#afterIndex = false;
    if (this.#format[this.#at] !== "[") return;
    this.#reordered = true;
    const close = this.#format.indexOf("]", this.#at);
    const text = close < 0 ? "" : this.#format.slice(this.#at + 1, close);
    const number = /^[0-9]{1,7}$/.test(text) ? Number(text) : undefined;
    this.#at = close < 0 ? this.#at + 1 : close + 1;
    this.#afterIndex = number !== undefined;
    if (number !== undefined && number >= 1 && number <= this.#values.length) this.#next = number - 1;
    else this.#good = false;
  }

  #width(flags: Flags): void {
    if (this.#format[this.#at] === "*") {
      flags.width = this.#star();
      if (flags.width === undefined) this.#printer.write("%!(BADWIDTH)");
      else if (flags.width < 0) {
        flags.width = -flags.width;
        flags.minus = true;
        flags.zero = false;
      }
      this.#afterIndex = false;
      return;
    }
    flags.width = this.#number();
    if (this.#afterIndex && flags.width !== undefined) this.#good = false;
  }

  #precision(flags: Flags): void {
    // A point at the very end is the verb.
    if (this.#format[this.#at] !== "." || this.#at + 1 >= this.#format.length) return;
    this.#at += 1;
    if (this.#afterIndex) this.#good = false;
    this.#index();
    if (this.#format[this.#at] !== "*") {
      flags.precision = this.#number() ?? 0;
      return;
    }
    const given = this.#star();
    flags.precision = given !== undefined && given < 0 ? undefined : given;
    if (flags.precision === undefined) this.#printer.write("%!(BADPREC)");
    this.#afterIndex = false;
  }

  #number(): number | undefined {
    const [digits = ""] = /^[0-9]*/.exec(this.#format.slice(this.#at, this.#at + 20)) ?? [];
    if (digits === "") return undefined;
    if (Number(digits.slice(0, -1)) > MOST) {
      // Go gives such a format up.
      this.#at = this.#format.length;
      return undefined;
    }
    this.#at += digits.length;
    return Number(digits);
  }

  /** The argument that a star stands for. */
  #star(): number | undefined {
    this.#at += 1;
    if (this.#next >= this.#values.length) return undefined;
    const value = this.#values[this.#next];
    this.#next += 1;
    const number = value instanceof Int ? Number(value.value) : undefined;
    return number === undefined || Math.abs(number) > MOST ? undefined : number;
  }
}

/** Go's `fmt.Sprintf`, of bytes. */
export const sprintf = (format: string, values: readonly Value[], budget: Budget): string =>
  new Format(format, values, budget).text();
