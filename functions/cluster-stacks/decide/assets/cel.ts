import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { messageOf } from "../../../../shared/errors.ts";
import { parseTemplate } from "../../../../shared/templates/index.ts";
import { sprig } from "../../../../shared/templates/sprig.ts";

/** The reason why a text is no condition, in upstream's words. */
export interface CelFault {
  readonly reason: "CompileCELExpressionFailed" | "WrongInputVar" | "CELExpressionTypeMismatch";
  readonly message: string;
}
/** A condition that can be asked. */
export interface CelProgram {
  readonly ast: ASTNode;
  /** Asks it about objects by their keys. Throws where it cannot be answered for them. */
  run(objects: Readonly<Record<string, unknown>>): unknown;
}

/** Longer conditions are no work of people. */
const LIMITS = { maxAstNodes: 2000, maxDepth: 50 } as const;
const firstLine = (text: string): string => text.split("\n")[0] ?? text;

/** CEL's patterns are RE2's, which take no longer than their text; JavaScript's may never end. */
const PATTERN = parseTemplate("matches", "{{ regexMatch .pattern .text }}", { functions: sprig });
const matches = (text: string, pattern: string): boolean =>
  PATTERN.execute(new Map(Object.entries({ text, pattern }))) === "true";

/** Compiles a text as a condition about objects, each a map of anything. */
export function compileCel(text: string, keys: readonly string[]): CelProgram | CelFault {
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS });
  const compileFault = (message: string): CelFault => ({
    reason: "CompileCELExpressionFailed",
    message: firstLine(message),
  });
  try {
    environment.registerFunction("string.matchesRe2__(string): bool", matches);
    for (const key of keys) environment.registerVariable(key, "dyn");
    const written = environment.parse(text);
    if (usesBindings(written.ast)) return compileFault("Unknown variable: cel");
    const program = environment.parse(withRe2(text, written.ast));
    const { valid, type, error } = program.check();
    if (!valid && error?.code === "unknown_variable")
      return { reason: "WrongInputVar", message: firstLine(error.message) };
    if (!valid) return compileFault(error?.message ?? "it is no CEL");
    if (type !== "bool" && type !== "dyn")
      return { reason: "CELExpressionTypeMismatch", message: `it gives ${type}, not true or false` };
    return { ast: written.ast, run: (objects) => program(objects) };
  } catch (error) {
    return compileFault(messageOf(error));
  }
}

/** The reason why a text is no condition about these objects; undefined where it is one. */
export function celFault(text: string, keys: readonly string[]): CelFault | undefined {
  const compiled = compileCel(text, keys);
  return "reason" in compiled ? compiled : undefined;
}

/** True for a name that CEL can call an object by. */
export const isCelName = (key: string): boolean => celFault(`${key} == ${key}`, [key]) === undefined;

/** True for a part of a parsed text that has parts itself. */
export const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;

function* nodesOf(ast: ASTNode): Generator<ASTNode> {
  const open: unknown[] = [ast];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (Array.isArray(at)) open.push(...at);
    else if (isNode(at)) {
      yield at;
      open.push(at.args);
    }
  }
}

/** Names for parts of a condition are an extension that upstream's operator does not have, and by which values grow without end. */
const usesBindings = (ast: ASTNode): boolean =>
  [...nodesOf(ast)].some(({ op, args }) => op === "id" && args === "cel");

/** The text with each match by our own patterns. */
function withRe2(text: string, ast: ASTNode): string {
  const places = [...nodesOf(ast)].flatMap((node) => {
    if (node.op !== "rcall" || node.args[0] !== "matches") return [];
    const [, receiver, [first]] = node.args;
    const dot = text.indexOf(".matches", receiver.range.end);
    return first === undefined || dot < 0 || dot > first.range.start ? [] : [dot];
  });
  return places
    .toSorted((one, other) => other - one)
    .reduce((out, dot) => `${out.slice(0, dot)}.matchesRe2__${out.slice(dot + ".matches".length)}`, text);
}
