import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { bytes, flag, mapOf, text } from "../../../shared/kube/schema/words.ts";
import type { FieldError } from "../../../shared/kube/validation/fault.ts";
import { fault } from "../../../shared/kube/validation/fault.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectAt, textsAt } from "./reading.ts";
import { keyFaults } from "./rules.ts";
import { secretTypeFaults } from "./validate/secret.ts";

const LARGEST = 1024 * 1024;

/** The faults of changes to an object that is marked immutable. */
function validateImmutable(
  object: KubeObject,
  previous: KubeObject | undefined,
  fields: readonly string[],
): FieldError[] {
  if (previous?.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (object.immutable !== true)
    errors.push(fault.forbidden("immutable", "field is immutable when `immutable` is set"));
  for (const field of fields)
    if (!sameJson(object[field], previous[field]))
      errors.push(fault.forbidden(field, "field is immutable when `immutable` is set"));
  return errors;
}

/** Values in base64 count by what they stand for. */
function validateSize(
  object: KubeObject,
  {
    texts,
    bytes: encoded,
    field,
  }: { readonly texts?: string; readonly bytes: string; readonly field: string },
): FieldError[] {
  let size = 0;
  for (const value of Object.values(texts === undefined ? {} : textsAt(object, texts)))
    size += Buffer.byteLength(value);
  for (const value of Object.values(textsAt(object, encoded))) size += Buffer.byteLength(value, "base64");
  return size > LARGEST ? [fault.tooLong(field, LARGEST)] : [];
}

const configMap = builtIn({
  kind: "ConfigMap",
  shortNames: ["cm"],
  description: "Configuration for pods and people to read.",
  fields: {
    binaryData: mapOf(bytes).describe("Values that are no text, in base64.").optional(),
    data: mapOf(text).describe("Texts by key.").optional(),
    immutable: flag.describe("Whether the contents may never change again.").optional(),
  },
  strategy: {
    validate(object, previous) {
      const both = Object.keys(objectAt(object, "binaryData")).filter((key) =>
        Object.hasOwn(objectAt(object, "data"), key),
      );
      return [
        ...validateImmutable(object, previous, ["data", "binaryData"]),
        ...keyFaults(object, "data"),
        ...keyFaults(object, "binaryData"),
        ...both.map((key) => fault.invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
        ...validateSize(object, { texts: "data", bytes: "binaryData", field: "[]" }),
      ];
    },
  },
});

const secret = builtIn({
  kind: "Secret",
  description: "Values that are not for everybody.",
  fields: {
    data: mapOf(bytes).describe("Values by key, in base64.").optional(),
    immutable: flag.describe("Whether the contents may never change again.").optional(),
    stringData: mapOf(text).describe("Texts that are written into data; never shown.").optional(),
    type: text.describe("What the Secret is for.").optional(),
  },
  selectable: ["type"],
  strategy: {
    default(object) {
      fillIn(object, { type: "Opaque" });
      sealTexts(object);
    },
    validate(object, previous) {
      return [
        ...(previous === undefined || previous.type === object.type
          ? []
          : [fault.invalid("type", object.type, "field is immutable")]),
        ...validateImmutable(object, previous, ["data"]),
        ...keyFaults(object, "data"),
        ...secretTypeFaults(object),
        ...validateSize(object, { bytes: "data", field: "data" }),
      ];
    },
  },
});

/** `stringData` goes into `data`, over what stands there, and is not kept. */
function sealTexts(object: ApiObject): void {
  const texts = textsAt(object, "stringData");
  if (object.stringData === undefined) return;
  object.data = {
    ...objectAt(object, "data"),
    ...Object.fromEntries(
      Object.entries(texts).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
    ),
  };
  delete object.stringData;
}

/** ConfigMap and Secret. */
export const configuration: readonly ResourceType[] = [configMap, secret];
