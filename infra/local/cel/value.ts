import { isObject } from "../json.ts";
import type { StructuralSchema } from "../resource-type.ts";

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
    const field =
      schema?.properties?.[name] ??
      (isObject(schema?.additionalProperties) ? schema.additionalProperties : undefined);
    // A null that is not declared as nullable is as good as absent.
    if (inner !== null || field === undefined || field.nullable === true)
      out.set(name, celValue(field, inner));
  }
  return out;
}

function textValue(schema: StructuralSchema | undefined, value: string): unknown {
  if (schema?.format === "date-time" || schema?.format === "datetime") return new Date(value);
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
