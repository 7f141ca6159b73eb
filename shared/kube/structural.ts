import * as z from "zod";
import { checkWords } from "./structural-checks.ts";
import { NotStructuralError } from "./structural-error.ts";
import type { StructuralSchema } from "./validation/structural-schema.ts";

/** A structural schema that is made from zod. Plain JSON; types of the server's own bear words that no CRD has. */
export interface JsonSchema extends StructuralSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly [word: string]: unknown;
}

/**
 * The audience of a schema. A `crd` keeps what apiextensions allows; a `builtIn` also keeps the words for strategic merge patches
 * and the values that the server knows of a string. A function is a `builtIn` whose types have names: those are written as
 * `x-type-name`.
 */
export type SchemaAudience = "crd" | "builtIn" | ((schema: z.core.$ZodType) => string | undefined);

const VALIDATION_WORDS = [
  ["title", "description", "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  [
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "nullable",
  ],
  ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-list-type"],
  [
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
    "x-kubernetes-int-or-string",
  ],
].flat();
const BUILT_IN_WORDS = [
  "x-kubernetes-patch-merge-key",
  "x-kubernetes-patch-strategy",
  "x-quantity",
  "x-micro-time",
];

/**
 * The structural schema of a zod schema: no `$ref`, `additionalProperties` only for records, defaults kept, and
 * whatever `.meta({ "x-kubernetes-…": … })` and `.describe()` say. The same schema always gives the same JSON.
 *
 * @throws NotStructuralError where a part has no structural form (unions but int-or-string, tuples, transforms, …).
 * Source of the rules: kubernetes.io, "Specifying a structural schema".
 */
export function structuralSchemaOf(schema: z.ZodType, audience: SchemaAudience = "crd"): JsonSchema {
  return convert(schema as unknown as z.core.$ZodTypes, "", audience);
}

function convert(schema: z.core.$ZodTypes, path: string, audience: SchemaAudience): JsonSchema {
  const words = wordsOf(schema, audience);
  const checks = checkWords(schema, path, words);
  const shape = withoutMeta(schema, path, audience, words);
  return { ...shape, ...checks, ...words };
}

/** The words of `.meta()` and `.describe()` that the audience knows. */
function wordsOf(schema: z.core.$ZodTypes, audience: SchemaAudience): Record<string, unknown> {
  const said: Record<string, unknown> = { ...z.globalRegistry.get(schema) };
  const words: Record<string, unknown> = {};
  for (const word of audience === "crd" ? VALIDATION_WORDS : [...VALIDATION_WORDS, ...BUILT_IN_WORDS])
    if (said[word] !== undefined) words[word] = said[word];
  if (audience !== "crd" && said["x-enum"] !== undefined) words.enum = said["x-enum"];
  const name = typeof audience === "function" ? audience(schema) : undefined;
  if (name !== undefined) words["x-type-name"] = name;
  return words;
}

function withoutMeta(
  schema: z.core.$ZodTypes,
  path: string,
  audience: SchemaAudience,
  words: Readonly<Record<string, unknown>>,
): JsonSchema {
  const inner = (type: z.core.$ZodType, at = path): JsonSchema =>
    convert(type as z.core.$ZodTypes, at, audience);
  const def = schema._zod.def;
  switch (def.type) {
    case "string":
      return { type: "string" };
    case "number":
      return { type: isInteger(def) ? "integer" : "number" };
    case "boolean":
      return { type: "boolean" };
    case "enum":
      return enumeration(Object.values(def.entries), path);
    case "literal":
      return enumeration([...def.values], path);
    case "array":
      return { type: "array", items: inner(def.element, `${path}[]`) };
    case "record":
      if (def.keyType._zod.def.type !== "string")
        throw new NotStructuralError(
          path,
          "the keys of a record must be any strings; write an object with optional fields",
        );
      return { type: "object", additionalProperties: inner(def.valueType, `${path}{}`) };
    case "object":
      return objectOf(def, path, inner);
    case "optional":
    case "nonoptional":
    case "readonly":
      return inner(def.innerType);
    case "nullable":
      return { ...inner(def.innerType), nullable: true };
    case "default":
    case "prefault":
      return { ...inner(def.innerType), default: plain(def.defaultValue, path) };
    case "unknown":
    case "any":
      return { "x-kubernetes-preserve-unknown-fields": true };
    case "union":
      return unionOf(def.options as readonly z.core.$ZodTypes[], path, words);
    case "lazy":
      throw new NotStructuralError(path, "it is recursive; use z.unknown() from here on");
    case "pipe":
    case "transform":
      throw new NotStructuralError(
        path,
        "it transforms the value; keep the schema as it is stored and convert in code",
      );
    default:
      throw new NotStructuralError(path, `z.${def.type} has no structural form`);
  }
}

function isInteger(def: z.core.$ZodNumberDef): boolean {
  const formats = [def as unknown, ...(def.checks ?? []).map((check) => check._zod.def)];
  return formats.some((it) => /int/.test(String((it as { readonly format?: unknown }).format ?? "")));
}

function objectOf(
  def: z.core.$ZodObjectDef,
  path: string,
  inner: (type: z.core.$ZodType, at: string) => JsonSchema,
): JsonSchema {
  const fields = Object.entries(def.shape);
  const loose = def.catchall?._zod.def.type === "unknown";
  if (def.catchall !== undefined && !loose && def.catchall._zod.def.type !== "never")
    throw new NotStructuralError(
      path,
      "an object has either fields or one schema for all; use z.record beside it",
    );
  if (fields.length === 0 && !loose) return { type: "object" };
  const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name);
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    ...(fields.length > 0
      ? {
          properties: Object.fromEntries(
            fields.map(([name, field]) => [name, inner(field, path === "" ? name : `${path}.${name}`)]),
          ),
        }
      : {}),
    ...(loose ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
  };
}

function enumeration(values: readonly unknown[], path: string): JsonSchema {
  const kinds = new Set(values.map((value) => typeof value));
  const [kind] = kinds;
  if (kinds.size !== 1 || (kind !== "string" && kind !== "number" && kind !== "boolean"))
    throw new NotStructuralError(
      path,
      "the values of an enumeration must all be strings, numbers or booleans",
    );
  const type = kind === "number" ? (values.every(Number.isInteger) ? "integer" : "number") : kind;
  return { type, enum: values };
}

function unionOf(
  options: readonly z.core.$ZodTypes[],
  path: string,
  words: Readonly<Record<string, unknown>>,
): JsonSchema {
  // The order is the one that every CRD has; kubectl explain and the server know this form.
  if (words["x-kubernetes-int-or-string"] === true)
    return { anyOf: [{ type: "integer" }, { type: "string" }] };
  const literals = options.map((option) => {
    const def = option._zod.def;
    return def.type === "literal"
      ? [...def.values]
      : def.type === "enum"
        ? Object.values(def.entries)
        : undefined;
  });
  if (literals.every((values) => values !== undefined)) return enumeration(literals.flat(), path);
  throw new NotStructuralError(
    path,
    "a union has no structural form; write one object with optional fields (and x-kubernetes-validations), or intOrString",
  );
}

function plain(value: unknown, path: string): unknown {
  const json = JSON.stringify(value);
  if (json === undefined) throw new NotStructuralError(path, "its default is not JSON");
  return JSON.parse(json);
}
