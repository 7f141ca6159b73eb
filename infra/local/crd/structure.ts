import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { patternOf } from "../../../shared/kube/validation/pattern.ts";
import { prune } from "../../../shared/kube/validation/prune.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { validateSchema } from "../../../shared/kube/validation/validate.ts";
import { isObject } from "../json.ts";
import { combinationFaults, unsupportedWords } from "./combinations.ts";
import { extensionFaults, rootFaults } from "./extensions.ts";
import { ruleFaults } from "./rule-faults.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];
const formless = ["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"] as const;

/** The faults that make a schema not structural, or no schema at all. */
export function validateStructure(schema: StructuralSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type !== "object") {
    errors.push(
      schema.type === undefined
        ? fault.required(`${path}.type`, "must not be empty at the root")
        : fault.invalid(`${path}.type`, schema.type, `must be "object" at the root`),
    );
  }
  check(schema, path, errors, { root: true });
  errors.push(...rootFaults(schema, path));
  return errors;
}

/** The place of a schema: at the root, or within a list whose old items are not known. */
interface Standing {
  readonly root?: boolean;
  readonly uncorrelatable?: string | undefined;
}

function check(schema: StructuralSchema, path: string, errors: FieldError[], standing: Standing): void {
  const { root = false } = standing;
  const deeper: Standing = { uncorrelatable: standing.uncorrelatable };
  const type: string | undefined = schema.type;
  if (Object.hasOwn(schema, "$ref")) {
    errors.push(...unsupportedWords(schema, path));
    return;
  }
  if (!type && !root && schema["x-kubernetes-embedded-resource"] === true) {
    errors.push(fault.required(`${path}.type`, "must be object if x-kubernetes-embedded-resource is true"));
  } else if (!type && !root && !formless.some((word) => schema[word] === true)) {
    errors.push(fault.required(`${path}.type`, "must not be empty for specified object fields"));
  } else if (type && !types.includes(type)) {
    errors.push(
      fault.unsupported(
        `${path}.type`,
        schema.type,
        types.map((type) => JSON.stringify(type)),
      ),
    );
  }
  if (schema["x-kubernetes-int-or-string"] === true && type) {
    errors.push(fault.forbidden(`${path}.type`, "must be empty if x-kubernetes-int-or-string is true"));
  }
  if (schema.type === "array") checkArray(schema, path, errors, deeper);
  if (
    isObject(schema.properties) &&
    (isObject(schema.additionalProperties) || schema.additionalProperties === false)
  ) {
    errors.push(
      fault.forbidden(
        `${path}.additionalProperties`,
        "additionalProperties and properties are mutual exclusive",
      ),
    );
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
  errors.push(...unsupportedWords(schema, path), ...extensionFaults(schema, path));
  errors.push(...combinationFaults(schema, path));
  checkWords(schema, path, errors);
  errors.push(...ruleFaults(schema, path, standing.uncorrelatable));
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!(root && (name === "metadata" || name === "apiVersion" || name === "kind")))
      check(field, `${path}.properties[${name}]`, errors, deeper);
  }
  if (isObject(schema.additionalProperties))
    check(schema.additionalProperties, `${path}.additionalProperties`, errors, deeper);
}

function checkArray(
  schema: StructuralSchema,
  path: string,
  errors: FieldError[],
  { uncorrelatable }: Standing,
): void {
  if (schema.items === undefined) {
    errors.push(fault.required(`${path}.items`, "must be specified"));
    return;
  }
  const known = schema["x-kubernetes-list-type"] === "map";
  check(schema.items, `${path}.items`, errors, {
    uncorrelatable: uncorrelatable ?? (known ? undefined : path),
  });
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
  if (schema.items.type !== undefined && schema.items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(fault.invalid(`${path}.items.type`, schema.items.type, why));
    return;
  }
  if (new Set(keys).size < keys.length) {
    const why = "must not contain duplicate entries";
    errors.push(fault.invalid(`${path}.x-kubernetes-list-map-keys`, keys, why));
  }
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
    } else if (field.type === "object" || field.type === "array") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(fault.invalid(`${path}.items.properties[${key}].type`, field.type, why));
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
    const unknown: string[] = [];
    if (isObject(schema.default)) prune(schema, structuredClone(schema.default), unknown, "default");
    if (unknown.length > 0)
      errors.push(fault.invalid(`${path}.default`, schema.default, "must not have unknown fields"));
  }
}
