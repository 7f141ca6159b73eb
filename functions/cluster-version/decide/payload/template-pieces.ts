/** A manifest template is not one that this program can read. The message names the line. */
export class TemplateError extends Error {}

/** The depth to which conditions, parentheses and pipes may be nested. */
export const MOST_NESTED = 100;

/** Text as it stands, or what stands between braces. Comments are left out. */
export interface Piece {
  readonly is: "text" | "action";
  readonly text: string;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
}

const SPACE = /\s/;
const isSpace = (character: string | undefined): boolean => character !== undefined && SPACE.test(character);

/** Goes through a template once, from its beginning to its end, however it is made: each character is looked at a few times at most. */
class Lexer {
  readonly #template: string;
  readonly #pieces: Piece[] = [];
  #at = 0;
  #line = 1;
  /** The end of that line. */
  #lineEnd: number;

  constructor(template: string) {
    this.#template = template;
    this.#lineEnd = this.#endFrom(0);
  }

  pieces(): readonly Piece[] {
    let trimmed = false;
    for (;;) {
      const from = this.#at;
      const line = this.#lineAt(from);
      const found = this.#template.indexOf("{{", from);
      const open = found < 0 ? this.#template.length : found;
      this.#at = open + 2;
      // A mark is one only where white space follows it: `{{-3}}` is a number.
      const trims = found >= 0 && this.#template[this.#at] === "-" && isSpace(this.#template[this.#at + 1]);
      let text = this.#template.slice(from, open);
      if (trimmed) text = text.trimStart();
      if (trims) text = text.trimEnd();
      this.#pieces.push({ is: "text", text, line });
      if (found < 0) return this.#pieces;
      if (trims) this.#at += 1;
      trimmed = this.#action(this.#lineAt(open));
    }
  }

  /** Reads up to behind the closing braces, and tells whether the text that follows is to be trimmed. */
  #action(line: number): boolean {
    const from = this.#at;
    if (this.#isComment()) return this.#comment(line);
    for (;;) {
      const character = this.#template[this.#at];
      if (character === undefined) throw new TemplateError(`line ${line}: an action is not closed`);
      if (character === '"') this.#quoted(line);
      else if (character === "`") this.#past("`", this.#at + 1, `line ${line}: a string is not closed`);
      else if (this.#template.startsWith("}}", this.#at)) break;
      else this.#at += 1;
    }
    const trims = this.#template[this.#at - 1] === "-" && isSpace(this.#template[this.#at - 2]);
    const text = this.#template.slice(from, trims ? Math.max(from, this.#at - 1) : this.#at);
    this.#pieces.push({ is: "action", text, line });
    this.#at += 2;
    return trims;
  }

  #isComment(): boolean {
    let at = this.#at;
    while (isSpace(this.#template[at])) at += 1;
    if (!this.#template.startsWith("/*", at)) return false;
    this.#at = at;
    return true;
  }

  #comment(line: number): boolean {
    this.#past("*/", this.#at + 2, `line ${line}: a comment is not closed`);
    const behind = this.#at;
    while (isSpace(this.#template[this.#at])) this.#at += 1;
    const trims = this.#at > behind && this.#template[this.#at] === "-";
    if (trims) this.#at += 1;
    if (!this.#template.startsWith("}}", this.#at))
      throw new TemplateError(`line ${line}: a comment has an action of its own`);
    this.#at += 2;
    return trims;
  }

  /** Behind a string in quotes: it ends on its line. */
  #quoted(line: number): void {
    for (this.#at += 1; this.#template[this.#at] !== '"'; this.#at += 1) {
      if (this.#template[this.#at] === "\\") this.#at += 1;
      const character = this.#template[this.#at];
      if (character === undefined || character === "\n")
        throw new TemplateError(`line ${line}: a string is not closed`);
    }
    this.#at += 1;
  }

  #past(what: string, from: number, otherwise: string): void {
    const found = this.#template.indexOf(what, from);
    if (found < 0) throw new TemplateError(otherwise);
    this.#at = found + what.length;
  }

  /** Asked of places in their order. */
  #lineAt(at: number): number {
    while (this.#lineEnd < at) {
      this.#lineEnd = this.#endFrom(this.#lineEnd + 1);
      this.#line += 1;
    }
    return this.#line;
  }

  #endFrom(at: number): number {
    const found = this.#template.indexOf("\n", at);
    return found < 0 ? this.#template.length : found;
  }
}

/**
 * The texts and actions of a template, in its order.
 * @throws TemplateError
 */
export const piecesOf = (template: string): readonly Piece[] => new Lexer(template).pieces();

const QUOTED = /"(?:[^"\\\n]|\\.)*"|`[^`]*`/;
const TOKEN = new RegExp(`\\s*(${QUOTED.source}|\\.[A-Za-z_0-9.]*|[A-Za-z_][A-Za-z_0-9]*|[()|])`, "y");
/** The number of characters of an action that a message shows. */
const SHOWN = 60;

/** @throws TemplateError */
export function tokensOf(action: string, line: number): readonly string[] {
  const tokens: string[] = [];
  const end = action.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(action);
    if (found?.[1] === undefined) {
      const shown = action.length > SHOWN ? `${action.slice(0, SHOWN)}…` : action;
      throw new TemplateError(`line ${line}: cannot read {{${shown}}}`);
    }
    tokens.push(found[1]);
  }
  return tokens;
}
