import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import { prune, pruneMetadata } from "../../../shared/kube/validation/prune.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { blocksRules, validateSchema } from "../../../shared/kube/validation/validate.ts";
import { badRequest, invalid } from "../api-error.ts";
import { hasRules, validateRules } from "../cel/rules.ts";
import { isObject } from "../json.ts";
import { apiVersionOfType, dropEmptyMetadata, type WriteRequest } from "../kernel.ts";
import type { ApiObject } from "../resource-type.ts";
import { applyDefaults, dropNulls } from "../schema/default.ts";
import { embeddedFaults, readEmbedded } from "./embedded.ts";
import { finalizerWarnings, malformedMetadata, metadataFaults, metadataUpdateFaults } from "./metadata.ts";

/** Checks apiVersion, kind and the types of metadata; drops unknown fields; fills defaults. In place. `remarks`: what the decoder found. Throws a 400. */
export function normalise(request: WriteRequest, object: ApiObject, remarks: readonly string[] = []): void {
  const { type } = request;
  if (object.metadata === undefined || object.metadata === null)
    object.metadata = {} as ApiObject["metadata"];
  if (!isObject(object.metadata))
    throw undecodable(request, "json: cannot unmarshal into Go struct field .metadata of type v1.ObjectMeta");
  const unknown: string[] = [];
  pruneMetadata(object.metadata, unknown);
  const malformed = malformedMetadata(object.metadata);
  if (malformed !== undefined) throw undecodable(request, malformed);
  if (type.schema !== undefined) prune(type.schema, object, unknown);
  requireReadable(request, object, unknown);
  complain(request, [...remarks, ...unknown.map((path) => `unknown field "${path}"`)]);
  if (type.custom && type.schema !== undefined) dropNulls(type.schema, object);
  fillDefaults(request, object);
  if (!type.custom && type.schema !== undefined) requireDecodable(request, type.schema, object);
}

/** Objects that stand in fields of custom resources are read as any object is. Throws a 400. */
function requireReadable(request: WriteRequest, object: ApiObject, unknown: string[]): void {
  const { custom, schema } = request.type;
  const malformed = custom && schema !== undefined ? readEmbedded(schema, object, unknown) : undefined;
  if (malformed !== undefined) throw undecodable(request, malformed);
}

/** Objects of built-in kinds pass through Go structs: a value of the wrong type is no fault of the object but of the body. */
function requireDecodable(request: WriteRequest, schema: StructuralSchema, object: ApiObject): void {
  const wrong = validateSchema(schema, object).find(
    ({ reason, field }) => reason === "FieldValueTypeInvalid" && field !== "",
  );
  const found = wrong === undefined ? null : /must be of type ([\w,-]+): "(\w+)"$/.exec(wrong.message);
  const given = goKinds[found?.[2] ?? ""];
  if (wrong === undefined || found === null || given === undefined) return;
  const [, expected = ""] = found;
  const path = wrong.field.replace(/\[\d+\]/g, "");
  // Go names the struct and the map, not the key in it.
  const field =
    shapeAt(schema, path.split(".").slice(0, -1)) === "map" ? path.slice(0, path.lastIndexOf(".")) : path;
  const goType = goTypes[expected] ?? expected;
  throw undecodable(
    request,
    `json: cannot unmarshal ${given} into Go struct field ${request.type.kind}.${field} of type ${goType}`,
  );
}
/** The names that Go's decoder gives to the types of JSON. */
const goKinds: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "bool",
  array: "array",
  object: "object",
};
const goTypes: Readonly<Record<string, string>> = { integer: "int32", boolean: "bool", number: "float64" };

function shapeAt(schema: StructuralSchema, path: readonly string[]): "map" | "struct" {
  let at: StructuralSchema | undefined = schema;
  for (const name of path) {
    while (at?.items !== undefined) at = at.items;
    at = at?.properties?.[name];
  }
  return at !== undefined && isObject(at.additionalProperties) ? "map" : "struct";
}

/** Defaults, and the form in which the server stores objects of the type. */
export function fillDefaults(request: WriteRequest, object: ApiObject): void {
  const { type } = request;
  // What was applied comes here unread.
  requireReadable(request, object, []);
  if (type.schema !== undefined) applyDefaults(type.schema, object);
  type.strategy?.default?.(object);
  if (!type.custom) dropEmptyMetadata(object.metadata);
}

/** Unknown and doubled fields are refused, warned of, or nothing, as the request says. */
function complain(request: WriteRequest, remarks: readonly string[]): void {
  if (remarks.length === 0 || request.fieldValidation === "Ignore") return;
  if (request.fieldValidation === "Warn") {
    request.warnings.push(...remarks);
    return;
  }
  throw undecodable(request, `strict decoding error: ${remarks.join(", ")}`);
}

const undecodable = ({ type }: WriteRequest, why: string): Error =>
  badRequest(
    `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: ${why}`,
  );

/** apiVersion and kind of a body must be those of the path. Throws a 400, or the 422 of a custom resource of another kind. */
export function requireKind({ type }: WriteRequest, object: ApiObject, raw: string): void {
  const expected = apiVersionOfType(type);
  if (!type.custom) {
    object.apiVersion ??= expected;
    object.kind ??= type.kind;
  }
  const missing =
    typeof object.kind !== "string" || object.kind === ""
      ? "Kind"
      : typeof object.apiVersion !== "string"
        ? "apiVersion"
        : undefined;
  if (missing !== undefined) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): Object '${missing}' is missing in '${raw}' (${raw})`,
    );
  }
  if (object.apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${object.apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (object.kind === type.kind) return;
  if (!type.custom) {
    throw badRequest(
      `${object.kind} in version "${type.version}" cannot be handled as a ${type.kind}: no kind "${object.kind}" is registered for version "${expected}" in scheme "local"`,
    );
  }
  throw invalid(type.group, object.kind, nameOf(object), [
    fault.invalid("kind", object.kind, `must be ${type.kind}`),
  ]);
}
const nameOf = (object: ApiObject): string =>
  isObject(object.metadata) && typeof object.metadata.name === "string" ? object.metadata.name : "";

const rulesSkipped = (): FieldError => ({
  reason: "FieldValueInvalid",
  field: "<nil>",
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
});

/** Throws the 422 with everything that is wrong with an object. `previous` is absent on create. */
export function requireValid(
  { type, subresource, warnings }: WriteRequest,
  object: KubeObject,
  previous: KubeObject | undefined,
): void {
  const errors = metadataFaults(type, object);
  if (previous !== undefined) {
    const found = metadataUpdateFaults(object, previous);
    // The real server checks the metadata of custom resources twice, and says so twice.
    errors.push(...found, ...(type.custom ? found : []));
  }
  const { schema } = type;
  if (schema !== undefined) {
    // Go's structs know no doubles: where a built-in kind minds them, its own rules say so.
    const found = validateSchema(schema, object).filter(
      ({ reason }) => type.custom || reason !== "FieldValueDuplicate",
    );
    errors.push(...ratcheted(found, object, previous));
    if (type.custom) errors.push(...ratcheted(embeddedFaults(schema, object), object, previous));
    if (hasRules(schema)) {
      if (blocksRules(errors)) errors.push(rulesSkipped());
      else errors.push(...ratcheted(validateRules(schema, object, previous), object, previous));
    }
  }
  if (errors.length === 0) errors.push(...(type.strategy?.validate?.(object, previous, subresource) ?? []));
  if (errors.length > 0) throw invalid(type.group, type.kind, object.metadata.name ?? "", errors);
  if (type.custom) warnings.push(...finalizerWarnings(object, previous));
}

/** An update may keep what was already wrong: faults of unchanged values do not count. */
function ratcheted(
  errors: readonly FieldError[],
  object: KubeObject,
  previous: KubeObject | undefined,
): FieldError[] {
  if (previous === undefined) return [...errors];
  return errors.filter(({ field }) => {
    if (field === "<nil>") return true;
    const path = (field.split("[")[0] ?? "").split(".").filter((part) => part !== "");
    const [now, then] = [at(object, path), at(previous, path)];
    return then === undefined || !sameJson(now, then);
  });
}
const at = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), object);
