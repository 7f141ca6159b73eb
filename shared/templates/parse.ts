import { textOf } from "./bytes.ts";
import { TemplateError, type TemplateErrorCode } from "./errors.ts";
import { Lexer, type Token } from "./lex.ts";
import {
  type Command,
  type Definition,
  isBlank,
  type Node,
  type Operand,
  type Pipeline,
  sourceOf,
} from "./nodes.ts";
import { complexConstant, constantOf, runeConstant } from "./numbers.ts";
import { unquote, unquoteCharacter } from "./quote.ts";
import { Tokens } from "./tokens.ts";

/** The levels to which conditions, loops and parentheses may nest: more would end the program, not the reading. */
export const MOST_NESTED = 250;

/** The answer to "is there such a function?": yes, no, or why it may not be called. */
export type KnowsFunction = (name: string) => true | undefined | { readonly refused: string };

/** All parts of one file share these. */
interface Shared {
  readonly name: string;
  readonly source: Definition["source"];
  readonly lexer: Lexer;
  readonly definitions: Map<string, Definition>;
  readonly knows: KnowsFunction;
  /** The levels that may be. */
  readonly nesting: number;
  depth: number;
}
type Ending = { readonly is: "end"; readonly at: number } | { readonly is: "else"; readonly at: number };
type Item = Node | Ending;

const OPERANDS = new Set<Token["kind"]>([
  ...([
    "bool",
    "rune",
    "complex",
    "dot",
    "field",
    "identifier",
    "number",
    "nil",
    "raw string",
    "string",
  ] as const),
  ...(["variable", "("] as const),
]);
/** The words of the language that a caller may refuse as it refuses functions. */
const REFUSABLE = new Set<Token["kind"]>([
  "block",
  "break",
  "continue",
  "if",
  "range",
  "template",
  "with",
  "define",
]);
/** The longest part of a token that a message shows. */
const SHOWN = 40;

/** Reads one definition: the file itself, or a `define` or `block` in it. */
class Parser {
  readonly #shared: Shared;
  readonly #tokens: Tokens;
  #variables: string[] = ["$"];
  #ranges = 0;
  #actionLine = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#tokens = new Tokens(shared.lexer);
  }

  file(): void {
    const body: Node[] = [];
    while (this.#tokens.peek().kind !== "end of text") {
      if (this.#tokens.peek().kind === "{{") {
        const open = this.#tokens.next();
        if (this.#tokens.nextNonSpace().kind === "define" && this.#shared.knows("define") === undefined) {
          new Parser(this.#shared).#definition();
          continue;
        }
        this.#tokens.backTwo(open);
      }
      const item = this.#item();
      body.push(item.is === "end" || item.is === "else" ? this.#fail(`unexpected {{${item.is}}}`) : item);
    }
    this.#add(this.#shared.name, body);
  }

  #fail(reason: string, code: TemplateErrorCode = "TEMPLATE_SYNTAX", source?: string): never {
    const { line } = this.#tokens;
    const template = textOf(this.#shared.name);
    throw new TemplateError(
      code,
      textOf(reason),
      { class: "parse", template, line, ...(source !== undefined && { source: textOf(source) }) },
      { where: `template: ${template}:${line}` },
    );
  }

  #unexpected(token: Token, context: string): never {
    if (token.kind === "error") {
      const elsewhere = this.#actionLine !== 0 && this.#actionLine !== token.line;
      const began = elsewhere ? ` started at ${this.#shared.name}:${this.#actionLine}` : "";
      this.#fail(token.text + (began && !token.text.endsWith(" action") ? ` in action${began}` : began));
    }
    const text = token.text.length > SHOWN ? `${token.text.slice(0, SHOWN)}…` : token.text;
    this.#fail(`unexpected ${token.kind === "end of text" ? "EOF" : `<${text}>`} in ${context}`);
  }

  #expect(kind: Token["kind"], context: string): Token {
    const token = this.#tokens.nextNonSpace();
    return token.kind === kind ? token : this.#unexpected(token, context);
  }

  #requireNesting(depth: number): void {
    const { nesting } = this.#shared;
    if (depth > nesting) this.#fail(`it is nested more than ${nesting} levels deep`, "TEMPLATE_LIMIT");
  }

  /** Runs one level deeper. */
  #deeper<T>(read: () => T): T {
    this.#shared.depth += 1;
    this.#requireNesting(this.#shared.depth);
    const result = read();
    this.#shared.depth -= 1;
    return result;
  }

  #add(name: string, body: readonly Node[]): void {
    const there = this.#shared.definitions.get(name);
    if (there === undefined || isBlank(there.body))
      this.#shared.definitions.set(name, { name, source: this.#shared.source, body });
    else if (!isBlank(body)) this.#fail(`template: multiple definition of template "${name}"`);
  }

  #definition(): void {
    const context = "define clause";
    const token = this.#tokens.nextNonSpace();
    if (token.kind !== "string" && token.kind !== "raw string") this.#unexpected(token, context);
    const name = this.#literal(token);
    this.#expect("}}", context);
    this.#body(name, context);
  }

  /** @param around whoever tells of a wrong end, at its own line: of a block that is the text around it. */
  #body(name: string, context: string, around: Parser = this): void {
    const { body, ending } = this.#deeper(() => this.#items());
    if (ending.is !== "end") around.#fail(`unexpected {{${ending.is}}} in ${context}`);
    this.#add(name, body);
  }

  #items(): { readonly body: readonly Node[]; readonly ending: Ending } {
    const body: Node[] = [];
    while (this.#tokens.peekNonSpace().kind !== "end of text") {
      const item = this.#item();
      if (item.is === "end" || item.is === "else") return { body, ending: item };
      body.push(item);
    }
    this.#fail("unexpected EOF");
  }

  #item(): Item {
    const token = this.#tokens.nextNonSpace();
    if (token.kind === "text") return { is: "text", text: token.text, at: token.at };
    if (token.kind !== "{{") this.#unexpected(token, "input");
    this.#actionLine = token.line;
    const item = this.#action();
    this.#actionLine = 0;
    return item;
  }

  #action(): Item {
    const token = this.#tokens.nextNonSpace();
    if (REFUSABLE.has(token.kind) && this.#shared.knows(token.text) !== undefined) this.#known(token.text);
    switch (token.kind) {
      case "block":
        return this.#block();
      case "break":
      case "continue":
        return this.#jump(token.kind, token.at);
      case "else":
        return this.#else();
      case "end":
        return { is: "end", at: this.#expect("}}", "end").at };
      case "if":
      case "range":
      case "with":
        return this.#control(token.kind);
      case "template":
        return this.#template();
      default: {
        this.#tokens.back();
        const { at } = this.#tokens.peek();
        return { is: "action", pipeline: this.#pipeline("command", "}}"), at };
      }
    }
  }

  #jump(is: "break" | "continue", at: number): Item {
    const token = this.#tokens.nextNonSpace();
    if (token.kind !== "}}") this.#unexpected(token, `{{${is}}}`);
    if (this.#ranges === 0) this.#fail(`{{${is}}} outside {{range}}`);
    return { is, at };
  }

  #else(): Item {
    const peeked = this.#tokens.peekNonSpace();
    if (peeked.kind === "if" || peeked.kind === "with") return { is: "else", at: peeked.at };
    return { is: "else", at: this.#expect("}}", "else").at };
  }

  #control(is: "if" | "range" | "with"): Node {
    const declared = this.#variables.length;
    const node = this.#deeper(() => {
      const pipeline = this.#pipeline(is, "}}");
      if (is === "range") this.#ranges += 1;
      const { body, ending } = this.#items();
      if (is === "range") this.#ranges -= 1;
      const { at } = pipeline;
      return ending.is === "end"
        ? { is, pipeline, body, at }
        : { is, pipeline, body, at, otherwise: this.#otherwise(is) };
    });
    this.#variables.length = declared;
    return node;
  }

  #otherwise(is: "if" | "range" | "with"): readonly Node[] {
    if (is !== "range" && this.#tokens.peek().kind === is) {
      this.#tokens.next();
      return [this.#control(is)];
    }
    const { body, ending } = this.#items();
    if (ending.is !== "end") this.#fail(`expected end; found {{${ending.is}}}`);
    return body;
  }

  #templateName(context: string): { readonly name: string; readonly at: number } {
    const token = this.#tokens.nextNonSpace();
    if (token.kind !== "string" && token.kind !== "raw string") this.#unexpected(token, context);
    return { name: this.#literal(token), at: token.at };
  }

  #block(): Node {
    const context = "block clause";
    const { name, at } = this.#templateName(context);
    const pipeline = this.#pipeline(context, "}}");
    new Parser(this.#shared).#body(name, context, this);
    return { is: "template", name, pipeline, at };
  }

  #template(): Node {
    const context = "template clause";
    const { name, at } = this.#templateName(context);
    if (this.#tokens.nextNonSpace().kind === "}}") return { is: "template", name, at };
    this.#tokens.back();
    return { is: "template", name, pipeline: this.#pipeline(context, "}}"), at };
  }

  #pipeline(context: string, end: "}}" | ")"): Pipeline {
    const { at } = this.#tokens.peekNonSpace();
    const { variables, assigns } = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#tokens.nextNonSpace();
      if (token.kind === end) break;
      if (!OPERANDS.has(token.kind)) this.#unexpected(token, context);
      this.#tokens.back();
      commands.push(this.#command());
      // What stands before a pipe is the innermost part of what stands behind it.
      this.#requireNesting(commands.length);
    }
    if (commands.length === 0) this.#fail(`missing value for ${context}`);
    for (const [index, { operands }] of commands.entries())
      if (index > 0 && ["bool", "dot", "nil", "number", "text"].includes(operands[0].is))
        this.#fail(`non executable command in pipeline stage ${index + 1}`);
    return { is: "pipeline", commands, variables, assigns, at };
  }

  #declarations(context: string): { readonly variables: readonly string[]; readonly assigns: boolean } {
    const variables: string[] = [];
    for (;;) {
      const variable = this.#tokens.peekNonSpace();
      if (variable.kind !== "variable") return { variables, assigns: false };
      this.#tokens.next();
      // A space after the variable is kept: it separates `$x .y` from `$x.y`.
      const after = this.#tokens.peek();
      const next = this.#tokens.peekNonSpace();
      const declares = next.kind === "=" || next.kind === ":=";
      if (!declares && !(next.kind === "character" && next.text === ",")) {
        if (after.kind === "space") this.#tokens.backThree(variable, after);
        else this.#tokens.backTwo(variable);
        return { variables, assigns: false };
      }
      this.#tokens.nextNonSpace();
      variables.push(variable.text);
      this.#variables.push(variable.text);
      if (declares) return { variables, assigns: next.kind === "=" };
      if (context !== "range" || variables.length > 1) this.#fail(`too many declarations in ${context}`);
      if (!["variable", "}}", ")"].includes(this.#tokens.peekNonSpace().kind))
        this.#fail("range can only initialize variables");
    }
  }

  #command(): Command {
    const { at } = this.#tokens.peekNonSpace();
    const operands: Operand[] = [];
    for (;;) {
      this.#tokens.peekNonSpace();
      const operand = this.#operand();
      if (operand !== undefined) operands.push(operand);
      const token = this.#tokens.next();
      if (token.kind === "space") continue;
      if (token.kind === "}}" || token.kind === ")") this.#tokens.back();
      else if (token.kind !== "|") this.#unexpected(token, "operand");
      break;
    }
    const [first, ...others] = operands;
    if (first === undefined) this.#fail("empty command");
    return { operands: [first, ...others], at };
  }

  #operand(): Operand | undefined {
    const term = this.#term();
    if (term === undefined || this.#tokens.peek().kind !== "field") return term;
    const { at } = this.#tokens.peek();
    const path: string[] = [];
    while (this.#tokens.peek().kind === "field") path.push(this.#tokens.next().text.slice(1));
    switch (term.is) {
      case "field":
      case "variable":
        return { is: term.is, path: [...term.path, ...path], at };
      case "bool":
      case "text":
      case "number":
      case "nil":
      case "dot":
        return this.#fail(`unexpected . after term "${sourceOf(term)}"`);
      default:
        return { is: "chain", of: term, path, at };
    }
  }

  #term(): Operand | undefined {
    const { kind, text, at, line: _ } = this.#tokens.nextNonSpace();
    switch (kind) {
      case "identifier":
        return { is: "call", name: this.#known(text), at };
      case "dot":
      case "nil":
        return { is: kind, at };
      case "variable":
        if (!this.#variables.includes(text))
          this.#fail(`undefined variable "${text}"`, "TEMPLATE_VARIABLE_UNKNOWN", text);
        return { is: "variable", path: [text], at };
      case "field":
        return { is: "field", path: [text.slice(1)], at };
      case "bool":
        return { is: "bool", value: text === "true", at };
      case "rune":
      case "complex":
      case "number":
        return { is: "number", value: this.#constant(kind, text), at };
      case "(":
        return this.#deeper(() => this.#pipeline("parenthesized pipeline", ")"));
      case "string":
      case "raw string":
        return { is: "text", value: this.#unquoted(text), source: text, at };
      default:
        this.#tokens.back();
        return undefined;
    }
  }

  #known(name: string): string {
    const known = this.#shared.knows(name);
    if (known === true) return name;
    if (known === undefined) this.#fail(`function "${name}" not defined`, "TEMPLATE_FUNCTION_UNKNOWN", name);
    this.#fail(`"${name}" may not be used: ${known.refused}`, "TEMPLATE_FUNCTION_REFUSED", name);
  }

  #constant(kind: "rune" | "complex" | "number", text: string) {
    if (kind === "rune") {
      const rune = unquoteCharacter(text);
      return rune === undefined
        ? this.#fail(`malformed character constant: ${text}`)
        : runeConstant(text, rune);
    }
    const constant = kind === "complex" ? complexConstant(text) : constantOf(text);
    return typeof constant === "string" ? this.#fail(constant) : constant;
  }

  #literal(token: Token): string {
    return this.#unquoted(token.text);
  }

  #unquoted(literal: string): string {
    return unquote(literal) ?? this.#fail("invalid syntax", "TEMPLATE_SYNTAX", literal);
  }
}

/**
 * Reads a file's text, given as bytes, into its definitions: the file under its own name, and what it defines.
 * @throws TemplateError
 */
export function definitionsOf(
  name: string,
  text: string,
  knows: KnowsFunction,
  nesting: number,
): ReadonlyMap<string, Definition> {
  const definitions = new Map<string, Definition>();
  const lexer = new Lexer(text, (word) => knows(word) === true);
  new Parser({ name, source: { name, text }, lexer, definitions, knows, nesting, depth: 0 }).file();
  return definitions;
}
