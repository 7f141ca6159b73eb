import type { KubeObject } from "../../../shared/kube/object.ts";
import { fault } from "../api-error.ts";
import { isObject, same } from "../json.ts";
import type { ApiObject, FieldError, ResourceType } from "../resource-type.ts";
import { nameFaults } from "./names.ts";

const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const prefixPart = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const namePartRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const prefixPartRule =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const annotationsLimit = 256 * 1024;

function qualifiedNameFaults(field: string, key: string): FieldError[] {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) {
    return [
      fault.invalid(
        field,
        key,
        "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
      ),
    ];
  }
  const errors: FieldError[] = [];
  if (parts.length === 2 && !prefixPart.test(parts[0] ?? ""))
    errors.push(fault.invalid(field, key, prefixPartRule));
  if (name === "") errors.push(fault.invalid(field, key, "name part must be non-empty"));
  else if (name.length > 63)
    errors.push(fault.invalid(field, key, "name part must be no more than 63 bytes"));
  if (!namePart.test(name)) errors.push(fault.invalid(field, key, namePartRule));
  return errors;
}

const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);
/** What is wrong with the metadata of an object. */
export function metadataFaults(type: ResourceType, { metadata }: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (!metadata.name) errors.push(fault.required("metadata.name", "name or generateName is required"));
  else errors.push(...nameFaults(type, metadata.name));
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    errors.push(...qualifiedNameFaults("metadata.labels", key));
    if (value.length > 63)
      errors.push(fault.invalid("metadata.labels", value, "must be no more than 63 bytes"));
    if (!labelValue.test(value)) errors.push(fault.invalid("metadata.labels", value, valueRule));
  }
  let size = 0;
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    errors.push(...qualifiedNameFaults("metadata.annotations", key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > annotationsLimit) errors.push(fault.tooLong("metadata.annotations", annotationsLimit));
  for (const [index, finalizer] of (metadata.finalizers ?? []).entries()) {
    errors.push(...qualifiedNameFaults("metadata.finalizers", finalizer));
    if (type.custom || finalizer.includes("/") || standardFinalizers.has(finalizer)) continue;
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(fault.invalid(`metadata.finalizers[${index}]`, finalizer, why));
  }
  if (metadata.finalizers?.includes("orphan") && metadata.finalizers.includes("foregroundDeletion")) {
    const why = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(fault.invalid("metadata.finalizers", metadata.finalizers, why));
  }
  for (const owner of metadata.ownerReferences ?? []) {
    const at = "metadata.ownerReferences";
    if (!owner.apiVersion)
      errors.push(fault.invalid(`${at}.apiVersion`, owner.apiVersion ?? "", "version must not be empty"));
    for (const field of ["kind", "name", "uid"] as const) {
      if (!owner[field])
        errors.push(fault.invalid(`${at}.${field}`, owner[field] ?? "", "must not be empty"));
    }
  }
  const controllers = (metadata.ownerReferences ?? []).filter((owner) => owner.controller === true);
  if (controllers.length > 1) {
    errors.push(
      fault.invalid(
        "metadata.ownerReferences",
        metadata.ownerReferences,
        `Only one reference can have Controller set to true. Found "true" in references for ${controllers.map((owner) => `${owner.kind}/${owner.name}`).join(" and ")}`,
      ),
    );
  }
  return errors;
}

/** Faults of fields that only a deletion sets. A time of deletion that is set already wins without a word. */
export function deletionFaults({ metadata: now }: KubeObject, { metadata: then }: KubeObject): FieldError[] {
  return [
    ...(now.deletionTimestamp != null && then.deletionTimestamp === undefined
      ? [fault.invalid("metadata.deletionTimestamp", now.deletionTimestamp, "field is immutable")]
      : []),
    ...(now.deletionGracePeriodSeconds != null &&
    now.deletionGracePeriodSeconds !== then.deletionGracePeriodSeconds
      ? [
          fault.invalid(
            "metadata.deletionGracePeriodSeconds",
            now.deletionGracePeriodSeconds,
            "field is immutable",
          ),
        ]
      : []),
  ];
}

/** What an update must not do to metadata. */
export function metadataUpdateFaults(object: KubeObject, previous: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const [now, then] = [object.metadata, previous.metadata];
  for (const field of ["uid", "name", "namespace"] as const) {
    if (now[field] !== then[field])
      errors.push(fault.invalid(`metadata.${field}`, now[field], "field is immutable"));
  }
  if (then.deletionTimestamp !== undefined) {
    const added = (now.finalizers ?? []).filter((name) => !then.finalizers?.includes(name));
    if (added.length > 0) {
      const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(", ")}}`;
      errors.push(
        fault.forbidden(
          "metadata.finalizers",
          `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
        ),
      );
    }
  }
  return errors;
}

/** Types of metadata fields: a message as Go's decoder gives it, or undefined. */
export function malformedMetadata(metadata: ApiObject["metadata"]): string | undefined {
  const wrong = (field: string, value: unknown, type: string): string =>
    `json: cannot unmarshal ${goName(value)} into Go struct field ObjectMeta.metadata.${field} of type ${type}`;
  for (const field of ["name", "namespace", "generateName", "uid", "resourceVersion"] as const) {
    if (metadata[field] !== undefined && typeof metadata[field] !== "string")
      return wrong(field, metadata[field], "string");
  }
  for (const field of ["labels", "annotations"] as const) {
    const map: unknown = metadata[field];
    if (map === undefined) continue;
    if (!isObject(map)) return wrong(field, map, "map[string]string");
    const bad = Object.values(map).find((value) => typeof value !== "string" && value !== null);
    if (bad !== undefined) return wrong(field, bad, "string");
    if (Object.values(map).includes(null))
      metadata[field] = Object.fromEntries(
        Object.entries(map).map(([key, value]) => [key, value === null ? "" : String(value)]),
      );
  }
  const { finalizers, ownerReferences } = metadata as { finalizers?: unknown; ownerReferences?: unknown };
  if (
    finalizers !== undefined &&
    !(Array.isArray(finalizers) && finalizers.every((one) => typeof one === "string"))
  ) {
    return wrong("finalizers", finalizers, "[]string");
  }
  if (ownerReferences !== undefined && !(Array.isArray(ownerReferences) && ownerReferences.every(isObject))) {
    return wrong("ownerReferences", ownerReferences, "[]v1.OwnerReference");
  }
  return undefined;
}

const goName = (value: unknown): string =>
  Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;

/** Whether two objects differ outside of metadata (and of `but`). */
export function contentDiffers(a: KubeObject, b: KubeObject, but: string | undefined): boolean {
  const content = (object: KubeObject): Record<string, unknown> => {
    const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
    if (but !== undefined) delete (rest as Record<string, unknown>)[but];
    return rest;
  };
  return !same(content(a), content(b));
}
