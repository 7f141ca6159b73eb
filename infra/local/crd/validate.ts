import type { KubeObject } from "../../../shared/kube/object.ts";
import { fault } from "../api-error.ts";
import { isObject } from "../json.ts";
import type { FieldError } from "../resource-type.ts";
import { type DefinitionSpec, specOf } from "./definition.ts";
import { validateStructure } from "./structure.ts";

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const labelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** What is wrong with a CRD: names, versions, schemas, and what an update must not change. */
export function validateDefinition(object: KubeObject, previous: KubeObject | undefined): FieldError[] {
  const spec = specOf(object);
  if (!isObject(spec) || !isObject(spec.names) || !Array.isArray(spec.versions))
    return [fault.required("spec")];
  const expected = `${spec.names.plural}.${spec.group}`;
  return [
    ...(object.metadata.name === expected
      ? []
      : [fault.invalid("metadata.name", object.metadata.name, `must be spec.names.plural+"."+spec.group`)]),
    ...groupFaults(spec),
    ...nameFaults(spec),
    ...versionFaults(spec),
    ...(previous === undefined ? [] : immutableFaults(spec, specOf(previous))),
  ];
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
    const schema = version.schema?.openAPIV3Schema;
    if (schema === undefined) {
      errors.push(fault.required(`${path}.schema.openAPIV3Schema`, "schemas are required"));
      continue;
    }
    // One schema for all versions counts as the definition's own: so the real server calls it.
    const same = spec.versions.length === 1;
    errors.push(
      ...validateStructure(
        schema,
        same ? "spec.validation.openAPIV3Schema" : `${path}.schema.openAPIV3Schema`,
      ),
    );
    for (const [at, column] of (version.additionalPrinterColumns ?? []).entries()) {
      const where = `${path}.additionalPrinterColumns[${at}]`;
      if (!column.name) errors.push(fault.required(`${where}.name`));
      if (!["string", "integer", "number", "boolean", "date"].includes(column.type)) {
        errors.push(
          fault.invalid(
            `${where}.type`,
            column.type ?? "",
            "must be one of boolean,date,integer,number,string",
          ),
        );
      }
      if (!column.jsonPath) errors.push(fault.required(`${where}.jsonPath`));
    }
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
