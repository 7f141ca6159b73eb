import { fault } from "../api-error.ts";
import { ruleFault } from "../cel/rules.ts";
import { isObject } from "../json.ts";
import type { FieldError, StructuralSchema } from "../resource-type.ts";
import { patternOf, validateSchema } from "../schema/validate.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];
const formless = ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"] as const;

/** What makes a schema not structural, or not one at all. */
export function validateStructure(schema: StructuralSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type !== "object") {
    errors.push(
      schema.type === undefined
        ? fault.required(`${path}.type`, "must not be empty at the root")
        : fault.invalid(`${path}.type`, schema.type, `must be "object" at the root`),
    );
  }
  check(schema, path, errors, true);
  return errors;
}

function check(schema: StructuralSchema, path: string, errors: FieldError[], root = false): void {
  if (schema.type === undefined && !root && !formless.some((word) => schema[word] === true)) {
    errors.push(fault.required(`${path}.type`, "must not be empty for specified object fields"));
  } else if (schema.type !== undefined && !types.includes(schema.type)) {
    errors.push(
      fault.unsupported(
        `${path}.type`,
        schema.type,
        types.map((type) => JSON.stringify(type)),
      ),
    );
  }
  if (schema["x-kubernetes-int-or-string"] === true && schema.type !== undefined) {
    errors.push(fault.forbidden(`${path}.type`, "must be empty if x-kubernetes-int-or-string is true"));
  }
  if (schema.type === "array") checkArray(schema, path, errors);
  else if (schema.items !== undefined && schema.type !== undefined) {
    errors.push(fault.forbidden(`${path}.items`, `items is only allowed for type array`));
  }
  if (
    isObject(schema.properties) &&
    schema.additionalProperties !== undefined &&
    schema.additionalProperties !== false
  ) {
    errors.push(
      fault.forbidden(
        `${path}.additionalProperties`,
        "additionalProperties and properties are mutual exclusive",
      ),
    );
  }
  if (schema.additionalProperties === false) {
    errors.push(fault.forbidden(`${path}.additionalProperties`, "must not be used with false"));
  }
  if (
    schema["x-kubernetes-embedded-resource"] === true &&
    schema["x-kubernetes-preserve-unknown-fields"] !== true &&
    Object.keys(schema.properties ?? {}).length === 0
  ) {
    const why =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(fault.required(`${path}.properties`, why));
  }
  if (schema.uniqueItems === true) {
    errors.push(
      fault.forbidden(
        `${path}.uniqueItems`,
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  }
  checkWords(schema, path, errors);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!(root && (name === "metadata" || name === "apiVersion" || name === "kind")))
      check(field, `${path}.properties[${name}]`, errors);
  }
  if (isObject(schema.additionalProperties))
    check(schema.additionalProperties, `${path}.additionalProperties`, errors);
}

function checkArray(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  if (schema.items === undefined) {
    errors.push(fault.required(`${path}.items`, "must be specified"));
    return;
  }
  check(schema.items, `${path}.items`, errors);
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map") {
    if (keys.length > 0)
      errors.push(
        fault.forbidden(
          `${path}.x-kubernetes-list-map-keys`,
          "must be empty if x-kubernetes-list-type is not map",
        ),
      );
    return;
  }
  if (keys.length === 0)
    errors.push(
      fault.required(
        `${path}.x-kubernetes-list-map-keys`,
        "must not be empty if x-kubernetes-list-type is map",
      ),
    );
  for (const [index, key] of keys.entries()) {
    const field = schema.items.properties?.[key];
    if (field === undefined) {
      errors.push(
        fault.invalid(
          `${path}.x-kubernetes-list-map-keys[${index}]`,
          key,
          "entries must all be names of item properties",
        ),
      );
    } else if (!schema.items.required?.includes(key) && field.default === undefined) {
      errors.push(
        fault.required(
          `${path}.items.properties[${key}].default`,
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
        ),
      );
    }
  }
}

function checkWords(schema: StructuralSchema, path: string, errors: FieldError[]): void {
  if (schema.pattern !== undefined) {
    try {
      patternOf(schema.pattern);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      errors.push(
        fault.invalid(
          `${path}.pattern`,
          schema.pattern,
          `must be a valid regular expression, but isn't: ${error.message}`,
        ),
      );
    }
  }
  if (schema.default !== undefined && schema.default !== null) {
    for (const found of validateSchema(schema, schema.default, `${path}.default`)) errors.push(found);
  }
  for (const [index, rule] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    if (!rule.rule) errors.push(fault.required(`${at}.rule`, "rule is not specified"));
    else {
      const wrong = ruleFault(schema, rule);
      if (wrong !== undefined) errors.push(fault.invalid(`${at}.rule`, rule, wrong));
    }
  }
}
