import { isWordRune, runeAt } from "./bytes.ts";
import { quoteRune } from "./quote.ts";

/** The kinds of tokens. Keywords are kinds of their own. */
export type TokenKind =
  | "error"
  | "end of text"
  | "text"
  | "{{"
  | "}}"
  | "space"
  | "("
  | ")"
  | "|"
  | "="
  | ":="
  | "character"
  | "rune"
  | "bool"
  | "dot"
  | "nil"
  | "field"
  | "identifier"
  | "variable"
  | "number"
  | "complex"
  | "string"
  | "raw string"
  | Keyword;
type Keyword =
  | "block"
  | "break"
  | "continue"
  | "define"
  | "else"
  | "end"
  | "if"
  | "range"
  | "template"
  | "with";

const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map(
  (
    ["block", "break", "continue", "define", "else", "end", "if", "range", "template", "with", "nil"] as const
  ).map((word) => [word, word]),
);

/** A token, where it begins, and its line. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
  readonly line: number;
}

/** Raised for text that holds no token; the parser tells it with its place. */
class LexFault extends Error {}

const isSpace = (character: string | undefined): boolean =>
  character === " " || character === "\t" || character === "\r" || character === "\n";
const isDigit = (character: string): boolean => character >= "0" && character <= "9" && character !== "";
/** The number of newlines in a part of the text; nothing behind it is looked at. */
function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 0x0a) count += 1;
  return count;
}

const DIGITS = { decimal: /[0-9_]/, x: /[0-9a-fA-F_]/, o: /[0-7_]/, b: /[01_]/ } as const;

/** Reads a template's tokens from its beginning to its end, each character a few times at most. */
export class Lexer {
  readonly #input: string;
  readonly #isFunction: (name: string) => boolean;
  #at = 0;
  #start = 0;
  #line = 1;
  #startLine = 1;
  #parentheses = 0;
  #inAction = false;
  #ended: Token | undefined;

  /** The words `break` and `continue` are functions where a caller has such. */
  constructor(input: string, isFunction: (name: string) => boolean) {
    this.#input = input;
    this.#isFunction = isFunction;
  }

  next(): Token {
    if (this.#ended !== undefined) return this.#ended;
    try {
      return this.#inAction ? this.#action() : this.#text();
    } catch (fault) {
      if (!(fault instanceof LexFault)) throw fault;
      this.#ended = { kind: "error", text: fault.message, at: this.#start, line: this.#startLine };
      return this.#ended;
    }
  }

  #emit(kind: TokenKind): Token {
    const token = {
      kind,
      text: this.#input.slice(this.#start, this.#at),
      at: this.#start,
      line: this.#startLine,
    };
    this.#begin();
    return token;
  }

  /** The next token begins here; lines of what was taken are counted. */
  #begin(): void {
    this.#line += newlines(this.#input, this.#start, this.#at);
    this.#start = this.#at;
    this.#startLine = this.#line;
  }

  #text(): Token {
    for (;;) {
      const open = this.#input.indexOf("{{", this.#at);
      if (open < 0) {
        this.#at = this.#input.length;
        return this.#emit(this.#at > this.#start ? "text" : "end of text");
      }
      const trims = this.#trimsLeft(open + 2);
      let end = open;
      if (trims) while (end > this.#start && isSpace(this.#input[end - 1])) end -= 1;
      this.#at = end;
      const text = end > this.#start ? this.#emit("text") : undefined;
      this.#at = open;
      this.#begin();
      if (text !== undefined) return text;
      const behind = open + (trims ? 4 : 2);
      if (!this.#input.startsWith("/*", behind)) return this.#open(behind);
      this.#comment(behind);
    }
  }

  #open(behind: number): Token {
    this.#at += 2;
    const token = this.#emit("{{");
    this.#at = behind;
    this.#begin();
    this.#inAction = true;
    this.#parentheses = 0;
    return token;
  }

  #comment(from: number): void {
    this.#at = from;
    this.#begin();
    const end = this.#input.indexOf("*/", from + 2);
    if (end < 0) throw new LexFault("unclosed comment");
    this.#at = end + 2;
    const close = this.#closes();
    if (close === 0) throw new LexFault("comment ends before closing delimiter");
    this.#at += close;
    if (close > 2) while (isSpace(this.#input[this.#at])) this.#at += 1;
    this.#begin();
  }

  #trimsLeft(at: number): boolean {
    return this.#input[at] === "-" && isSpace(this.#input[at + 1]);
  }

  /** The length of the delimiter that closes here, with its trim marker; 0 where none does. */
  #closes(): number {
    const at = this.#at;
    if (isSpace(this.#input[at]) && this.#input.startsWith("-}}", at + 1)) return 4;
    return this.#input.startsWith("}}", at) ? 2 : 0;
  }

  #close(): Token {
    const trims = this.#closes() > 2;
    if (trims) {
      this.#at += 2;
      this.#begin();
    }
    this.#at += 2;
    const token = this.#emit("}}");
    if (trims) {
      while (isSpace(this.#input[this.#at])) this.#at += 1;
      this.#begin();
    }
    this.#inAction = false;
    return token;
  }

  #action(): Token {
    if (this.#closes() > 0) {
      if (this.#parentheses > 0) throw new LexFault("unclosed left paren");
      return this.#close();
    }
    const character = this.#input[this.#at];
    if (character === undefined) throw new LexFault("unclosed action");
    if (isSpace(character)) return this.#space();
    this.#at += 1;
    switch (character) {
      case "=":
      case "|":
        return this.#emit(character);
      case ":":
        if (this.#input[this.#at] !== "=") throw new LexFault("expected :=");
        this.#at += 1;
        return this.#emit(":=");
      case '"':
        this.#until('"', "unterminated quoted string");
        return this.#emit("string");
      case "'":
        this.#until("'", "unterminated character constant");
        return this.#emit("rune");
      case "`":
        this.#at = this.#input.indexOf("`", this.#at) + 1;
        if (this.#at === 0) throw new LexFault("unterminated raw quoted string");
        return this.#emit("raw string");
      case "$":
        return this.#word("variable", "variable");
      case "(":
        this.#parentheses += 1;
        return this.#emit("(");
      case ")":
        this.#parentheses -= 1;
        if (this.#parentheses < 0) throw new LexFault("unexpected right paren");
        return this.#emit(")");
      default:
        return this.#other(character);
    }
  }

  #other(character: string): Token {
    if (character === "." && this.#at < this.#input.length && !isDigit(this.#input[this.#at] ?? ""))
      return this.#word("field", "dot");
    this.#at -= 1;
    if (/[.+\-0-9]/.test(character)) return this.#number();
    const { rune, size } = runeAt(this.#input, this.#at);
    if (isWordRune(rune)) return this.#identifier();
    this.#at += size;
    if (rune > 0x20 && rune < 0x7f) return this.#emit("character");
    throw new LexFault(`unrecognized character in action: ${quoteRune(rune)}`);
  }

  /** Spaces; the last one may belong to a trim marker. */
  #space(): Token {
    while (isSpace(this.#input[this.#at])) this.#at += 1;
    if (this.#input.startsWith("-}}", this.#at)) {
      this.#at -= 1;
      if (this.#at === this.#start) return this.#close();
    }
    return this.#emit("space");
  }

  /** Behind the quote that ends a literal on its line. */
  #until(quote: string, otherwise: string): void {
    for (; this.#input[this.#at] !== quote; this.#at += 1) {
      if (this.#input[this.#at] === "\\") this.#at += 1;
      const character = this.#input[this.#at];
      if (character === undefined || character === "\n") throw new LexFault(otherwise);
    }
    this.#at += 1;
  }

  #runWord(): void {
    for (let { rune, size } = runeAt(this.#input, this.#at); isWordRune(rune); ) {
      this.#at += size;
      ({ rune, size } = runeAt(this.#input, this.#at));
    }
  }

  #requireTerminator(): void {
    const character = this.#input[this.#at];
    if (character === undefined || isSpace(character) || ".,|:)(".includes(character)) return;
    if (this.#input.startsWith("}}", this.#at)) return;
    throw new LexFault(`bad character ${quoteRune(runeAt(this.#input, this.#at).rune)}`);
  }

  #word(kind: TokenKind, alone: TokenKind): Token {
    const from = this.#at;
    this.#runWord();
    this.#requireTerminator();
    return this.#emit(this.#at === from ? alone : kind);
  }

  #identifier(): Token {
    this.#runWord();
    const word = this.#input.slice(this.#start, this.#at);
    this.#requireTerminator();
    if (word === "true" || word === "false") return this.#emit("bool");
    if ((word === "break" || word === "continue") && this.#isFunction(word)) return this.#emit("identifier");
    return this.#emit(KEYWORDS.get(word) ?? "identifier");
  }

  #number(): Token {
    let kind: TokenKind = "number";
    this.#scanNumber();
    if (/[+-]/.test(this.#input[this.#at] ?? "")) {
      this.#scanNumber();
      if (this.#input[this.#at - 1] !== "i") this.#badNumber();
      kind = "complex";
    }
    return this.#emit(kind);
  }

  #badNumber(): never {
    throw new LexFault(`bad number syntax: "${this.#input.slice(this.#start, this.#at)}"`);
  }

  #accept(characters: RegExp): boolean {
    const found = characters.test(this.#input[this.#at] ?? "");
    if (found) this.#at += 1;
    return found;
  }

  #scanNumber(): void {
    const run = (characters: RegExp): void => {
      while (this.#accept(characters));
    };
    this.#accept(/[+-]/);
    let digits: RegExp = DIGITS.decimal;
    if (this.#accept(/0/)) {
      if (this.#accept(/[xX]/)) digits = DIGITS.x;
      else if (this.#accept(/[oO]/)) digits = DIGITS.o;
      else if (this.#accept(/[bB]/)) digits = DIGITS.b;
    }
    run(digits);
    if (this.#accept(/\./)) run(digits);
    const exponent = digits === DIGITS.decimal ? /[eE]/ : digits === DIGITS.x ? /[pP]/ : undefined;
    if (exponent !== undefined && this.#accept(exponent)) {
      this.#accept(/[+-]/);
      run(DIGITS.decimal);
    }
    this.#accept(/i/);
    if (this.#at < this.#input.length && isWordRune(runeAt(this.#input, this.#at).rune)) {
      this.#at += 1;
      this.#badNumber();
    }
  }
}
