import { isObject } from "../../json.ts";

/** One step of a JSONPath. */
type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "all" }
  | { readonly kind: "deep"; readonly name: string }
  | { readonly kind: "slice"; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: "index"; readonly index: number }
  | {
      readonly kind: "filter";
      readonly path: readonly Step[];
      readonly operator: string;
      readonly literal: unknown;
    };

const parsed = new Map<string, readonly Step[] | undefined>();

/**
 * The values that a printer column's JSONPath finds: fields, `[0]`, `[-1]`, `[1:3]`, `[*]`, `['a.b']`, `..name` and filters such
 * as `[?(@.type=="Ready")]`. A text that is no path finds nothing.
 */
export function findAll(object: unknown, path: string): readonly unknown[] {
  let steps = parsed.get(path);
  if (steps === undefined && !parsed.has(path)) {
    steps = parse(path);
    parsed.set(path, steps);
  }
  return steps === undefined ? [] : follow([object], steps);
}

function follow(from: readonly unknown[], steps: readonly Step[]): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => take(value, step)), from);
}

function take(value: unknown, step: Step): readonly unknown[] {
  switch (step.kind) {
    case "field":
      return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case "all":
      return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    case "deep":
      return [
        ...take(value, { kind: "field", name: step.name }),
        ...take(value, { kind: "all" }).flatMap((inner) => take(inner, step)),
      ];
    case "index": {
      const item: unknown = Array.isArray(value) ? value.at(step.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case "slice":
      return Array.isArray(value) ? value.slice(step.from, step.to) : [];
    case "filter":
      return (Array.isArray(value) ? value : []).filter((item) => passes(follow([item], step.path), step));
  }
}

function passes(
  found: readonly unknown[],
  { operator, literal }: Extract<Step, { kind: "filter" }>,
): boolean {
  if (operator === "") return found.length > 0;
  return found.some((value) => {
    switch (operator) {
      case "==":
        return value === literal;
      case "!=":
        return value !== literal;
      default:
        return ordered(value, literal, operator);
    }
  });
}

function ordered(value: unknown, literal: unknown, operator: string): boolean {
  if (typeof value !== "number" || typeof literal !== "number") return false;
  if (operator === "<") return value < literal;
  if (operator === "<=") return value <= literal;
  return operator === ">" ? value > literal : value >= literal;
}

const FILTER = /^\?\(\s*@([^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?)\s*)?\)$/;

/** Undefined where the text is no path. */
function parse(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = path.replace(/^\{(.*)\}$/, "$1").replace(/^\$/, "");
  while (rest !== "") {
    const deep = /^\.\.([^.[]+)/.exec(rest);
    const field = /^\.?((?:\\.|[^.[\\])+)/.exec(rest);
    if (rest.startsWith("[")) {
      const end = closing(rest);
      if (end < 0) return undefined;
      steps.push(bracket(rest.slice(1, end)));
      rest = rest.slice(end + 1);
    } else if (deep !== null) {
      steps.push({ kind: "deep", name: deep[1] ?? "" });
      rest = rest.slice(deep[0].length);
    } else if (field !== null) {
      const name = (field[1] ?? "").replace(/\\(.)/g, "$1");
      steps.push(name === "*" ? { kind: "all" } : { kind: "field", name });
      rest = rest.slice(field[0].length);
    } else return rest === "." ? steps : undefined;
  }
  return steps;
}

/** The end of the bracket that the text begins with; quotes hide brackets. */
function closing(text: string): number {
  let quote = "";
  let depth = 0;
  for (const [index, letter] of [...text].entries()) {
    if (quote !== "") {
      if (letter === quote) quote = "";
    } else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "[") depth++;
    else if (letter === "]" && --depth === 0) return index;
  }
  return -1;
}

function bracket(inside: string): Step {
  const text = inside.trim();
  if (text === "*") return { kind: "all" };
  if (/^-?\d+$/.test(text)) return { kind: "index", index: Number(text) };
  const slice = /^(-?\d*):(-?\d*)$/.exec(text);
  if (slice !== null)
    return {
      kind: "slice",
      from: slice[1] ? Number(slice[1]) : undefined,
      to: slice[2] ? Number(slice[2]) : undefined,
    };
  const filter = FILTER.exec(text);
  if (filter !== null)
    return {
      kind: "filter",
      path: parse(filter[1] ?? "") ?? [],
      operator: filter[2] ?? "",
      literal: literalOf(filter[3] ?? ""),
    };
  return { kind: "field", name: text.replace(/^(['"])(.*)\1$/, "$2") };
}

function literalOf(text: string): unknown {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2];
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}
