import type { ASTNode } from "@marcbachmann/cel-js";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";
import { ofEveryObject } from "./typed.ts";
import { unescapedName } from "./value.ts";

/** The schemas of the variables that stand at a place of a rule. */
type Scope = Readonly<Record<string, StructuralSchema | undefined>>;

const text: StructuralSchema = { type: "string" };
const index: StructuralSchema = { type: "integer" };
/** Macros that go through a list or map, and whether they give a part of it. */
const macros: Readonly<Record<string, "part" | "other">> = {
  all: "other",
  exists: "other",
  exists_one: "other",
  existsOne: "other",
  filter: "part",
  map: "other",
  transformList: "other",
  transformMap: "other",
  transformMapEntry: "other",
};

/**
 * The first field that a rule names where the schema does not declare it: such a rule can never hold. `root`: the schema is that of
 * whole objects.
 */
export function undeclaredField(node: ASTNode, schema: StructuralSchema, root: boolean): string | undefined {
  let found: string | undefined;
  const visitAll = (all: readonly unknown[], scope: Scope): void => {
    for (const one of all) visit(one, scope);
  };
  const visit = (at: unknown, scope: Scope): StructuralSchema | undefined => {
    if (Array.isArray(at)) {
      visitAll(at, scope);
      return undefined;
    }
    if (!isNode(at)) return undefined;
    switch (at.op) {
      case "id":
        return Object.hasOwn(scope, at.args) ? scope[at.args] : undefined;
      case ".":
      case ".?":
        return select(visit(at.args[0], scope), at.args[1]);
      case "[]":
        visit(at.args[1], scope);
        return itemOf(visit(at.args[0], scope));
      case "?:": {
        const [condition, one, other] = at.args;
        visit(condition, scope);
        const first = visit(one, scope);
        return first === visit(other, scope) ? first : undefined;
      }
      case "rcall":
        return call(at.args[0], visit(at.args[1], scope), at.args[2], scope);
      default:
        visit(at.args, scope);
        return undefined;
    }
  };
  const select = (base: StructuralSchema | undefined, name: string): StructuralSchema | undefined => {
    if (base === undefined || hasAnyField(base)) return undefined;
    if (isObject(base.additionalProperties)) return base.additionalProperties;
    const whole = (root && base === schema) || base["x-kubernetes-embedded-resource"] === true;
    const field = base.properties?.[unescapedName(name)] ?? (whole ? ofEveryObject[name] : undefined);
    if (field === undefined) found ??= name;
    return field;
  };
  const call = (
    name: string,
    receiver: StructuralSchema | undefined,
    args: readonly ASTNode[],
    scope: Scope,
  ): StructuralSchema | undefined => {
    const [first, second] = args;
    const macro = Object.hasOwn(macros, name) ? macros[name] : undefined;
    if (macro === undefined || first?.op !== "id" || args.length < 2) {
      visitAll(args, scope);
      return undefined;
    }
    const key = receiver?.type === "array" ? index : receiver === undefined ? undefined : text;
    const item = itemOf(receiver);
    const two = second?.op === "id" && args.length > 2;
    const inner = two
      ? { ...scope, [first.args]: key, [second.args]: item }
      : { ...scope, [first.args]: receiver?.type === "array" ? item : key };
    visitAll(args.slice(two ? 2 : 1), inner);
    return macro === "part" && receiver?.type === "array" ? receiver : undefined;
  };
  visit(node, { self: schema, oldSelf: schema });
  return found;
}

/** Values whose fields are not declared, because their type is not. */
const hasAnyField = (schema: StructuralSchema): boolean =>
  schema.type === undefined || schema["x-kubernetes-int-or-string"] === true;

const itemOf = (schema: StructuralSchema | undefined): StructuralSchema | undefined =>
  schema?.items ?? (isObject(schema?.additionalProperties) ? schema.additionalProperties : undefined);

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
