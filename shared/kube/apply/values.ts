export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const mapsOfQuantities = new Set(["requests", "limits", "hard", "capacity"]);
const quantities = new Set(["storage", "sizeLimit"]);

/** Whether built-in kinds keep a quantity at this path of field names. */
export const quantityAt = (path: readonly string[]): boolean =>
  quantities.has(path.at(-1) ?? "") || mapsOfQuantities.has(path.at(-2) ?? "");

/** Equality of JSON values: the same keys, the same order in lists. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]))
  );
}
