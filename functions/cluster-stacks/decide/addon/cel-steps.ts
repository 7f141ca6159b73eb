import type { ASTNode } from "@marcbachmann/cel-js";
import { isRecord } from "../../../../shared/json/fields.ts";

/** The size of a value, at most. */
interface Size {
  /** The length of all that it holds, in characters and numbers. */
  readonly weight: number;
  /** The length of the longest list or map in it. */
  readonly items: number;
}
interface Estimate extends Size {
  readonly steps: number;
}
type Sizes = ReadonlyMap<string, Size>;

const ONE: Size = { weight: 1, items: 1 };
const MACROS = ["all", "exists", "exists_one", "map", "filter"];

/** The size of an object. */
export function sizeOf(value: unknown): Size {
  if (typeof value === "string") return { weight: value.length + 1, items: 1 };
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : undefined;
  if (inner === undefined) return ONE;
  const sizes = inner.map(sizeOf);
  return {
    weight: sizes.reduce((sum, { weight }) => sum + weight, inner.length + 1),
    items: sizes.reduce((most, { items }) => Math.max(most, items), inner.length),
  };
}

/** The number of steps that a condition takes at most, by the sizes of its objects. It may be said to be more than it is. */
export const stepsOf = (ast: ASTNode, sizes: Sizes): number => estimate(ast, sizes).steps;

const total = (parts: readonly Estimate[], key: keyof Estimate): number =>
  parts.reduce((sum, part) => sum + part[key], 0);
const most = (parts: readonly Estimate[], key: keyof Estimate): number =>
  parts.reduce((found, part) => Math.max(found, part[key]), 1);

function estimate(node: ASTNode, sizes: Sizes): Estimate {
  const each = (nodes: readonly ASTNode[]): Estimate[] => nodes.map((one) => estimate(one, sizes));
  /** All of it is looked at, and something small comes out. */
  const looked = (parts: readonly Estimate[]): Estimate => ({
    ...ONE,
    steps: 1 + total(parts, "steps") + total(parts, "weight"),
  });
  /** Something comes out that is as large as all of it together. */
  const joined = (parts: readonly Estimate[]): Estimate => ({
    weight: total(parts, "weight"),
    items: Math.max(parts.length, total(parts, "items"), total(parts, "weight")),
    steps: 1 + total(parts, "steps") + total(parts, "weight"),
  });
  switch (node.op) {
    case "value": {
      const weight = typeof node.args === "string" ? node.args.length + 1 : 1;
      return { weight, items: weight, steps: 1 };
    }
    case "id":
      return { ...(sizes.get(node.args) ?? ONE), steps: 1 };
    case ".":
    case ".?": {
      const of = estimate(node.args[0], sizes);
      return { ...of, steps: of.steps + 1 };
    }
    case "[]":
    case "[?]": {
      const [of, index] = [estimate(node.args[0], sizes), estimate(node.args[1], sizes)];
      return { ...of, steps: of.steps + index.steps + index.weight };
    }
    case "list":
      return joined(each(node.args));
    case "map":
      return joined(each(node.args.flat()));
    case "?:": {
      const parts = each(node.args);
      return {
        weight: most(parts, "weight"),
        items: most(parts, "items"),
        steps: 1 + total(parts, "steps"),
      };
    }
    case "+":
      return joined(each(node.args));
    case "!_":
    case "-_":
      return looked([estimate(node.args, sizes)]);
    case "call":
      return node.args[0] === "has"
        ? { ...ONE, steps: looked(each(node.args[1])).steps }
        : joined(each(node.args[1]));
    case "rcall":
      return called(node, sizes, joined);
    default:
      return looked(each(node.args));
  }
}

function called(
  { args: [name, receiver, given] }: ASTNode & { readonly op: "rcall" },
  sizes: Sizes,
  joined: (parts: readonly Estimate[]) => Estimate,
): Estimate {
  const of = estimate(receiver, sizes);
  const [variable, ...bodies] = given;
  if (!MACROS.includes(name) || variable?.op !== "id" || bodies.length === 0)
    return joined([of, ...given.map((one) => estimate(one, sizes))]);
  const inner = new Map(sizes).set(variable.args, of);
  const parts = bodies.map((body) => estimate(body, inner));
  const steps = of.steps + of.items * (1 + total(parts, "steps"));
  if (name === "filter") return { ...of, steps };
  if (name !== "map") return { ...ONE, steps };
  return {
    weight: of.items * most(parts, "weight"),
    items: Math.max(of.items, most(parts, "items")),
    steps,
  };
}
