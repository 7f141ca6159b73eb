import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { clone, isObject, setOwn } from "../json.ts";

/** True for schemas that have a default anywhere: most do not, and then objects need no walk. */
const withDefaults = new WeakMap<StructuralSchema, boolean>();
function hasDefaults(schema: StructuralSchema): boolean {
  let known = withDefaults.get(schema);
  if (known === undefined) {
    const inner = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(isObject(schema.additionalProperties) ? [schema.additionalProperties] : []),
    ];
    known = schema.default !== undefined || inner.some(hasDefaults);
    withDefaults.set(schema, known);
  }
  return known;
}

/** Fills in defaults, in place: where a field is absent, or null without being nullable. */
export function applyDefaults(schema: StructuralSchema, value: unknown): void {
  if (!hasDefaults(schema)) return;
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) applyDefaults(schema.items, item);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (
      field.default !== undefined &&
      (value[name] === undefined || (value[name] === null && field.nullable !== true))
    ) {
      setOwn(value, name, clone(field.default));
    }
    if (value[name] !== undefined) applyDefaults(field, value[name]);
  }
  if (isObject(schema.additionalProperties)) {
    for (const [name, inner] of Object.entries(value)) {
      if (schema.properties?.[name] === undefined) applyDefaults(schema.additionalProperties, inner);
    }
  }
}

/** Takes out, in place, nulls where null is not allowed and no default would replace them: so the server reads a body. */
export function dropNulls(schema: StructuralSchema, value: unknown): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) dropNulls(schema.items, item);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const field =
      schema.properties?.[name] ??
      (isObject(schema.additionalProperties) ? schema.additionalProperties : undefined);
    if (field === undefined) continue;
    if (inner !== null) dropNulls(field, inner);
    else if (
      field.nullable !== true &&
      field.default === undefined &&
      field["x-kubernetes-preserve-unknown-fields"] !== true
    ) {
      delete value[name];
    }
  }
}
