/** A manifest template is not one that this program can read. The message names the line. */
export class TemplateError extends Error {}

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

interface Piece {
  readonly is: "text" | "action";
  readonly text: string;
  readonly line: number;
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|`[^`]*`/;
const ACTION = new RegExp(
  `\\{\\{(-\\s)?((?:\\s*/\\*[\\s\\S]*?\\*/\\s*?)|(?:${QUOTED.source}|(?!\\}\\})[^"\`])*?)(\\s-)?\\}\\}`,
  "g",
);
const TOKEN = new RegExp(`\\s*(${QUOTED.source}|\\.[A-Za-z_0-9.]*|[A-Za-z_][A-Za-z_0-9]*|[()|])`, "y");

const UNSUPPORTED = new Set(["range", "with", "define", "block", "template", "break", "continue"]);

function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let trimmed = false;
  const line = (at: number): number => template.slice(0, at).split("\n").length;
  const text = (until: number, trimEnd: boolean): void => {
    let between = template.slice(from, until);
    const stray = between.indexOf("{{");
    if (stray >= 0) throw new TemplateError(`line ${line(from + stray)}: an action is not closed`);
    if (trimmed) between = between.trimStart();
    if (trimEnd) between = between.trimEnd();
    pieces.push({ is: "text", text: between, line: line(from) });
  };
  for (const found of template.matchAll(ACTION)) {
    text(found.index, found[1] !== undefined);
    pieces.push({ is: "action", text: found[2] ?? "", line: line(found.index) });
    from = found.index + found[0].length;
    trimmed = found[3] !== undefined;
  }
  text(template.length, false);
  return pieces;
}

function tokensOf(action: string, line: number): string[] {
  const tokens: string[] = [];
  const end = action.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(action);
    if (found?.[1] === undefined) throw new TemplateError(`line ${line}: cannot read {{${action}}}`);
    tokens.push(found[1]);
  }
  return tokens;
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
function pipeline(tokens: string[], line: number): Expression {
  let value: Expression | undefined;
  do {
    const name =
      /^[A-Za-z_]/.test(tokens[0] ?? "") && !/^(true|false)$/.test(tokens[0] ?? "")
        ? tokens.shift()
        : undefined;
    const operands: Expression[] = [];
    while (tokens.length > 0 && tokens[0] !== "|" && tokens[0] !== ")") operands.push(operand(tokens, line));
    if (value !== undefined) operands.push(value);
    const [only, second] = operands;
    if (name !== undefined) value = { is: "call", name, arguments: operands };
    else if (only === undefined || second !== undefined)
      throw new TemplateError(`line ${line}: an action must hold one value`);
    else value = only;
  } while (tokens[0] === "|" && tokens.shift());
  return value;
}

function operand(tokens: string[], line: number): Expression {
  const token = tokens.shift() ?? "";
  if (token === "(") {
    const inner = pipeline(tokens, line);
    if (tokens.shift() !== ")") throw new TemplateError(`line ${line}: a parenthesis is not closed`);
    return inner;
  }
  if (token.startsWith('"') || token.startsWith("`")) return { is: "text", text: stringOf(token, line) };
  if (token === "true" || token === "false") return { is: "truth", truth: token === "true" };
  if (token.startsWith(".") && token.length > 1) return { is: "field", path: token.slice(1).split(".") };
  return { is: "call", name: token, arguments: [] };
}

function expression(tokens: string[], line: number): Expression {
  const value = pipeline(tokens, line);
  if (tokens.length > 0) throw new TemplateError(`line ${line}: "${tokens[0]}" is one parenthesis too many`);
  return value;
}

/** What ended a body: the action's word and line, or nothing at the end of the text. */
interface Ending {
  readonly word: "else" | "end";
  readonly rest: string[];
  readonly line: number;
}

function body(pieces: Piece[]): { readonly nodes: Node[]; readonly ending?: Ending } {
  const nodes: Node[] = [];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const { line } = piece;
    if (piece.is === "text") {
      if (piece.text !== "") nodes.push({ is: "text", text: piece.text });
      continue;
    }
    if (piece.text.trimStart().startsWith("/*")) continue;
    const tokens = tokensOf(piece.text, line);
    const [word] = tokens;
    if (word === "else" || word === "end") return { nodes, ending: { word, rest: tokens.slice(1), line } };
    if (word !== undefined && UNSUPPORTED.has(word))
      throw new TemplateError(`line ${line}: "${word}" is more than a manifest may ask for`);
    if (word === "if") nodes.push(choice(tokens.slice(1), pieces, line));
    else nodes.push({ is: "print", value: expression(tokens, line), line });
  }
  return { nodes };
}

function choice(condition: string[], pieces: Piece[], line: number): Node {
  const branches: Branch[] = [];
  let when: Expression | undefined = expression(condition, line);
  for (;;) {
    const { nodes, ending } = body(pieces);
    branches.push(when === undefined ? { body: nodes } : { when, body: nodes });
    if (ending === undefined) throw new TemplateError(`line ${line}: an if has no end`);
    if (ending.word === "end") return { is: "if", branches, line };
    if (when === undefined) throw new TemplateError(`line ${ending.line}: an else after the else`);
    when = ending.rest[0] === "if" ? expression(ending.rest.slice(1), ending.line) : undefined;
  }
}

/**
 * Reads the part of Go's text/template that manifests use: fields, strings, `if`, calls, pipes, trim marks, comments.
 * @throws TemplateError
 */
export function parseTemplate(template: string): readonly Node[] {
  const { nodes, ending } = body(piecesOf(template));
  if (ending !== undefined) throw new TemplateError(`line ${ending.line}: an ${ending.word} without an if`);
  return nodes;
}
