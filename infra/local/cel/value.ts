import { parse } from "@marcbachmann/cel-js";
import { durationSeconds } from "../../../shared/kube/validation/duration.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { isObject } from "../json.ts";

/** CEL has its own type for durations, and its own way to read them. */
const durationOf = parse("duration(text)");

/** A JSON value as CEL sees it by its schema: integers as int, formats as timestamp, duration or bytes. */
export function celValue(schema: StructuralSchema | undefined, value: unknown): unknown {
  if (typeof value === "number") {
    if (schema?.type === "number") return value;
    return Number.isInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === "string") return textValue(schema, value);
  if (Array.isArray(value)) return value.map((item) => celValue(schema?.items, item));
  if (!isObject(value)) return value;
  const out = new Map<string, unknown>();
  for (const [name, inner] of Object.entries(value)) {
    const declared = schema?.properties?.[name];
    const field =
      declared ?? (isObject(schema?.additionalProperties) ? schema.additionalProperties : undefined);
    // A null that is not declared as nullable is as good as absent.
    if (inner !== null || field === undefined || field.nullable === true)
      out.set(declared === undefined ? name : escapedName(name), celValue(field, inner));
  }
  return out;
}

function textValue(schema: StructuralSchema | undefined, value: string): unknown {
  if (schema?.format === "date-time" || schema?.format === "datetime") return new Date(value);
  if (schema?.format === "duration") {
    const seconds = durationSeconds(value);
    // Rules are asked only after formats were checked; what is none stays a text.
    return seconds === undefined ? value : durationOf({ text: `${seconds.toFixed(9)}s` });
  }
  if (schema?.format === "byte") return new Uint8Array(Buffer.from(value, "base64"));
  return value;
}

/** A CEL value back as JSON, for equality within our own functions. */
export function jsonValue(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, inner]) => [String(key), jsonValue(inner)]));
  if (Array.isArray(value)) return value.map(jsonValue);
  return value;
}

const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return".split(
    " ",
  ),
);
const signs: readonly (readonly [string, string])[] = [
  ["__", "__underscores__"],
  [".", "__dot__"],
  ["-", "__dash__"],
  ["/", "__slash__"],
];

/** The name by which a rule reaches a field that is no CEL identifier. Keys of maps keep theirs. */
export function escapedName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return signs.reduce((text, [sign, word]) => text.replaceAll(sign, word), name);
}

/** The reverse of the escaping of field names. */
export function unescapedName(name: string): string {
  const word = /^__(\w+)__$/.exec(name)?.[1];
  if (word !== undefined && reserved.has(word)) return word;
  return signs.reduceRight((text, [sign, escaped]) => text.replaceAll(escaped, sign), name);
}
