/** The JSON name of a value's type: `integer` counts as `number`. */
export function typeName(value: unknown): "null" | "array" | "object" | "string" | "number" | "boolean" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const name = typeof value;
  return name === "string" || name === "number" || name === "boolean" ? name : "object";
}
