import { fieldPath } from "../../json/field-path.ts";
import { isRecord } from "../../json/fields.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Removes what the schema does not know, in place; `unknown` collects the paths. */
export function prune(schema: StructuralSchema, value: unknown, unknown: string[], path = ""): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined)
      for (const [index, item] of value.entries()) prune(items, item, unknown, `${path}[${index}]`);
    return;
  }
  if (!isRecord(value)) return;
  const embedded = schema["x-kubernetes-embedded-resource"] === true || path === "";
  const keep =
    schema["x-kubernetes-preserve-unknown-fields"] === true || schema.additionalProperties === true;
  // A value of no declared shape (int-or-string, or a combination only) has no fields to be known.
  const shapeless = schema.type === undefined && schema.properties === undefined && path !== "";
  for (const name of Object.keys(value)) {
    if (embedded && (name === "apiVersion" || name === "kind" || name === "metadata")) continue;
    const known =
      schema.properties?.[name] ??
      (isRecord(schema.additionalProperties) ? schema.additionalProperties : undefined);
    if (known !== undefined) prune(known, value[name], unknown, fieldPath(path, name));
    else if (!keep && !shapeless) {
      unknown.push(fieldPath(path, name));
      Reflect.deleteProperty(value, name);
    }
  }
}

const ofMetadata = new Set([
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
]);

/** Prunes like `prune`, for an object's metadata, whose shape is the same in all kinds. */
export function pruneMetadata(metadata: Record<string, unknown>, unknown: string[], path = "metadata"): void {
  for (const name of Object.keys(metadata)) {
    if (ofMetadata.has(name)) {
      if (metadata[name] === null) delete metadata[name];
      continue;
    }
    unknown.push(`${path}.${name}`);
    delete metadata[name];
  }
}
