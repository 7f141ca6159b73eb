import type { KubeObject } from "../../../../shared/kube/object.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { column, type TableColumn } from "./columns.ts";
import { ageText } from "./duration.ts";

/** The age of the object itself. */
export const age: TableColumn = column("Age", ({ metadata }, now) =>
  ageText(metadata.creationTimestamp, now),
);

export const at = (object: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), object);

export const textOf = (object: unknown, ...path: readonly string[]): string => {
  const found = at(object, ...path);
  return typeof found === "string" || typeof found === "number" || typeof found === "boolean"
    ? String(found)
    : "";
};

export const numberOf = (object: unknown, ...path: readonly string[]): number => {
  const found = at(object, ...path);
  return typeof found === "number" ? found : 0;
};

export const listOf = (object: unknown, ...path: readonly string[]): readonly JsonObject[] => {
  const found = at(object, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
};

export const textsOf = (object: unknown, ...path: readonly string[]): readonly string[] => {
  const found = at(object, ...path);
  return Array.isArray(found) ? found.map(String) : [];
};

export const orNone = (text: string): string => (text === "" ? "<none>" : text);
export const orUnset = (text: string): string => (text === "" ? "<unset>" : text);

/** The number of keys of an object. */
export const countOf = (object: unknown, ...path: readonly string[]): number => {
  const found = at(object, ...path);
  return isObject(found) ? Object.keys(found).length : 0;
};

/** Labels as `a=1,b=2`, sorted. */
export const labelsOf = (object: unknown, ...path: readonly string[]): string => {
  const found = at(object, ...path);
  return isObject(found)
    ? Object.entries(found)
        .map(([name, value]) => `${name}=${String(value)}`)
        .sort()
        .join(",")
    : "";
};

const OPERATORS: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A label selector in the words of `kubectl -l`. */
export function selectorOf(object: unknown, ...path: readonly string[]): string {
  const selector = at(object, ...path);
  if (!isObject(selector)) return "<none>";
  const labels = labelsOf(selector, "matchLabels");
  const terms = listOf(selector, "matchExpressions").map((term) =>
    (OPERATORS[textOf(term, "operator")] ?? OPERATORS.Exists)?.(
      textOf(term, "key"),
      textsOf(term, "values").toSorted().join(","),
    ),
  );
  return orNone([...(labels === "" ? [] : [labels]), ...terms].join(","));
}

/** Names and images of a template's containers, for `-o wide`. */
export const containerColumns = (...path: readonly string[]): readonly TableColumn[] => [
  column(
    "Containers",
    (object: KubeObject) =>
      listOf(object, ...path, "containers")
        .map((one) => textOf(one, "name"))
        .join(","),
    { wide: true },
  ),
  column(
    "Images",
    (object: KubeObject) =>
      listOf(object, ...path, "containers")
        .map((one) => textOf(one, "image"))
        .join(","),
    { wide: true },
  ),
];
