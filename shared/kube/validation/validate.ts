import { fieldPath } from "../../json/field-path.ts";
import { isRecord } from "../../json/fields.ts";
import { sameJson } from "../../json/same-json.ts";
import { typeName } from "../../json/type-name.ts";
import { type FieldError, fault } from "./fault.ts";
import { hasFormat } from "./formats.ts";
import { patternOf } from "./pattern.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** Reasons after which CEL rules are not evaluated any more. */
const blocking = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);
export const blocksRules = (errors: readonly FieldError[]): boolean =>
  errors.some((error) => blocking.has(error.reason));

/** All faults of a value, with the field paths and words of the real server. */
export function validateSchema(schema: StructuralSchema, value: unknown, path = ""): FieldError[] {
  const errors: FieldError[] = [];
  check(schema, value, path, errors);
  return errors;
}

function check(schema: StructuralSchema, value: unknown, path: string, errors: FieldError[]): void {
  if (value === undefined) return;
  const fits = checkType(schema, value, path, errors);
  if (schema.enum !== undefined && value !== null && !schema.enum.some((one) => sameJson(one, value))) {
    errors.push(
      fault.unsupported(
        path,
        value,
        schema.enum.map((one) => JSON.stringify(one)),
      ),
    );
  }
  if (!fits) return;
  if (typeof value === "string") checkString(schema, value, path, errors);
  else if (typeof value === "number") checkNumber(schema, value, path, errors);
  else if (Array.isArray(value)) checkList(schema, value, path, errors);
  else if (isRecord(value)) checkObject(schema, value, path, errors);
  checkCombinations(schema, value, path, errors);
}

function checkType(schema: StructuralSchema, value: unknown, path: string, errors: FieldError[]): boolean {
  const found = typeWord(value);
  if (found === "null" && schema.nullable === true) return true;
  if (schema["x-kubernetes-int-or-string"] === true) {
    if (found === "string" || found === "integer") return true;
    errors.push(fault.type(path, found, `${path} in body must be of type integer,string: "${found}"`));
    return false;
  }
  if (schema.type === undefined) return true;
  const fits = found === schema.type || (schema.type === "number" && found === "integer");
  if (!fits)
    errors.push(fault.type(path, found, `${path} in body must be of type ${schema.type}: "${found}"`));
  if (!fits && schema.type === "integer" && found === "number") {
    errors.push(
      fault.invalid("<nil>", "", `Checked value must be of type integer (default format) in ${path}`),
    );
  }
  return fits;
}

/** The server's name for the type of a value: a number without a fraction is an integer. */
const typeWord = (value: unknown): string => (Number.isInteger(value) ? "integer" : typeName(value));

function checkString(schema: StructuralSchema, value: string, path: string, errors: FieldError[]): void {
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength)
    errors.push(fault.tooLong(path, schema.maxLength));
  else if (schema.minLength !== undefined && length < schema.minLength) {
    errors.push(
      fault.invalid(path, value, `${path} in body should be at least ${schema.minLength} chars long`),
    );
  } else if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value)) {
    errors.push(fault.invalid(path, value, `${path} in body should match '${schema.pattern}'`));
  }
  if (schema.format !== undefined && !hasFormat(schema.format, value)) {
    errors.push(
      fault.type(path, value, `${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`),
    );
  }
}

function checkNumber(schema: StructuralSchema, value: number, path: string, errors: FieldError[]): void {
  const wrong = (detail: string): number =>
    errors.push(fault.invalid(path, value, `${path} in body should be ${detail}`));
  if (schema.multipleOf !== undefined && !isMultiple(value, schema.multipleOf))
    wrong(`a multiple of ${schema.multipleOf}`);
  if (schema.maximum !== undefined) {
    if (schema.exclusiveMaximum === true) {
      if (value >= schema.maximum) wrong(`less than ${schema.maximum}`);
    } else if (value > schema.maximum) wrong(`less than or equal to ${schema.maximum}`);
  }
  if (schema.minimum !== undefined) {
    if (schema.exclusiveMinimum === true) {
      if (value <= schema.minimum) wrong(`greater than ${schema.minimum}`);
    } else if (value < schema.minimum) wrong(`greater than or equal to ${schema.minimum}`);
  }
  if (schema.format === "int32" && (value > 2147483647 || value < -2147483648)) {
    errors.push(
      fault.invalid("<nil>", "", `Checked value must be of type integer with format int32 in ${path}`),
    );
  }
}

const isMultiple = (value: number, of: number): boolean => {
  const ratio = value / of;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
};

function checkList(
  schema: StructuralSchema,
  list: readonly unknown[],
  path: string,
  errors: FieldError[],
): void {
  if (schema.maxItems !== undefined && list.length > schema.maxItems) {
    errors.push(fault.tooMany(path, list.length, schema.maxItems));
  }
  if (schema.minItems !== undefined && list.length < schema.minItems) {
    errors.push(
      fault.invalid(path, list.length, `${path} in body should have at least ${schema.minItems} items`),
    );
  }
  if (
    schema.uniqueItems === true &&
    list.some((one, index) => list.slice(0, index).some((other) => sameJson(one, other)))
  ) {
    errors.push(fault.duplicate(path, "shouldn't contain duplicates"));
  }
  const { items } = schema;
  if (items !== undefined)
    for (const [index, item] of list.entries()) check(items, item, `${path}[${index}]`, errors);
  checkUnique(schema, list, path, errors);
}

/** Sets hold a value once, list maps a key once. */
function checkUnique(
  schema: StructuralSchema,
  list: readonly unknown[],
  path: string,
  errors: FieldError[],
): void {
  const kind = schema["x-kubernetes-list-type"];
  if (kind !== "set" && kind !== "map") return;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const key =
      kind === "set"
        ? item
        : Object.fromEntries(
            keys.flatMap((name) => (isRecord(item) && item[name] !== undefined ? [[name, item[name]]] : [])),
          );
    const spelled = JSON.stringify(key);
    if (seen.has(spelled)) errors.push(fault.duplicate(`${path}[${index}]`, key));
    seen.add(spelled);
  }
}

function checkObject(
  schema: StructuralSchema,
  object: Readonly<Record<string, unknown>>,
  path: string,
  errors: FieldError[],
): void {
  const count = Object.keys(object).length;
  if (schema.maxProperties !== undefined && count > schema.maxProperties) {
    errors.push(fault.tooMany(path, count, schema.maxProperties));
  }
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    errors.push(
      fault.invalid(path, count, `${path} in body should have at least ${schema.minProperties} properties`),
    );
  }
  for (const name of schema.required ?? []) {
    if (object[name] === undefined) errors.push(fault.required(fieldPath(path, name)));
  }
  if (schema["x-kubernetes-embedded-resource"] === true) {
    for (const name of ["apiVersion", "kind"]) {
      if (typeof object[name] !== "string" || object[name] === "")
        errors.push(fault.required(fieldPath(path, name)));
    }
  }
  for (const [name, value] of Object.entries(object)) {
    const known = schema.properties?.[name];
    if (known !== undefined) check(known, value, fieldPath(path, name), errors);
    else if (isRecord(schema.additionalProperties))
      check(schema.additionalProperties, value, fieldPath(path, name), errors);
  }
}

/** allOf, anyOf, oneOf and not hold value rules only, never structure, so they add no fields. */
function checkCombinations(
  schema: StructuralSchema,
  value: unknown,
  path: string,
  errors: FieldError[],
): void {
  for (const one of schema.allOf ?? []) check(one, value, path, errors);
  const wrong = (detail: string): number => errors.push(fault.invalid("<nil>", "", `"${path}" ${detail}`));
  if (schema.anyOf !== undefined) {
    const tries = schema.anyOf.map((one) => validateSchema(one, value, path));
    if (tries.every((found) => found.length > 0)) {
      wrong("must validate at least one schema (anyOf)");
      errors.push(...best(tries));
    }
  }
  if (schema.oneOf !== undefined) {
    const tries = schema.oneOf.map((one) => validateSchema(one, value, path));
    const valid = tries.filter((found) => found.length === 0).length;
    if (valid === 0) {
      wrong("must validate one and only one schema (oneOf). Found none valid");
      errors.push(...best(tries));
    } else if (valid > 1)
      wrong(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
  }
  if (schema.not !== undefined && validateSchema(schema.not, value, path).length === 0) {
    wrong("must not validate the schema (not)");
  }
}

const best = (tries: readonly FieldError[][]): FieldError[] =>
  tries.reduce((fewest, found) => (found.length < fewest.length ? found : fewest), tries[0] ?? []);
