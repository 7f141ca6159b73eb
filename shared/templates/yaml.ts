import { isUtf8 } from "node:buffer";
import { bytesOf, bytesOfRune, runesOf, textOf } from "./bytes.ts";
import { FunctionFault } from "./errors.ts";
import { formatFloat } from "./floats.ts";
import { jsonNumber } from "./json.ts";
import type { Budget } from "./limits.ts";
import { INT64 } from "./numbers.ts";
import { Complex, Dict, Int, List, type TemplateFunction, TemplateObject, type Value } from "./values.ts";
import { isBreak, isPlainText, isPrintable, keyOrder, waysOf } from "./yaml-text.ts";

/** The differences of the two libraries that Go's programs write YAML with. */
interface Library {
  /** The column after which text is broken at a blank. */
  readonly width: number;
  readonly number: (value: number) => string;
  /** Nil lists and maps: `null` where the values went through JSON. */
  readonly nilIsNull: boolean;
  /** True where lists stand deeper than the key above them. */
  readonly indentsLists?: boolean;
  /** The text that is written, or nothing where bytes must go as base64. */
  readonly text: (bytes: string) => string | undefined;
  /** Throws for a key that cannot be written. */
  readonly requireKey?: (bytes: string) => void;
}

const INDENT = 2;
/** Longer keys, and those of several lines, are written with a question mark. */
const LONGEST_KEY = 128;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const ESCAPES: Readonly<Record<number, string>> = {
  0: "0",
  7: "a",
  8: "b",
  9: "t",
  10: "n",
  11: "v",
  12: "f",
  13: "r",
  27: "e",
  34: '"',
  92: "\\",
  133: "N",
  160: "_",
  8232: "L",
  8233: "P",
};

function escapeOf(rune: number): string {
  const short = ESCAPES[rune];
  if (short !== undefined) return `\\${short}`;
  const [letter, digits] = rune <= 0xff ? ["x", 2] : rune <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${rune.toString(16).toUpperCase().padStart(Number(digits), "0")}`;
}

/** The place of a node: `key` for a key on its line. */
type Context = "root" | "item" | "value" | "key";

/** Writes values as libyaml's emitter does, which both libraries are ports of. */
class Emitter {
  readonly #library: Library;
  readonly #budget: Budget;
  readonly #parts: string[] = [];
  #column = 0;
  #indent = -1;
  #afterSpace = true;
  /** True while a line holds nothing but its indentation and dashes. */
  #atIndent = true;

  constructor(library: Library, budget: Budget) {
    this.#library = library;
    this.#budget = budget;
  }

  document(value: Value): string {
    this.#node(value, "root", 0);
    this.#newLine();
    return this.#parts.join("");
  }

  #put(text: string, columns = text.length): void {
    this.#budget.bytes(text.length);
    this.#parts.push(text);
    this.#column += columns;
  }

  #putRune(rune: number): void {
    this.#put(bytesOfRune(rune), 1);
  }

  #putBreak(rune: number): void {
    this.#put(bytesOfRune(rune));
    this.#column = 0;
  }

  /** A line of its own, indented, unless there is one already. */
  #newLine(): void {
    const indent = Math.max(0, this.#indent);
    if (!this.#atIndent || this.#column > indent || (this.#column === indent && !this.#afterSpace))
      this.#putBreak(LINE_FEED);
    if (this.#column < indent) this.#put(" ".repeat(indent - this.#column));
    this.#afterSpace = true;
    this.#atIndent = true;
  }

  #indicator(text: string, needsSpace: boolean, keepsIndent: boolean): void {
    if (needsSpace && !this.#afterSpace) this.#put(" ");
    this.#put(text);
    this.#afterSpace = false;
    this.#atIndent = this.#atIndent && keepsIndent;
  }

  #node(value: Value, context: Context, depth: number): void {
    this.#budget.within(depth);
    if (value instanceof List || value instanceof Dict) this.#collection(value, context, depth);
    else if (typeof value === "string") this.#string(value, context);
    else if (value instanceof TemplateObject) this.#string(value.toString(), context);
    else this.#plain(runesOf(this.#scalar(value)), context);
  }

  #scalar(value: undefined | null | boolean | number | Int | Complex): string {
    if (value === undefined || value === null) return "null";
    if (typeof value === "number") return this.#library.number(value);
    if (value instanceof Int) return String(value.value);
    if (value instanceof Complex) throw new FunctionFault("cannot marshal type: complex128");
    return String(value);
  }

  #collection(value: List | Dict, context: Context, depth: number): void {
    if (value.isNil && this.#library.nilIsNull) {
      this.#plain(runesOf("null"), context);
      return;
    }
    const size = value instanceof List ? value.items.length : value.entries.size;
    if (size === 0) {
      this.#indicator(value instanceof List ? "[]" : "{}", true, false);
      return;
    }
    const before = this.#indent;
    // A list below a key stands at the key's own indentation.
    const stays =
      this.#library.indentsLists !== true &&
      value instanceof List &&
      context !== "root" &&
      context !== "item" &&
      !this.#atIndent;
    if (before < 0) this.#indent = 0;
    else if (!stays) this.#indent += INDENT;
    if (value instanceof List) this.#items(value, depth);
    else this.#entries(value, depth);
    this.#indent = before;
  }

  #items({ items }: List, depth: number): void {
    for (const item of items) {
      this.#newLine();
      this.#indicator("-", true, true);
      this.#node(item, "item", depth + 1);
    }
  }

  #entries({ entries }: Dict, depth: number): void {
    for (const key of [...entries.keys()].sort(keyOrder)) {
      this.#library.requireKey?.(key);
      this.#newLine();
      const text = this.#library.text(key) ?? key;
      if (text.length <= LONGEST_KEY && !waysOf(runesOf(text)).multiline) {
        this.#string(key, "key");
        this.#indicator(":", false, false);
      } else {
        this.#indicator("?", true, true);
        this.#string(key, "value");
        this.#newLine();
        this.#indicator(":", true, true);
      }
      this.#node(entries.get(key), "value", depth + 1);
    }
  }

  #string(bytes: string, context: Context): void {
    const text = this.#library.text(bytes);
    if (text === undefined) {
      this.#indicator("!!binary", true, false);
      this.#styled(base64Of(bytes), true, context);
    } else this.#styled(text, isPlainText(text), context);
  }

  /** Further lines of a text stand one level deeper. */
  #styled(text: string, mayBePlain: boolean, context: Context): void {
    const before = this.#indent;
    this.#indent = before < 0 ? INDENT : before + INDENT;
    this.#text(text, mayBePlain, context);
    this.#indent = before;
  }

  #text(text: string, mayBePlain: boolean, context: Context): void {
    const runes = runesOf(text);
    const ways = waysOf(runes);
    const isKey = context === "key";
    if (text.includes("\n")) {
      if (ways.block && !isKey) this.#literal(runes);
      else this.#doubleQuoted(runes, context);
    } else if (!mayBePlain || (isKey && ways.multiline)) this.#doubleQuoted(runes, context);
    else if (ways.plain) this.#plain(runes, context);
    else if (ways.singleQuoted) this.#singleQuoted(runes, context);
    else this.#doubleQuoted(runes, context);
  }

  /** True where a blank may become a new line. */
  #breaksAt(context: Context, wasSpace: boolean): boolean {
    return context !== "key" && !wasSpace && this.#column > this.#library.width;
  }

  #plain(runes: readonly number[], context: Context): void {
    if (!this.#afterSpace) this.#put(" ");
    this.#folded(runes, context, false);
    this.#afterSpace = false;
    this.#atIndent = false;
  }

  #singleQuoted(runes: readonly number[], context: Context): void {
    this.#indicator("'", true, false);
    this.#folded(runes, context, true);
    this.#indicator("'", false, false);
    this.#atIndent = false;
  }

  /** Plain and single-quoted text: a break is doubled, blanks may become breaks. */
  #folded(runes: readonly number[], context: Context, quoted: boolean): void {
    let wasSpace = false;
    let wasBreak = false;
    for (const [index, rune] of runes.entries()) {
      if (rune === SPACE) {
        const inside = !quoted || (index > 0 && index < runes.length - 1);
        if (this.#breaksAt(context, wasSpace) && inside && runes[index + 1] !== SPACE) this.#newLine();
        else this.#putRune(rune);
        wasSpace = true;
      } else if (isBreak(rune)) {
        if (!wasBreak && rune === LINE_FEED) this.#putBreak(rune);
        this.#putBreak(rune);
        this.#atIndent = true;
        wasBreak = true;
      } else {
        if (wasBreak) this.#newLine();
        if (quoted && rune === 0x27) this.#put("'");
        this.#putRune(rune);
        this.#atIndent = false;
        wasSpace = false;
        wasBreak = false;
      }
    }
  }

  #doubleQuoted(runes: readonly number[], context: Context): void {
    this.#indicator('"', true, false);
    const afterMark = runes[0] === 0xfeff;
    let wasSpace = false;
    for (const [index, rune] of runes.entries()) {
      if (!isPrintable(rune) || afterMark || isBreak(rune) || rune === 0x22 || rune === 0x5c) {
        this.#put(escapeOf(rune));
        wasSpace = false;
      } else if (rune === SPACE) {
        if (this.#breaksAt(context, wasSpace) && index > 0 && index < runes.length - 1) {
          this.#newLine();
          if (runes[index + 1] === SPACE) this.#put("\\");
        } else this.#putRune(rune);
        wasSpace = true;
      } else {
        this.#putRune(rune);
        wasSpace = false;
      }
    }
    this.#indicator('"', false, false);
    this.#atIndent = false;
  }

  #literal(runes: readonly number[]): void {
    this.#indicator("|", true, false);
    if (runes[0] === SPACE || isBreak(runes[0])) this.#indicator(String(INDENT), false, false);
    if (!isBreak(runes.at(-1))) this.#indicator("-", false, false);
    else if (runes.length === 1 || isBreak(runes.at(-2))) this.#indicator("+", false, false);
    this.#putBreak(LINE_FEED);
    this.#atIndent = true;
    this.#afterSpace = true;
    let wasBreak = true;
    for (const rune of runes) {
      if (isBreak(rune)) {
        this.#putBreak(rune);
        this.#atIndent = true;
        wasBreak = true;
      } else {
        if (wasBreak) this.#newLine();
        this.#putRune(rune);
        this.#atIndent = false;
        wasBreak = false;
      }
    }
  }
}

/** Lines of seventy letters. */
function base64Of(bytes: string): string {
  const text = Buffer.from(bytes, "latin1").toString("base64");
  const lines = text.match(/.{1,70}/g) ?? [];
  return text.length >= 70 ? lines.map((line) => `${line}\n`).join("") : text;
}

const SPECIAL: Readonly<Record<string, string>> = { "+Inf": ".inf", "-Inf": "-.inf", NaN: ".nan" };
const v2Number = (value: number): string => {
  const text = formatFloat(value);
  return SPECIAL[text] ?? text;
};

/** A float64 that went through JSON: whole ones have come back as integers. */
function sigsNumber(value: number): string {
  const text = jsonNumber(value);
  if (!/^-?\d+$/.test(text)) return formatFloat(value);
  const whole = BigInt(text);
  return whole >= INT64.least && whole <= INT64.mostUnsigned ? String(whole) : formatFloat(value);
}

/**
 * Text that went through JSON, and that YAML's reader reads: it refuses control characters and a line that is marked as
 * the end of a document, and folds a single break.
 */
function sigsText(bytes: string): string {
  const text = textOf(bytes);
  if (/[\x7f\x80-\x84\x86-\x9f\ufffe\uffff]/.test(text))
    throw new FunctionFault("yaml: control characters are not allowed");
  if (/\u0085(?:---|\.\.\.)[ \u0085]/.test(text))
    throw new FunctionFault("yaml: found unexpected document indicator");
  return bytesOf(
    text.replace(/ *(?:\u0085 *)+/g, (found) => {
      const breaks = found.replaceAll(" ", "").length;
      return breaks === 1 ? " " : "\n".repeat(breaks - 1);
    }),
  );
}

const V2: Library = {
  width: Number.MAX_SAFE_INTEGER,
  number: v2Number,
  nilIsNull: false,
  text: (bytes) => (isUtf8(Buffer.from(bytes, "latin1")) ? bytes : undefined),
};
const SIGS: Library = {
  width: 80,
  number: sigsNumber,
  nilIsNull: true,
  text: sigsText,
  requireKey: (bytes) => {
    // YAML's reader takes this character for the end of a line, on which no key may go on.
    if (bytes.includes(bytesOf("\u0085"))) throw new FunctionFault("yaml: a key holds a line break");
  },
};

const writer = (library: Library): TemplateFunction => ({
  takes: ["interface {}"],
  run: ([value], { budget }) => new Emitter(library, budget).document(value),
});

/** `toYaml` as gopkg.in/yaml.v2 writes it: 1e+06 for a million, long lines as they are. */
export const toYamlV2: TemplateFunction = writer(V2);

/** `toYaml` as sigs.k8s.io/yaml writes it, through JSON: 1000000, long lines folded. Charts use it. */
export const toYamlSigs: TemplateFunction = writer(SIGS);

/** `toYamlPretty` as gopkg.in/yaml.v3 writes it: like version 2, with lists indented below their key. */
export const toYamlIndented: TemplateFunction = writer({ ...V2, indentsLists: true });
