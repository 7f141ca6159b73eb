import { isRecord } from "../../../../shared/json/fields.ts";
import { atField, atItem, type Others } from "./ownership.ts";
import { covers, type Stands } from "./stored.ts";

/**
 * A value whose kind we do not know: the manifest's, every field of it. What is there beside it is either a default that the server or a
 * schema filled in, which stays, or somebody's wish, which goes: `others` tells them apart. Undefined: all goes, for instance what only
 * the manifest of an earlier release had.
 */
export function replaced(
  wanted: unknown,
  there: unknown,
  others: Others | undefined,
  stands: Stands,
  path: readonly string[] = [],
): unknown {
  if (isRecord(wanted) && isRecord(there)) {
    const shall: Record<string, unknown> = {};
    for (const name of new Set([...Object.keys(there), ...Object.keys(wanted)])) {
      const below = others === undefined ? undefined : atField(others, name);
      if (Object.hasOwn(wanted, name)) {
        const value = replaced(wanted[name], there[name], below, stands, [...path, name]);
        if (value !== undefined) shall[name] = value;
      } else if (below !== undefined && below.length === 0) shall[name] = there[name];
    }
    return shall;
  }
  if (Array.isArray(wanted) && Array.isArray(there) && wanted.length === there.length)
    return wanted.map((item: unknown, index) => {
      const old: unknown = there[index];
      return covers(old, item, stands, path)
        ? replaced(item, old, others && atItem(others, old), stands, path)
        : item;
    });
  return stands(there, wanted, path) ? there : wanted;
}
