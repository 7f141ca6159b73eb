import { FunctionFault } from "./errors.ts";
import { Complex, Dict, Int, List, TemplateObject, typeOf, type Value } from "./values.ts";

type BasicKind = "bool" | "complex" | "integer" | "float" | "text" | "other";

function basicKind(value: Value): BasicKind {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "float";
  if (value instanceof Int) return "integer";
  return value instanceof Complex ? "complex" : "other";
}

const isNil = (value: Value): boolean =>
  value === undefined || value === null || ((value instanceof List || value instanceof Dict) && value.isNil);
const isAbsent = (value: Value): boolean => value === undefined || value === null;
const shape = (value: Value): string =>
  value instanceof List
    ? "slice"
    : value instanceof Dict
      ? "map"
      : value instanceof TemplateObject
        ? value.kind
        : "";

/** Equality of what is neither text, number nor truth. */
function otherEqual(one: Value, other: Value): boolean {
  if (!isAbsent(one) && !isAbsent(other) && shape(one) !== shape(other))
    throw new FunctionFault(`non-comparable types ${typeOf(one)}, ${typeOf(other)}`);
  if (isNil(one) || isNil(other)) return isNil(one) && isNil(other);
  if (!(other instanceof TemplateObject)) throw new FunctionFault(`non-comparable type ${typeOf(other)}`);
  return one === other;
}

function pairEqual(one: Value, other: Value): boolean {
  const kind = basicKind(one);
  if (kind !== basicKind(other)) {
    if (!isAbsent(one) && !isAbsent(other))
      throw new FunctionFault(`incompatible types for comparison: ${typeOf(one)} and ${typeOf(other)}`);
    return false;
  }
  if (kind === "other") return otherEqual(one, other);
  if (one instanceof Int && other instanceof Int) return one.value === other.value;
  if (one instanceof Complex && other instanceof Complex)
    return one.real === other.real && one.imaginary === other.imaginary;
  return one === other;
}

/** True where a value equals one of the others. @throws FunctionFault where two cannot be compared. */
export function equal(one: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new FunctionFault("missing argument for comparison");
  return others.some((other) => pairEqual(one, other));
}

/** True where a value comes before another. @throws FunctionFault where they have no order. */
export function less(one: Value, other: Value): boolean {
  const kind = basicKind(one);
  const otherKind = basicKind(other);
  if (kind === "other" || otherKind === "other") throw new FunctionFault("invalid type for comparison");
  if (kind !== otherKind)
    throw new FunctionFault(`incompatible types for comparison: ${typeOf(one)} and ${typeOf(other)}`);
  if (one instanceof Int && other instanceof Int) return one.value < other.value;
  if (typeof one === "number" && typeof other === "number") return one < other;
  if (typeof one === "string" && typeof other === "string") return one < other;
  throw new FunctionFault("invalid type for comparison");
}
