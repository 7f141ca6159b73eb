import type { Lexer, Token } from "./lex.ts";

/** The last tokens and how many of them were given back. A definition within a template has one of its own over the same lexer. */
export class Tokens {
  readonly #lexer: Lexer;
  #buffer: [Token, Token, Token];
  #peeked = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
    const none: Token = { kind: "end of text", text: "", at: 0, line: 0 };
    this.#buffer = [none, none, none];
  }

  /** The line on which an error is told: that of the token read last. */
  get line(): number {
    return this.#buffer[0].line;
  }

  next(): Token {
    if (this.#peeked > 0) this.#peeked -= 1;
    else this.#buffer[0] = this.#lexer.next();
    return this.#buffer[this.#peeked] ?? this.#buffer[0];
  }

  back(): void {
    this.#peeked += 1;
  }

  /** Gives back the token read last and the one before it. */
  backTwo(before: Token): void {
    this.#buffer[1] = before;
    this.#peeked = 2;
  }

  /** Gives back the token read last and the two before it. */
  backThree(first: Token, second: Token): void {
    this.#buffer[1] = second;
    this.#buffer[2] = first;
    this.#peeked = 3;
  }

  peek(): Token {
    if (this.#peeked > 0) return this.#buffer[this.#peeked - 1] ?? this.#buffer[0];
    this.#peeked = 1;
    this.#buffer[0] = this.#lexer.next();
    return this.#buffer[0];
  }

  nextNonSpace(): Token {
    let token = this.next();
    while (token.kind === "space") token = this.next();
    return token;
  }

  peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.back();
    return token;
  }
}
