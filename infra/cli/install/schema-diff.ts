import { isDeepStrictEqual } from "node:util";
import { type Fields, isRecord } from "../../../shared/json/fields.ts";

/** The difference between a new CRD and the installed one, for people: paths of fields, no bodies. */
export interface CrdDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Path → everything about the field but its own fields. */
function fieldsOf(schema: unknown, path: string, into: Map<string, Fields>): Map<string, Fields> {
  if (!isRecord(schema)) return into;
  const { properties, items, additionalProperties, description: _, ...rest } = schema;
  into.set(path, rest);
  if (isRecord(properties))
    for (const [name, field] of Object.entries(properties))
      fieldsOf(field, path === "" ? name : `${path}.${name}`, into);
  fieldsOf(items, `${path}[]`, into);
  fieldsOf(additionalProperties, `${path}{}`, into);
  return into;
}

/** Keeps the uppermost of paths that lie below one another. */
const uppermost = (paths: readonly string[]): readonly string[] =>
  paths.filter(
    (path) =>
      !paths.some(
        (other) => other !== path && path.startsWith(other) && /^[.[{]/.test(path.slice(other.length)),
      ),
  );

/** Compares two structural schemas by their fields; descriptions do not count. */
export function schemaDifference(installed: unknown, wanted: unknown): CrdDifference {
  const before = fieldsOf(installed, "", new Map());
  const after = fieldsOf(wanted, "", new Map());
  return {
    added: uppermost([...after.keys()].filter((path) => !before.has(path))),
    removed: uppermost([...before.keys()].filter((path) => !after.has(path))),
    changed: [...after]
      .filter(([path, field]) => before.has(path) && !isDeepStrictEqual(before.get(path), field))
      .map(([path]) => (path === "" ? "(top)" : path)),
  };
}
