import { isRecord } from "./fields.ts";

/** True where two values are the same JSON: lists in order, fields in any order; a field that is undefined counts as absent. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index]))
    );
  if (!isRecord(one) || !isRecord(other)) return false;
  const fields = Object.keys(one).filter((field) => one[field] !== undefined);
  return (
    fields.length === Object.keys(other).filter((field) => other[field] !== undefined).length &&
    // A field called __proto__ is read from the prototype where an object has none of its own.
    fields.every((field) => Object.hasOwn(other, field) && sameJson(one[field], other[field]))
  );
}
