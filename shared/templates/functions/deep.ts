import type { Budget } from "../limits.ts";
import { Complex, Dict, Int, List, TemplateObject, type Value } from "../values.ts";

const isAbsent = (value: Value): boolean => value === undefined || value === null;

/** Go's `reflect.DeepEqual`: the same types and the same content. */
export function deepEqual(one: Value, other: Value, budget: Budget, depth = 0): boolean {
  budget.within(depth);
  if (isAbsent(one) || isAbsent(other)) return isAbsent(one) && isAbsent(other);
  if (one === other) return typeof one !== "number" || !Number.isNaN(one);
  if (one instanceof Int && other instanceof Int) return one.type === other.type && one.value === other.value;
  if (one instanceof Complex && other instanceof Complex)
    return one.real === other.real && one.imaginary === other.imaginary;
  if (one instanceof TemplateObject && other instanceof TemplateObject) return one.isEqual(other);
  if (one instanceof List && other instanceof List)
    return (
      one.of === other.of &&
      one.isNil === other.isNil &&
      one.items.length === other.items.length &&
      one.items.every((item, index) => deepEqual(item, other.items[index], budget, depth + 1))
    );
  if (one instanceof Dict && other instanceof Dict)
    return (
      one.of === other.of &&
      one.isNil === other.isNil &&
      one.entries.size === other.entries.size &&
      [...one.entries].every(
        ([key, item]) => other.entries.has(key) && deepEqual(item, other.entries.get(key), budget, depth + 1),
      )
    );
  return false;
}

/** A copy that shares no map with its original. */
export function deepCopy(value: Value, budget: Budget, depth = 0): Value {
  budget.within(depth);
  if (value instanceof List) {
    // A nil list stays one.
    const items = value.items.map((item) => deepCopy(item, budget, depth + 1));
    return new List(items, value.of, value.isNil, value.capacity - items.length);
  }
  if (value instanceof TemplateObject) return value.copied();
  if (!(value instanceof Dict)) return value;
  const entries = [...value.entries].map(([key, item]) => [key, deepCopy(item, budget, depth + 1)] as const);
  return new Dict(entries, value.of, value.isNil);
}

/** True for what sprig takes as empty: like false in a condition, but for nothing that is an object. */
export function isEmpty(value: Value): boolean {
  if (value === undefined || value === null || value === false || value === "" || value === 0) return true;
  if (value instanceof Int) return value.value === 0n;
  if (value instanceof Complex) return value.real === 0 && value.imaginary === 0;
  if (value instanceof List) return value.items.length === 0;
  return value instanceof Dict && value.entries.size === 0;
}
