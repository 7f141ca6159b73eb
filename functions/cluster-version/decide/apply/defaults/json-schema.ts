import { isEmpty, isRecord } from "../../../../../shared/json/fields.ts";

const FLAGS = new Set([
  "uniqueItems",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "nullable",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
]);
/** Fields that hold values of the described objects: verbatim. */
const VALUES = new Set(["default", "enum", "example"]);
const MAPS_OF_SCHEMAS = new Set(["properties", "patternProperties", "definitions", "dependencies"]);
const SCHEMAS = new Set(["items", "additionalItems", "additionalProperties", "not"]);
const LISTS_OF_SCHEMAS = new Set(["allOf", "anyOf", "oneOf"]);

function written(name: string, value: unknown): unknown {
  if (VALUES.has(name)) return value;
  if (MAPS_OF_SCHEMAS.has(name) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, writtenSchema(schema)]));
  if (SCHEMAS.has(name) || LISTS_OF_SCHEMAS.has(name))
    return Array.isArray(value) ? value.map(writtenSchema) : writtenSchema(value);
  if (name === "x-kubernetes-validations" && Array.isArray(value)) return value.map(withoutNothing);
  return value;
}

const isNothing = (name: string, value: unknown): boolean =>
  value === null ||
  value === "" ||
  (FLAGS.has(name) && value === false) ||
  (isEmpty(value) && (Array.isArray(value) || MAPS_OF_SCHEMAS.has(name)));

const withoutNothing = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== ""))
    : value;

/** A JSON schema as the server stores it: without what says nothing. A `default`, an enumeration or an example is never touched. */
export const writtenSchema = (schema: unknown): unknown =>
  isRecord(schema)
    ? Object.fromEntries(
        Object.entries(schema).flatMap(([name, value]) =>
          VALUES.has(name) || !isNothing(name, value) ? [[name, written(name, value)]] : [],
        ),
      )
    : schema;
