import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";

/** Faults of the words that Kubernetes adds to a schema, where they do not fit its type or are no known value. */
export function extensionFaults(schema: StructuralSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type: string = schema.type ?? "";
  const listType = schema["x-kubernetes-list-type"];
  const mapType = schema["x-kubernetes-map-type"];
  const known = (word: string, value: string, supported: readonly string[]): void => {
    if (supported.includes(value)) return;
    errors.push(
      fault.unsupported(
        `${path}.${word}`,
        value,
        supported.map((one) => JSON.stringify(one)),
      ),
    );
  };
  const fits = (value: unknown, wanted: string, word: string): void => {
    if (value === undefined || type === wanted) return;
    errors.push(fault.invalid(`${path}.type`, type, `must be ${wanted} if ${word} is specified`));
  };
  fits(listType, "array", "x-kubernetes-list-type");
  fits(mapType, "object", "x-kubernetes-map-type");
  if (listType !== undefined) known("x-kubernetes-list-type", listType, ["atomic", "set", "map"]);
  if (mapType !== undefined) known("x-kubernetes-map-type", mapType, ["atomic", "granular"]);
  if (listType === "set" && schema.items !== undefined)
    errors.push(...setFaults(schema.items, `${path}.items`));
  if (schema["x-kubernetes-preserve-unknown-fields"] === false)
    errors.push(
      fault.invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, "must be true or undefined"),
    );
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "" && type !== "object")
    errors.push(
      fault.invalid(`${path}.type`, type, "must be object if x-kubernetes-embedded-resource is true"),
    );
  return errors;
}

/** The items of a set are compared as a whole. */
function setFaults(items: StructuralSchema, path: string): FieldError[] {
  const whole = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const mapType = items["x-kubernetes-map-type"];
  const listType = items["x-kubernetes-list-type"];
  return [
    ...(items.nullable === true
      ? [fault.forbidden(`${path}.nullable`, "cannot be nullable when x-kubernetes-list-type is set")]
      : []),
    ...(items.type === "object" && mapType !== "atomic"
      ? [fault.invalid(`${path}.x-kubernetes-map-type`, mapType ?? null, whole)]
      : []),
    ...(items.type === "array" && listType !== undefined && listType !== "atomic"
      ? [fault.invalid(`${path}.x-kubernetes-list-type`, listType, whole)]
      : []),
  ];
}

/** Faults of what a schema says about the fields that all objects have. */
export function rootFaults(schema: StructuralSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["apiVersion", "kind"]) {
    const type = schema.properties?.[name]?.type;
    if (type !== undefined && type !== "string")
      errors.push(fault.invalid(`${path}.properties[${name}].type`, type, "must be string"));
  }
  const metadata = schema.properties?.metadata;
  if (metadata === undefined) return errors;
  const at = `${path}.properties[metadata]`;
  if (metadata.type !== undefined && metadata.type !== "object")
    errors.push(fault.invalid(`${at}.type`, metadata.type, "must be object"));
  const fields = Object.entries(metadata.properties ?? {});
  if (fields.some(([name]) => name !== "name" && name !== "generateName")) {
    const why =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(fault.forbidden(at, why));
  }
  for (const [name, field] of fields)
    if (field.default !== undefined)
      errors.push(
        fault.forbidden(`${at}.properties[${name}].default`, "must not be set in top-level metadata"),
      );
  return errors;
}
