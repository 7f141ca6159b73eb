import type { ASTNode } from "@marcbachmann/cel-js";
import { patternOf } from "../../../shared/kube/validation/pattern.ts";

/** A place in a source that reads otherwise. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const pair = "pair__";
/** Macros over two variables, as what follows the list of pairs, and what becomes of its result. */
const overPairs: Readonly<
  Record<string, { readonly name: string; readonly entry?: true; readonly after?: string }>
> = {
  all: { name: "all" },
  exists: { name: "exists" },
  existsOne: { name: "exists_one" },
  exists_one: { name: "exists_one" },
  transformList: { name: "map" },
  transformMap: { name: "map", entry: true, after: ".asMap__()" },
  transformMapEntry: { name: "map", after: ".merged__()" },
};
const ofOptional: Readonly<Record<string, string>> = {
  optMap: ".asOptional__()",
  optFlatMap: ".asFlatOptional__()",
};

/**
 * A CEL source in the words that the library has: `has()` of any selection, macros over two variables, `optMap`, and matching by
 * RE2 become calls of functions that `registerMacros` adds. Text is replaced where the parsed source says, and nowhere else.
 */
export function inLibraryWords(source: string, ast: ASTNode): string {
  const edits: Edit[] = [];
  for (const node of nodesOf(ast)) {
    if (node.op === "call") edits.push(...editsOfCall(source, node));
    else if (node.op === "rcall") edits.push(...editsOfMethod(source, node));
  }
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  let out = "";
  let at = 0;
  for (const edit of edits) {
    out += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + source.slice(at);
}

/** True where a name is used as a variable. */
export function namesVariable(ast: ASTNode, name: string): boolean {
  for (const node of nodesOf(ast)) if (node.op === "id" && node.args === name) return true;
  return false;
}

/** The fault of a pattern that is spelled out in a rule; undefined where all are patterns. */
export function faultyPattern(ast: ASTNode): string | undefined {
  for (const node of nodesOf(ast)) {
    if ((node.op !== "rcall" && node.op !== "call") || node.args[0] !== "matches") continue;
    const pattern = (node.op === "rcall" ? node.args[2] : node.args[1]).at(-1);
    if (pattern?.op !== "value" || typeof pattern.args !== "string") continue;
    try {
      patternOf(pattern.args);
    } catch (error) {
      if (error instanceof SyntaxError) return error.message;
      throw error;
    }
  }
  return undefined;
}

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

function editsOfCall(source: string, node: ASTNode & { readonly op: "call" }): Edit[] {
  const [name, [first]] = node.args;
  const { start, end } = node.range;
  if (name === "matches") return [{ start, end: start + name.length, text: "matchesRe2__" }];
  if (name !== "has" || first === undefined || first.op !== "." || isPath(first)) return [];
  const dot = source.lastIndexOf(".", end);
  const rest = /^\.\s*(\w+)\s*\)$/.exec(source.slice(dot, end));
  if (rest === null || dot < first.args[0].range.end) return [];
  return [
    { start, end: start + name.length, text: "hasField__" },
    { start: dot, end, text: `, '${rest[1] ?? ""}')` },
  ];
}

/** `a.b.c`: these the library answers itself. */
const isPath = (node: ASTNode): boolean =>
  node.op === "id" || ((node.op === "." || node.op === ".?") && isPath(node.args[0]));

function editsOfMethod(source: string, node: ASTNode & { readonly op: "rcall" }): Edit[] {
  const [name, receiver, args] = node.args;
  const [first, second] = args;
  if (first === undefined) return [];
  const called = /\.\s*\w+\s*\(\s*$/.exec(source.slice(receiver.range.end, first.range.start));
  if (name === "matches" && args.length === 1) {
    const dot = source.lastIndexOf(`.${name}`, first.range.start);
    return dot < receiver.range.end
      ? []
      : [{ start: dot, end: dot + name.length + 1, text: ".matchesRe2__" }];
  }
  if (called === null || first.op !== "id") return [];
  const start = receiver.range.end + called.index;
  const { end } = node.range;
  const optional = ofOptional[name];
  if (optional !== undefined && args.length === 2)
    return [
      { start, end: first.range.start, text: ".asList__().map(" },
      { start: end, end, text: optional },
    ];
  const macro = Object.hasOwn(overPairs, name) ? overPairs[name] : undefined;
  const widest = macro?.name === "map" ? 4 : 3;
  if (macro === undefined || second?.op !== "id" || args.length < 3 || args.length > widest) return [];
  const bound = `cel.bind(${first.args}, ${pair}[0], cel.bind(${second.args}, ${pair}[1], `;
  const last = macro.entry ? `[${pair}[0], ${bound}` : bound;
  const comma = source.indexOf(",", second.range.end);
  const filter = args.length === 4 ? args[2] : undefined;
  const edits: Edit[] = [
    {
      start,
      end: comma + 1,
      text: `.pairs__().${macro.name}(${pair}, ${filter === undefined ? last : bound}`,
    },
    { start: end - 1, end, text: `))${macro.entry ? "]" : ""})${macro.after ?? ""}` },
  ];
  if (filter !== undefined) {
    const between = source.indexOf(",", filter.range.end);
    edits.push({ start: between, end: between + 1, text: `)), ${last}` });
  }
  return edits;
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
