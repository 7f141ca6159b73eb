import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { qualifiedNameForm } from "../forms.ts";
import { isObject } from "../json.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { labelsFaults } from "../select/label-faults.ts";
import { nameFaults } from "./names.ts";

const annotationsLimit = 256 * 1024;

const qualifiedNameFaults = (field: string, key: string): FieldError[] =>
  qualifiedNameForm(key).map((why) => fault.invalid(field, key, why));

const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);
const isStandard = (finalizer: string): boolean =>
  finalizer.includes("/") || standardFinalizers.has(finalizer);

/** The faults in the metadata of an object. */
export function metadataFaults(type: ResourceType, { metadata }: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (!metadata.name) errors.push(fault.required("metadata.name", "name or generateName is required"));
  else errors.push(...nameFaults(type, metadata.name));
  errors.push(...sharedMetadataFaults(metadata, "metadata"));
  for (const [index, finalizer] of (metadata.finalizers ?? []).entries()) {
    if (type.custom || isStandard(finalizer)) continue;
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(fault.invalid(`metadata.finalizers[${index}]`, finalizer, why));
  }
  return errors;
}

/** The warnings about finalizers without a domain: for custom resources the server only warns of them, when they come. */
export const finalizerWarnings = (
  { metadata }: KubeObject,
  previous: KubeObject | undefined,
): readonly string[] =>
  (metadata.finalizers ?? [])
    .filter((finalizer) => !isStandard(finalizer) && !previous?.metadata.finalizers?.includes(finalizer))
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );

/** The faults in the metadata of any object, whatever its name. */
export function sharedMetadataFaults(metadata: KubeObject["metadata"], path: string): FieldError[] {
  const errors = labelsFaults(metadata.labels ?? {}, `${path}.labels`);
  let size = 0;
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    errors.push(...qualifiedNameFaults(`${path}.annotations`, key.toLowerCase()));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > annotationsLimit) errors.push(fault.tooLong(`${path}.annotations`, annotationsLimit));
  for (const finalizer of metadata.finalizers ?? [])
    errors.push(...qualifiedNameFaults(`${path}.finalizers`, finalizer));
  if (metadata.finalizers?.includes("orphan") && metadata.finalizers.includes("foregroundDeletion")) {
    const why = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(fault.invalid(`${path}.finalizers`, metadata.finalizers, why));
  }
  return [...errors, ...ownersFaults(metadata, `${path}.ownerReferences`)];
}

function ownersFaults({ ownerReferences = [] }: KubeObject["metadata"], path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const owner of ownerReferences) {
    if (!owner.apiVersion)
      errors.push(fault.invalid(`${path}.apiVersion`, owner.apiVersion ?? "", "version must not be empty"));
    for (const field of ["kind", "name", "uid"] as const)
      if (!owner[field])
        errors.push(fault.invalid(`${path}.${field}`, owner[field] ?? "", "must not be empty"));
  }
  const controllers = ownerReferences.filter((owner) => owner.controller === true);
  if (controllers.length > 1) {
    const names = controllers.map((owner) => `${owner.kind}/${owner.name}`).join(" and ");
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
    errors.push(fault.invalid(path, ownerReferences, why));
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

/** The changes that an update must not make to metadata. */
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

/** True where two objects differ outside of metadata (and of `but`). */
export function contentDiffers(a: KubeObject, b: KubeObject, but: string | undefined): boolean {
  const content = (object: KubeObject): Record<string, unknown> => {
    const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
    if (but !== undefined) delete (rest as Record<string, unknown>)[but];
    return rest;
  };
  return !sameJson(content(a), content(b));
}
