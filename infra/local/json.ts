import { isRecord } from "../../shared/json/fields.ts";

/** A JSON object of this server's own, which may be changed. */
export type JsonObject = Record<string, unknown>;

export const isObject: (value: unknown) => value is JsonObject = isRecord;

/** A deep copy of a JSON value. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) copy[key] = clone(value[key]);
  return copy as T;
}

/** The value at a path such as `.spec.template.replicas` or `spec.size`, without lists. */
export function valueAtPath(object: unknown, path: string): unknown {
  let at = object;
  for (const field of path.split(".").filter((part) => part !== "")) {
    if (!isObject(at)) return undefined;
    at = at[field];
  }
  return at;
}

/** Own key only: `__proto__` in a body must never reach a prototype. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
