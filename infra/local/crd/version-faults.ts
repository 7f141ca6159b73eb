import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";
import type { DefinitionVersion } from "./definition.ts";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const mostSelectable = 8;
const simplePath = "must be a simple json path starting with .";

/** Faults of what a version has beside its schema. `path` is where the server says it stands. */
export function versionFaults(version: DefinitionVersion, path: string): FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  return [
    ...columnFaults(version, `${path}.additionalPrinterColumns`),
    ...scaleFaults(version, `${path}.subresources.scale`),
    ...(schema === undefined ? [] : selectableFaults(version, schema, `${path}.selectableFields`)),
  ];
}

function columnFaults(version: DefinitionVersion, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, column] of (version.additionalPrinterColumns ?? []).entries()) {
    const where = `${path}[${at}]`;
    const { format } = column as { readonly format?: string };
    if (!column.name) errors.push(fault.required(`${where}.name`));
    if (!columnTypes.includes(column.type))
      errors.push(
        fault.invalid(`${where}.type`, column.type ?? "", `must be one of ${columnTypes.join(",")}`),
      );
    if (format && !columnFormats.includes(format))
      errors.push(fault.invalid(`${where}.format`, format, `must be one of ${columnFormats.join(",")}`));
    if (!column.jsonPath) errors.push(fault.required(`${where}.JSONPath`));
    else if (!isSimple(column.jsonPath))
      errors.push(fault.invalid(`${where}.JSONPath`, column.jsonPath, simplePath));
  }
  return errors;
}

const isSimple = (path: string): boolean => path.startsWith(".");

function scaleFaults(version: DefinitionVersion, path: string): FieldError[] {
  const scale = version.subresources?.scale;
  if (!isObject(scale)) return [];
  const errors: FieldError[] = [];
  const under = (field: string, value: unknown, roots: readonly string[], where: string): void => {
    const at = `${path}.${field}`;
    if (typeof value !== "string" || value === "") errors.push(fault.required(at));
    else if (!isSimple(value)) errors.push(fault.invalid(at, value, simplePath));
    else if (!roots.some((root) => value.startsWith(root)))
      errors.push(fault.invalid(at, value, `should be a json path under ${where}`));
  };
  under("specReplicasPath", scale.specReplicasPath, [".spec."], ".spec");
  under("statusReplicasPath", scale.statusReplicasPath, [".status."], ".status");
  if (scale.labelSelectorPath)
    under("labelSelectorPath", scale.labelSelectorPath, [".spec.", ".status."], "either .spec or .status");
  return errors;
}

function selectableFaults(version: DefinitionVersion, schema: StructuralSchema, path: string): FieldError[] {
  const fields = version.selectableFields ?? [];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (!jsonPath) {
      errors.push(fault.required(at));
      continue;
    }
    const wrong = selectableFault(schema, jsonPath);
    if (wrong !== undefined) errors.push(fault.invalid(at, jsonPath, wrong));
    if (seen.has(jsonPath)) errors.push(fault.duplicate(at, jsonPath));
    seen.add(jsonPath);
  }
  if (fields.length > mostSelectable) errors.push(fault.tooMany(path, fields.length, mostSelectable));
  return errors;
}

function selectableFault(schema: StructuralSchema, path: string): string | undefined {
  if (path.includes("[")) return "is an invalid path: array notation is not allowed";
  const [start, ...names] = path.split(".");
  const ghost = "is an invalid path: does not refer to a valid field";
  if (start !== "" || names[0] === "metadata") return ghost;
  let field: StructuralSchema | undefined = schema;
  for (const name of names) field = field?.properties?.[name];
  if (field === undefined) return ghost;
  return field.type === "string" || field.type === "boolean" || field.type === "integer"
    ? undefined
    : "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
}
