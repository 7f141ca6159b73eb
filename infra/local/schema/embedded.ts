import { fieldPath } from "../../../shared/json/field-path.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject, type JsonObject } from "../json.ts";

/** True for schemas that have an embedded resource anywhere: most have none, and then objects need no walk. */
const withEmbedded = new WeakMap<StructuralSchema, boolean>();
function hasEmbedded(schema: StructuralSchema): boolean {
  let known = withEmbedded.get(schema);
  if (known === undefined) {
    const inner = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(isObject(schema.additionalProperties) ? [schema.additionalProperties] : []),
    ];
    known = schema["x-kubernetes-embedded-resource"] === true || inner.some(hasEmbedded);
    withEmbedded.set(schema, known);
  }
  return known;
}

/** Goes through the whole objects (`x-kubernetes-embedded-resource`) that stand in an object's fields. */
export function eachEmbedded(
  schema: StructuralSchema,
  value: unknown,
  visit: (embedded: JsonObject, path: string) => void,
  path = "",
): void {
  if (!hasEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined)
      for (const [index, item] of value.entries()) eachEmbedded(items, item, visit, `${path}[${index}]`);
    return;
  }
  if (!isObject(value)) return;
  if (schema["x-kubernetes-embedded-resource"] === true) visit(value, path);
  for (const [name, inner] of Object.entries(value)) {
    const field =
      schema.properties?.[name] ??
      (isObject(schema.additionalProperties) ? schema.additionalProperties : undefined);
    if (field !== undefined) eachEmbedded(field, inner, visit, fieldPath(path, name));
  }
}
