import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import { messageOf } from "../../../shared/errors.ts";
import { fieldPath, isObject, same, typeName } from "../json.ts";
import type { FieldError, StructuralSchema, ValidationRule } from "../resource-type.ts";
import { undeclaredField } from "./declared.ts";
import { registerKubernetesLibrary } from "./library.ts";
import { registerKubernetesTypes } from "./types.ts";
import { celValue } from "./value.ts";

let environment: Environment | undefined;
/** Made on first use: most requests meet no rule. */
function rulesEnvironment(): Environment {
  environment ??= registerKubernetesTypes(
    registerKubernetesLibrary(
      new Environment({
        unlistedVariablesAreDyn: false,
        homogeneousAggregateLiterals: false,
        enableOptionalTypes: true,
      })
        .registerVariable("self", "dyn")
        .registerVariable("oldSelf", "dyn"),
    ),
  );
  return environment;
}

const programs = new Map<string, ParseResult>();
function programOf(source: string): ParseResult {
  let program = programs.get(source);
  if (program === undefined) {
    program = rulesEnvironment().parse(source);
    programs.set(source, program);
  }
  return program;
}

/** Why a rule cannot be compiled; undefined where it can. */
export function ruleFault(schema: StructuralSchema, rule: ValidationRule): string | undefined {
  for (const source of [
    rule.rule,
    ...(rule.messageExpression === undefined ? [] : [rule.messageExpression]),
  ]) {
    try {
      const program = programOf(source);
      const unknown = undeclaredField(program.ast, schema);
      if (unknown !== undefined) return `compilation failed: ERROR: <input>: undefined field '${unknown}'`;
      const checked = program.check();
      if (!checked.valid) return `compilation failed: ERROR: <input>: ${checked.error?.message ?? "invalid"}`;
    } catch (error) {
      return `compilation failed: ERROR: <input>: ${messageOf(error)}`;
    }
  }
  return undefined;
}

const withRules = new WeakMap<StructuralSchema, boolean>();
/** Whether the schema has rules anywhere. */
export function hasRules(schema: StructuralSchema): boolean {
  let known = withRules.get(schema);
  if (known === undefined) {
    const inner = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(isObject(schema.additionalProperties) ? [schema.additionalProperties] : []),
    ];
    known = (schema["x-kubernetes-validations"]?.length ?? 0) > 0 || inner.some(hasRules);
    withRules.set(schema, known);
  }
  return known;
}

/** The faults that the CEL rules of a schema find. `old` is undefined on create. */
export function validateRules(
  schema: StructuralSchema,
  value: unknown,
  old: unknown,
  path = "",
): FieldError[] {
  if (value === undefined || value === null || !hasRules(schema)) return [];
  const errors: FieldError[] = [];
  for (const rule of schema["x-kubernetes-validations"] ?? []) {
    const found = evaluate(schema, rule, value, old, path);
    if (found !== undefined) errors.push(found);
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return errors;
    for (const [index, item] of value.entries()) {
      errors.push(...validateRules(items, item, correlated(schema, item, old), `${path}[${index}]`));
    }
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const field =
        schema.properties?.[name] ??
        (isObject(schema.additionalProperties) ? schema.additionalProperties : undefined);
      const before = isObject(old) ? old[name] : undefined;
      if (field !== undefined) {
        errors.push(
          ...validateRules(
            field,
            inner,
            before,
            schema.properties?.[name] === undefined ? `${path}[${name}]` : fieldPath(path, name),
          ),
        );
      }
    }
  }
  return errors;
}

/** The item of the old list that is the same one: only list maps know. */
function correlated(schema: StructuralSchema, item: unknown, old: unknown): unknown {
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old) || !isObject(item)) return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return old.find((other) => isObject(other) && keys.every((key) => same(other[key], item[key])));
}

const usesOldSelf = /\boldSelf\b/;

function evaluate(
  schema: StructuralSchema,
  rule: ValidationRule,
  value: unknown,
  old: unknown,
  path: string,
): FieldError | undefined {
  if (usesOldSelf.test(rule.rule) && old === undefined && rule.optionalOldSelf !== true) return undefined;
  const context = {
    self: celValue(schema, value),
    oldSelf: old === undefined ? null : celValue(schema, old),
  };
  const field = path + (rule.fieldPath ?? "");
  const at = field === "" ? "<nil>" : field.replace(/^\./, "");
  let holds: unknown;
  try {
    holds = programOf(rule.rule)(context);
  } catch (error) {
    // The real server names neither fieldPath nor reason of a rule that could not be evaluated.
    const why = (messageOf(error).split("\n")[0] ?? "").replace(/^No such key/, "no such key");
    const message = `Invalid value: "${typeName(value)}": ${why} evaluating rule: ${rule.message ?? rule.rule.trim()}`;
    return { reason: "FieldValueInvalid", field: path === "" ? "<nil>" : path, message };
  }
  return holds === true ? undefined : faultOf(rule, at, messageFor(rule, context));
}

function messageFor(rule: ValidationRule, context: Readonly<Record<string, unknown>>): string {
  if (rule.messageExpression !== undefined) {
    try {
      const message: unknown = programOf(rule.messageExpression)(context);
      if (typeof message === "string" && message.trim() !== "" && !message.includes("\n")) return message;
    } catch (error) {
      // As the real server does: an expression that fails falls back to the plain message.
      if (rule.message === undefined) return `failed rule: ${rule.rule} (${messageOf(error).split("\n")[0]})`;
    }
  }
  return rule.message ?? `failed rule: ${rule.rule.trim()}`;
}

function faultOf({ reason = "FieldValueInvalid" }: ValidationRule, field: string, text: string): FieldError {
  if (reason === "FieldValueForbidden") return { reason, field, message: `Forbidden: ${text}` };
  if (reason === "FieldValueRequired") return { reason, field, message: `Required value: ${text}` };
  if (reason === "FieldValueDuplicate") return { reason, field, message: `Duplicate value: ${text}` };
  return { reason, field, message: `Invalid value: ${text}` };
}
