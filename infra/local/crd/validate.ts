import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { isObject } from "../json.ts";
import { conversionFaults } from "./conversion.ts";
import { type DefinitionSpec, specOf } from "./definition.ts";
import { validateStructure } from "./structure.ts";
import { versionFaults as besideSchema } from "./version-faults.ts";

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** The faults of a CRD: names, versions, schemas, and changes that an update must not make. */
export function validateDefinition(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const spec = specOf(object);
  if (!isObject(spec) || !isObject(spec.names) || !Array.isArray(spec.versions))
    return [fault.required("spec")];
  const expected = `${spec.names.plural}.${spec.group}`;
  return [
    ...(object.metadata.name === expected
      ? []
      : [fault.invalid("metadata.name", object.metadata.name, `must be spec.names.plural+"."+spec.group`)]),
    ...approvalFaults(object, previous),
    ...groupFaults(spec),
    ...nameFaults(spec),
    ...versionFaults(spec),
    ...conversionFaults(isObject(object.spec) ? object.spec.conversion : undefined),
    ...preservingFaults(object),
    ...(previous === undefined ? [] : storedFaults(spec, previous)),
    ...(previous === undefined ? [] : immutableFaults(spec, specOf(previous))),
  ];
}

const approval = "api-approved.kubernetes.io";
const protectedGroup = /(^|\.)(k8s|kubernetes)\.io$/;
/** Groups of the Kubernetes project ask for the page of their approval. */
function approvalFaults(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const spec = specOf(object);
  if (!protectedGroup.test(spec.group ?? "")) return [];
  const value = object.metadata.annotations?.[approval];
  // What came in without one may stay so.
  if (previous !== undefined && previous.metadata.annotations?.[approval] === value) return [];
  const field = `metadata.annotations[${approval}]`;
  const page = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (value === undefined || value === "")
    return [fault.required(field, `protected groups must have approval annotation "${approval}", ${page}`)];
  if (value.startsWith("unapproved") || (URL.canParse(value) && /^https?:/.test(value))) return [];
  const why = `protected groups must have approval annotation "${approval}" with either a URL or a reason starting with "unapproved"`;
  return [fault.invalid(field, value, `${why}, ${page}`)];
}

function preservingFaults({ spec }: KubeObject): FieldError[] {
  const why =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return isObject(spec) && spec.preserveUnknownFields === true
    ? [fault.invalid("spec.preserveUnknownFields", true, why)]
    : [];
}

/** A version that objects may be stored in must stay, or they could not be read any more. */
function storedFaults(spec: DefinitionSpec, { status }: KubeObject): FieldError[] {
  const stored = isObject(status) && Array.isArray(status.storedVersions) ? status.storedVersions : [];
  return stored.flatMap((version: unknown, index) =>
    spec.versions.some(({ name }) => name === version)
      ? []
      : [
          fault.invalid(
            `status.storedVersions[${index}]`,
            version,
            "missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions".replaceAll(
              "v1",
              String(version),
            ),
          ),
        ],
  );
}

function groupFaults({ group, scope }: DefinitionSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (!group) errors.push(fault.required("spec.group"));
  else if (!group.includes("."))
    errors.push(fault.invalid("spec.group", group, "should be a domain with at least one dot"));
  if (scope !== "Namespaced" && scope !== "Cluster") {
    errors.push(
      scope === undefined
        ? fault.required("spec.scope")
        : fault.unsupported("spec.scope", scope, ['"Cluster"', '"Namespaced"']),
    );
  }
  return errors;
}

function nameFaults({ names }: DefinitionSpec): FieldError[] {
  const errors: FieldError[] = [];
  const checked = (field: string, name: string | undefined): void => {
    if (name === undefined || name === "") errors.push(fault.required(`spec.names.${field}`));
    else if (!label.test(name.toLowerCase()))
      errors.push(fault.invalid(`spec.names.${field}`, name, labelRule));
  };
  checked("plural", names.plural);
  checked("singular", names.singular);
  checked("kind", names.kind);
  checked("listKind", names.listKind);
  for (const field of ["shortNames", "categories"] as const)
    for (const [index, name] of (names[field] ?? []).entries())
      if (!label.test(name)) errors.push(fault.invalid(`spec.names.${field}[${index}]`, name, labelRule));
  if (names.plural !== undefined && names.plural !== names.plural.toLowerCase()) {
    errors.push(fault.invalid("spec.names.plural", names.plural, labelRule));
  }
  if (names.kind !== undefined && names.kind === names.listKind) {
    errors.push(
      fault.invalid("spec.names.listKind", names.listKind, "kind and listKind may not be the same"),
    );
  }
  return errors;
}

function versionFaults(spec: DefinitionSpec): FieldError[] {
  const errors: FieldError[] = [];
  const stored = spec.versions.filter((version) => version.storage).length;
  if (stored !== 1) {
    errors.push(
      fault.invalid(
        "spec.versions",
        spec.versions,
        "must have exactly one version marked as storage version",
      ),
    );
  }
  const seen = new Set<string>();
  for (const [index, version] of spec.versions.entries()) {
    const path = `spec.versions[${index}]`;
    if (!label.test(version.name ?? ""))
      errors.push(fault.invalid(`${path}.name`, version.name ?? "", labelRule));
    if (seen.has(version.name)) {
      errors.push(fault.invalid(`${path}.name`, version.name, "must be unique"));
    }
    seen.add(version.name);
    // What a single version has counts as the definition's own: so the real server calls it.
    const single = spec.versions.length === 1;
    errors.push(...besideSchema(version, single ? "spec" : path));
    if (version.deprecationWarning !== undefined && version.deprecated !== true) {
      const why = "can only be set for deprecated versions";
      errors.push(fault.invalid(`${path}.deprecationWarning`, version.deprecationWarning, why));
    }
    const schema = version.schema?.openAPIV3Schema;
    if (schema === undefined) {
      errors.push(fault.required(`${path}.schema.openAPIV3Schema`, "schemas are required"));
      continue;
    }
    errors.push(
      ...validateStructure(
        schema,
        single ? "spec.validation.openAPIV3Schema" : `${path}.schema.openAPIV3Schema`,
      ),
    );
  }
  return errors;
}

function immutableFaults(spec: DefinitionSpec, before: DefinitionSpec): FieldError[] {
  const errors: FieldError[] = [];
  const fixed = (field: string, now: unknown, then: unknown): void => {
    if (now !== then) errors.push(fault.invalid(field, now, "field is immutable"));
  };
  fixed("spec.group", spec.group, before.group);
  fixed("spec.scope", spec.scope, before.scope);
  fixed("spec.names.plural", spec.names.plural, before.names.plural);
  fixed("spec.names.kind", spec.names.kind, before.names.kind);
  return errors;
}
