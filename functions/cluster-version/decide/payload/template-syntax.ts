import { MOST_NESTED, type Piece, piecesOf, TemplateError, tokensOf } from "./template-pieces.ts";

export { TemplateError } from "./template-pieces.ts";

export type Expression =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "truth"; readonly truth: boolean }
  | { readonly is: "field"; readonly path: readonly string[] }
  | { readonly is: "call"; readonly name: string; readonly arguments: readonly Expression[] };

export interface Branch {
  /** Absent in `else`. */
  readonly when?: Expression;
  readonly body: readonly Node[];
}

export type Node =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "print"; readonly value: Expression; readonly line: number }
  | { readonly is: "if"; readonly branches: readonly Branch[]; readonly line: number };

const UNSUPPORTED = new Set(["range", "with", "define", "block", "template", "break", "continue"]);

/** A list that is read from the front. (Taking from the front of an array moves all the rest.) */
class Front<T> {
  readonly #items: readonly T[];
  #at = 0;
  constructor(items: readonly T[]) {
    this.#items = items;
  }
  get next(): T | undefined {
    return this.#items[this.#at];
  }
  get isEmpty(): boolean {
    return this.#at >= this.#items.length;
  }
  take(): T | undefined {
    return this.#items[this.#at++];
  }
}
type Tokens = Front<string>;
type Pieces = Front<Piece>;

/** Refuses a depth beyond the limit: endless nesting would end the program, not the reading of a file. */
function within(depth: number, line: number): number {
  if (depth > MOST_NESTED)
    throw new TemplateError(`line ${line}: it is nested more than ${MOST_NESTED} levels deep`);
  return depth + 1;
}

/** A Go string: interpreted with escapes in quotes, as it is in back-quotes. */
function stringOf(token: string, line: number): string {
  if (token.startsWith("`")) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch (cause) {
    throw new TemplateError(`line ${line}: cannot read the string ${token}`, { cause });
  }
}

/** Reads one expression from the front of the tokens, up to a closing parenthesis or their end. */
function pipeline(tokens: Tokens, line: number, depth: number): Expression {
  let value: Expression | undefined;
  let deep = within(depth, line);
  do {
    const name =
      /^[A-Za-z_]/.test(tokens.next ?? "") && !/^(true|false)$/.test(tokens.next ?? "")
        ? tokens.take()
        : undefined;
    const operands: Expression[] = [];
    while (!tokens.isEmpty && tokens.next !== "|" && tokens.next !== ")")
      operands.push(operand(tokens, line, deep));
    if (value !== undefined) {
      operands.push(value);
      // What comes before a pipe is the innermost part of what comes after it.
      deep = within(deep, line);
    }
    const [only, second] = operands;
    if (name !== undefined) value = { is: "call", name, arguments: operands };
    else if (only === undefined || second !== undefined)
      throw new TemplateError(`line ${line}: an action must hold one value`);
    else value = only;
  } while (tokens.next === "|" && tokens.take() !== undefined);
  return value;
}

function operand(tokens: Tokens, line: number, depth: number): Expression {
  const token = tokens.take() ?? "";
  if (token === "(") {
    const inner = pipeline(tokens, line, depth);
    if (tokens.take() !== ")") throw new TemplateError(`line ${line}: a parenthesis is not closed`);
    return inner;
  }
  if (token.startsWith('"') || token.startsWith("`")) return { is: "text", text: stringOf(token, line) };
  if (token === "true" || token === "false") return { is: "truth", truth: token === "true" };
  if (token.startsWith(".") && token.length > 1) return { is: "field", path: token.slice(1).split(".") };
  return { is: "call", name: token, arguments: [] };
}

function expression(tokens: Tokens, line: number): Expression {
  const value = pipeline(tokens, line, 0);
  if (!tokens.isEmpty) throw new TemplateError(`line ${line}: "${tokens.next}" is one parenthesis too many`);
  return value;
}

/** The end of a body: the action's word, its argument, and its line; or nothing at the end of the text. */
interface Ending {
  readonly word: "else" | "end";
  readonly rest: Tokens;
  readonly line: number;
}

function body(pieces: Pieces, depth: number): { readonly nodes: Node[]; readonly ending?: Ending } {
  const nodes: Node[] = [];
  for (let piece = pieces.take(); piece !== undefined; piece = pieces.take()) {
    const { line } = piece;
    if (piece.is === "text") {
      if (piece.text !== "") nodes.push({ is: "text", text: piece.text });
      continue;
    }
    const tokens = new Front(tokensOf(piece.text, line));
    const word = tokens.next;
    if (word === "else" || word === "end") {
      tokens.take();
      return { nodes, ending: { word, rest: tokens, line } };
    }
    if (word !== undefined && UNSUPPORTED.has(word))
      throw new TemplateError(`line ${line}: "${word}" is more than a manifest may ask for`);
    if (word === "if") {
      tokens.take();
      nodes.push(choice(tokens, pieces, { line, depth: within(depth, line) }));
    } else nodes.push({ is: "print", value: expression(tokens, line), line });
  }
  return { nodes };
}

function choice(
  condition: Tokens,
  pieces: Pieces,
  { line, depth }: { readonly line: number; readonly depth: number },
): Node {
  const branches: Branch[] = [];
  let when: Expression | undefined = expression(condition, line);
  for (;;) {
    const { nodes, ending } = body(pieces, depth);
    branches.push(when === undefined ? { body: nodes } : { when, body: nodes });
    if (ending === undefined) throw new TemplateError(`line ${line}: an if has no end`);
    if (ending.word === "end") return { is: "if", branches, line };
    if (when === undefined) throw new TemplateError(`line ${ending.line}: an else after the else`);
    if (ending.rest.next === "if") {
      ending.rest.take();
      when = expression(ending.rest, ending.line);
    } else when = undefined;
  }
}

/**
 * Reads the part of Go's text/template that manifests use: fields, strings, `if`, calls, pipes, trim marks, comments.
 * @throws TemplateError
 */
export function parseTemplate(template: string): readonly Node[] {
  const { nodes, ending } = body(new Front(piecesOf(template)), 0);
  if (ending !== undefined) throw new TemplateError(`line ${ending.line}: an ${ending.word} without an if`);
  return nodes;
}
