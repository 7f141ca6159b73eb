import { isRecord } from "../json/fields.ts";
import { crdOf } from "./crd.ts";
import type { KindStatics } from "./kind.ts";
import type { JsonSchema } from "./structural.ts";

/** The form of the names of custom resources, and the most characters of one. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 253;

interface Checked {
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
}

/** The faults for which the API server would refuse an object, one phrase each. Types and absent fields were judged when it was read. */
export function schemaFaults(kind: KindStatics, { metadata: { name }, spec }: Checked): readonly string[] {
  const { properties } = crdOf(kind).spec.versions[0].schema.openAPIV3Schema;
  const named =
    name.length <= LONGEST_NAME && NAME.test(name)
      ? []
      : [`metadata.name ${JSON.stringify(name)} may have lower case letters, digits, - and . alone`];
  return [...named, ...(properties?.spec === undefined ? [] : faultsOf(properties.spec, spec, "spec"))];
}

function faultsOf(schema: JsonSchema, value: unknown, path: string): readonly string[] {
  if (typeof value === "string") return textFaults(schema, value, path);
  if (Array.isArray(value)) {
    const { items } = schema;
    const each =
      items === undefined ? [] : value.flatMap((one, at) => faultsOf(items, one, `${path}[${at}]`));
    return [...twice(schema, value, path), ...each];
  }
  return isRecord(value)
    ? Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
        faultsOf(inner, value[field], `${path}.${field}`),
      )
    : [];
}

function textFaults(
  { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema & Lengths,
  text: string,
  path: string,
): readonly string[] {
  const { length } = [...text];
  if (length > maxLength) return [`${path} has ${length} characters, ${maxLength} at most`];
  if (length < minLength) return [`${path} has ${length} characters, ${minLength} at least`];
  return pattern === undefined || new RegExp(pattern).test(text)
    ? []
    : [`${path} ${JSON.stringify(text)} does not match ${pattern}`];
}

interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The items of a list with keys whose key stands before them already. */
function twice(schema: JsonSchema, list: readonly unknown[], path: string): readonly string[] {
  const keys = schema["x-kubernetes-list-map-keys"];
  if (!Array.isArray(keys)) return [];
  const keyOf = (item: unknown): string =>
    keys.map((key) => `${key} ${isRecord(item) ? JSON.stringify(item[key]) : ""}`).join(", ");
  const known = new Set<string>();
  return list.flatMap((item, at) => {
    const key = keyOf(item);
    if (known.has(key)) return [`${path}[${at}] has the ${key} once more`];
    known.add(key);
    return [];
  });
}
