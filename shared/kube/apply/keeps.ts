import { isRecord } from "../../json/fields.ts";
import { objectSchemaOf } from "../crd.ts";
import type { KindStatics } from "../kind.ts";
import type { JsonSchema } from "../structural.ts";

/** The fields of a kind that must be sent although they are null or empty, as a tree. */
export interface Keeps {
  /** Null is a value here: the schema says nullable. */
  readonly null?: true;
  /** The field is required: left out for being empty, the whole object would be refused. */
  readonly empty?: true;
  /** Another's object stands whole in the field: which of its empties mean something, nobody here knows. */
  readonly embedded?: true;
  readonly fields?: Readonly<Record<string, Keeps>>;
  /** For the items of a list and the values of a map. */
  readonly each?: Keeps;
}

const known = new WeakMap<KindStatics, { readonly keeps: Keeps | undefined }>();

/** The fields that the schema of a kind of our own keeps; undefined where it keeps none, or is another's and known in part. */
export function keepsOf(kind: KindStatics): Keeps | undefined {
  const found = known.get(kind);
  if (found !== undefined) return found.keeps;
  const whole = kind.external || kind.dynamic ? undefined : keepsIn(objectSchemaOf(kind), false);
  known.set(kind, { keeps: whole });
  return whole;
}

/**
 * Null for each field of the status that the schema requires and lets be null, that `said` leaves out and that `live` does not hold.
 * Another writer's part may be required: without it, whoever writes first would be refused. Once that writer says more than
 * null, the field is left out, and is that writer's alone.
 */
export function unsaid(kind: KindStatics, said: unknown, live: unknown): Readonly<Record<string, null>> {
  const fields = keepsOf(kind)?.fields?.status?.fields ?? {};
  const names = Object.keys(fields).filter(
    (name) => fields[name]?.null === true && fields[name].empty === true,
  );
  const lacks = (of: unknown, name: string): boolean => !isRecord(of) || (of[name] ?? null) === null;
  return Object.fromEntries(
    names.flatMap((name) => (lacks(said, name) && lacks(live, name) ? [[name, null] as const] : [])),
  );
}

function keepsIn(schema: JsonSchema, required: boolean): Keeps | undefined {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const kept = keepsIn(field, schema.required?.includes(name) ?? false);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  const item = schema.items ?? schema.additionalProperties;
  const each = typeof item === "object" ? keepsIn(item, false) : undefined;
  const keeps: Keeps = {
    ...(schema.nullable === true && { null: true }),
    ...(schema["x-kubernetes-embedded-resource"] === true && { embedded: true }),
    ...(required && (schema.type === "object" || schema.type === "array") && { empty: true }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(each !== undefined && { each }),
  };
  return Object.keys(keeps).length > 0 ? keeps : undefined;
}
