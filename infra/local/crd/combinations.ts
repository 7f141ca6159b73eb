import { sameJson } from "../../../shared/json/same-json.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";

/** Words of JSON schemas that the server does not take in a CRD. */
const unsupported = [
  "$ref",
  "$schema",
  "id",
  "additionalItems",
  "definitions",
  "dependencies",
  "patternProperties",
];
const structural: readonly (readonly [keyof StructuralSchema, string])[] = [
  ["type", "must be empty to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["default", "must be undefined to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

/** Faults of the words that a structural schema does not have. */
export function unsupportedWords(schema: StructuralSchema, path: string): FieldError[] {
  return unsupported
    .filter((word) => Object.hasOwn(schema, word))
    .map((word) => fault.forbidden(`${path}.${word}`, `${word} is not supported`));
}

/** Combinations hold value rules only, never structure; an int-or-string may spell its two types in the one known way. */
export function combinationFaults(schema: StructuralSchema, path: string): FieldError[] {
  const twoTypes = schema["x-kubernetes-int-or-string"] === true;
  return [
    ...(schema.allOf ?? []).flatMap((one, index) => inner(one, `${path}.allOf[${index}]`, twoTypes)),
    ...(twoTypes && spellsTypes(schema)
      ? []
      : (schema.anyOf ?? []).flatMap((one, index) => inner(one, `${path}.anyOf[${index}]`))),
    ...(schema.oneOf ?? []).flatMap((one, index) => inner(one, `${path}.oneOf[${index}]`)),
    ...(schema.not === undefined ? [] : inner(schema.not, `${path}.not`)),
  ];
}

const spellsTypes = (schema: StructuralSchema): boolean =>
  sameJson(schema.anyOf, [{ type: "integer" }, { type: "string" }]);

function inner(schema: StructuralSchema, path: string, twoTypes = false): FieldError[] {
  const errors = unsupportedWords(schema, path);
  for (const [word, why] of structural) {
    const value = schema[word];
    const empty = value === undefined || value === false || value === "";
    if (!empty || (value === false && word === "additionalProperties"))
      errors.push(fault.forbidden(`${path}.${word}`, why));
  }
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    errors.push(...inner(field, `${path}.properties[${name}]`));
  if (isObject(schema.items)) errors.push(...inner(schema.items, `${path}.items`));
  const asTwoTypes: StructuralSchema = { ...schema, "x-kubernetes-int-or-string": twoTypes };
  return [...errors, ...combinationFaults(asTwoTypes, path)];
}
