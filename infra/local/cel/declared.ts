import type { ASTNode } from "@marcbachmann/cel-js";
import { isObject } from "../json.ts";
import type { StructuralSchema } from "../resource-type.ts";
import { unescapedName } from "./value.ts";

/** The first field below `self` or `oldSelf` that the schema does not declare: a rule that names it can never hold. */
export function undeclaredField(node: ASTNode, schema: StructuralSchema): string | undefined {
  let found: string | undefined;
  const visit = (at: unknown): StructuralSchema | undefined => {
    if (Array.isArray(at)) {
      for (const one of at) visit(one);
      return undefined;
    }
    if (!isNode(at)) return undefined;
    if (at.op === "id") return at.args === "self" || at.args === "oldSelf" ? schema : undefined;
    if (at.op === "." || at.op === ".?") {
      const base = visit(at.args[0]);
      if (base === undefined || base.type !== "object") return undefined;
      if (isObject(base.additionalProperties)) return base.additionalProperties;
      const field = base.properties?.[unescapedName(at.args[1])];
      const given = ["apiVersion", "kind", "metadata"].includes(at.args[1]);
      if (field === undefined && !given) found ??= at.args[1];
      return field;
    }
    if (at.op === "[]") {
      const base = visit(at.args[0]);
      visit(at.args[1]);
      return base?.items ?? (isObject(base?.additionalProperties) ? base.additionalProperties : undefined);
    }
    visit(at.args);
    return undefined;
  };
  visit(node);
  return found;
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
