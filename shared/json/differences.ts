import { isRecord } from "./fields.ts";

const LONGEST = 10;

/** Numbers and texts of the same number are two values; null and absence are one. */
export function isSame(one: unknown, other: unknown): boolean {
  return differences(one, other, 1).length === 0;
}

/** The paths at which two JSON values differ, `limit` at most. Values never show: they may be secrets. */
export function differences(one: unknown, other: unknown, limit = LONGEST): readonly string[] {
  const found: string[] = [];
  const look = (a: unknown, b: unknown, path: string): void => {
    if (found.length >= limit || a === b || (a ?? null) === (b ?? null)) return;
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      a.forEach((item, index) => {
        look(item, b[index], `${path}[${index}]`);
      });
    } else if (isRecord(a) && isRecord(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        look(a[name], b[name], path === "" ? name : `${path}.${name}`);
    } else found.push(path);
  };
  look(one, other, "");
  return found;
}
