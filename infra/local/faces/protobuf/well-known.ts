import type { JsonObject } from "../../json.ts";
import { WireError } from "./wire.ts";

/** The JSON of a message that is not an object of its fields. `raw`: the fields as they were read. */
type Spell = (raw: JsonObject) => unknown;

const instant = (digits: 0 | 6): Spell => {
  return ({ seconds, nanos = 0 }) => {
    // An empty message is a time that is not set.
    if (typeof seconds !== "number" || typeof nanos !== "number") return undefined;
    const date = new Date(seconds * 1000);
    if (Number.isNaN(date.getTime())) throw new WireError("a time lies outside what can be written");
    const whole = date.toISOString().slice(0, -5);
    return digits === 0 ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z`;
  };
};

const embedded = (bytes: unknown): unknown => {
  const spelled = Buffer.from(String(bytes ?? ""), "base64").toString();
  if (spelled === "") return undefined;
  try {
    return JSON.parse(spelled);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new WireError(`embedded JSON is broken: ${error.message}`, { cause: error });
  }
};

const items: Spell = ({ items: list = [] }) => list;

/** Messages whose JSON is no object, or another one than their fields tell, with the fields that they have. */
export const wellKnown: Readonly<Record<string, { readonly fields: string; readonly spell: Spell }>> = {
  "meta.v1.Time": { fields: "seconds=1i nanos=2i", spell: instant(0) },
  "meta.v1.MicroTime": { fields: "seconds=1i nanos=2i", spell: instant(6) },
  "meta.v1.FieldsV1": { fields: "raw=1x", spell: ({ raw }) => embedded(raw) },
  RawExtension: { fields: "raw=1x", spell: ({ raw }) => embedded(raw) },
  /** The envelope of every body: type and bytes of the object inside. */
  Unknown: {
    fields: "typeMeta=1.TypeMeta raw=2x contentEncoding=3s contentType=4s",
    spell: (raw) => raw,
  },
  TypeMeta: { fields: "apiVersion=1s kind=2s", spell: (raw) => raw },
  Quantity: { fields: "string=1s", spell: ({ string = "0" }) => string },
  IntOrString: {
    fields: "type=1i intVal=2i strVal=3s",
    spell: ({ type, intVal = 0, strVal = "" }) => (type === 1 ? strVal : intVal),
  },
  "apiextensions.v1.JSON": { fields: "raw=1x", spell: ({ raw }) => embedded(raw) ?? null },
  "apiextensions.v1.JSONSchemaPropsOrBool": {
    fields: "allows=1b schema=2.JSONSchemaProps",
    spell: ({ allows, schema }) => schema ?? allows,
  },
  "apiextensions.v1.JSONSchemaPropsOrArray": {
    fields: "schema=1.JSONSchemaProps jSONSchemas=2[.JSONSchemaProps]",
    spell: ({ schema, jSONSchemas }) => schema ?? jSONSchemas,
  },
  "apiextensions.v1.JSONSchemaPropsOrStringArray": {
    fields: "schema=1.JSONSchemaProps property=2[s]",
    spell: ({ schema, property }) => schema ?? property,
  },
  "authentication.v1.AttestationValue": { fields: "items=1[s]", spell: items },
  "authentication.v1.ExtraValue": { fields: "items=1[s]", spell: items },
  "authorization.v1.ExtraValue": { fields: "items=1[s]", spell: items },
};
