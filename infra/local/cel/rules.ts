import { type ASTNode, Environment, Optional, type ParseResult } from "@marcbachmann/cel-js";
import { messageOf } from "../../../shared/errors.ts";
import { fieldPath } from "../../../shared/json/field-path.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import { typeName } from "../../../shared/json/type-name.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import type { StructuralSchema, ValidationRule } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";
import { undeclaredField } from "./declared.ts";
import { registerFormats } from "./formats.ts";
import { registerKubernetesLibrary } from "./library.ts";
import { registerMacros } from "./macro-functions.ts";
import { faultyPattern, inLibraryWords, namesVariable } from "./macros.ts";
import { typedEnvironment } from "./typed.ts";
import { registerKubernetesTypes } from "./types.ts";
import { celValue } from "./value.ts";

const registers = [registerKubernetesLibrary, registerKubernetesTypes, registerFormats, registerMacros];
const environments = new Map<string, Environment>();
/** Made on first use, one for each type of `self`: most requests meet no rule. */
function environmentFor(self: string, optionalOldSelf: boolean): Environment {
  const key = `${self} ${optionalOldSelf}`;
  let environment = environments.get(key);
  if (environment === undefined) {
    environment = new Environment({
      unlistedVariablesAreDyn: false,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
    })
      .registerVariable("self", self)
      .registerVariable("oldSelf", optionalOldSelf ? `optional<${self}>` : self);
    for (const register of registers) register(environment);
    environments.set(key, environment);
  }
  return environment;
}

/** A source as it was written, and the same in the library's words, which runs. */
interface Program {
  readonly written: ASTNode;
  readonly run: ParseResult;
}
const programs = new Map<string, Program>();
function programOf(schema: StructuralSchema, rule: ValidationRule, source: string): Program {
  const self = typeOfSelf(schema);
  const optional = rule.optionalOldSelf === true;
  const key = `${self} ${optional} ${source}`;
  let program = programs.get(key);
  if (program === undefined) {
    const environment = environmentFor(self, optional);
    const parsed = environment.parse(source);
    const words = inLibraryWords(source, parsed.ast);
    program = { written: parsed.ast, run: words === source ? parsed : environment.parse(words) };
    programs.set(key, program);
  }
  return program;
}

/** The type that a rule's `self` is checked as: exact for plain values; fields of objects are looked up one by one. */
function typeOfSelf(schema: StructuralSchema): string {
  if (schema.nullable === true || schema["x-kubernetes-int-or-string"] === true) return "dyn";
  if (schema.type === "boolean") return "bool";
  if (schema.type === "integer") return "int";
  return schema.type === "string" && schema.format === undefined ? "string" : "dyn";
}

/** The server asks for lists of one type, but for the arguments of `format`; `transformMap` makes pairs in the library's words. */
const mixesTypes = /\.\s*(format|transformMap)\s*\(/;

/** The reason why a rule cannot be compiled; undefined where it can. `root`: the schema is that of whole objects. */
export const ruleFault = (
  schema: StructuralSchema,
  rule: ValidationRule,
  root: boolean,
): string | undefined => {
  const found = compile(schema, rule, rule.rule, root);
  if (found.fault !== undefined) return `compilation failed: ERROR: <input>: ${found.fault}`;
  return found.type === "bool" || found.type === "dyn" ? undefined : "cel expression must evaluate to a bool";
};

/** The reason why a rule's message expression cannot be compiled; undefined where it can. */
export const messageFault = (
  schema: StructuralSchema,
  rule: ValidationRule,
  source: string,
  root: boolean,
): string | undefined => {
  const found = compile(schema, rule, source, root);
  if (found.fault !== undefined)
    return `messageExpression compilation failed: ERROR: <input>: ${found.fault}`;
  return found.type === "string" || found.type === "dyn"
    ? undefined
    : "messageExpression must evaluate to a string";
};

/** True where a rule that compiles reads the old value. */
export const namesOldSelf = (schema: StructuralSchema, rule: ValidationRule): boolean =>
  namesVariable(programOf(schema, rule, rule.rule).written, "oldSelf");

function compile(
  schema: StructuralSchema,
  rule: ValidationRule,
  source: string,
  root: boolean,
): { readonly fault?: string; readonly type?: string | undefined } {
  try {
    const program = programOf(schema, rule, source);
    if (namesVariable(program.written, "cel")) return { fault: "undeclared reference to 'cel'" };
    const pattern = faultyPattern(program.written);
    if (pattern !== undefined) return { fault: `invalid matches argument: ${pattern}` };
    const unknown = undeclaredField(program.written, schema, root);
    if (unknown !== undefined) return { fault: `undefined field '${unknown}'` };
    const typed = typedEnvironment(
      schema,
      root,
      { optionalOldSelf: rule.optionalOldSelf === true, mixedLists: mixesTypes.test(source) },
      registers,
    );
    const checked = typed.parse(inLibraryWords(source, program.written)).check();
    return checked.valid ? { type: checked.type } : { fault: checked.error?.message ?? "invalid" };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

const withRules = new WeakMap<StructuralSchema, boolean>();
/** True where the schema has rules anywhere. */
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
  return old.find((other) => isObject(other) && keys.every((key) => sameJson(other[key], item[key])));
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
  const before = old === undefined ? undefined : celValue(schema, old);
  const context = {
    self: celValue(schema, value),
    oldSelf: rule.optionalOldSelf === true ? Optional.of(before) : (before ?? null),
  };
  const field = path + (rule.fieldPath ?? "");
  const at = field === "" ? "<nil>" : field.replace(/^\./, "");
  let holds: unknown;
  try {
    holds = programOf(schema, rule, rule.rule).run(context);
  } catch (error) {
    // The real server names neither fieldPath nor reason of a rule that could not be evaluated.
    const why = (messageOf(error).split("\n")[0] ?? "").replace(/^No such key/, "no such key");
    const message = `Invalid value: "${typeName(value)}": ${why} evaluating rule: ${rule.message ?? rule.rule.trim()}`;
    return { reason: "FieldValueInvalid", field: path === "" ? "<nil>" : path, message };
  }
  return holds === true ? undefined : faultOf(rule, at, messageFor(schema, rule, context), value);
}

function messageFor(
  schema: StructuralSchema,
  rule: ValidationRule,
  context: Readonly<Record<string, unknown>>,
): string {
  if (rule.messageExpression !== undefined) {
    try {
      const message: unknown = programOf(schema, rule, rule.messageExpression).run(context);
      if (typeof message === "string" && message.trim() !== "" && !message.includes("\n")) return message;
    } catch (error) {
      // As the real server does: an expression that fails falls back to the plain message.
      if (rule.message === undefined) return `failed rule: ${rule.rule} (${messageOf(error).split("\n")[0]})`;
    }
  }
  return rule.message ?? `failed rule: ${rule.rule.trim()}`;
}

function faultOf(
  { reason = "FieldValueInvalid" }: ValidationRule,
  field: string,
  text: string,
  value: unknown,
): FieldError {
  if (reason === "FieldValueForbidden") return { reason, field, message: `Forbidden: ${text}` };
  if (reason === "FieldValueRequired") return { reason, field, message: `Required value: ${text}` };
  if (reason === "FieldValueDuplicate") return { reason, field, message: `Duplicate value: ${text}` };
  // Plain values are told, lists and objects are not.
  const told = typeof value === "object" ? "" : `${JSON.stringify(value)}: `;
  return { reason, field, message: `Invalid value: ${told}${text}` };
}
