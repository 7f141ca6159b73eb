import { objectMeta } from "../../../../shared/kube/schema/object-meta.ts";
import { structuralSchemaOf } from "../../../../shared/kube/structural.ts";
import type { StructuralSchema } from "../../../../shared/kube/validation/structural-schema.ts";
import { typeNameOf } from "../../builtin/type-names.ts";
import { isObject } from "../../json.ts";
import type { ResourceType } from "../../resource-type.ts";

/** The word that `structuralSchemaOf` marks named types with, and those that only the local API reads. */
const NAME = "x-type-name";
const OWN_WORDS = new Set([NAME, "x-quantity", "x-micro-time"]);

const EMBEDDED = "x-kubernetes-embedded-resource";

type Named = StructuralSchema & { readonly [NAME]?: string; readonly "x-quantity"?: boolean };
type Reference = { readonly $ref: string };

const reference = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of one document. Named types become references, so that `kubectl explain` shows their names. */
export class Components {
  readonly schemas: Record<string, unknown> = {};

  /** The schema of a type's objects, as a reference; it is added with all that it refers to. */
  ofType(type: ResourceType): StructuralSchema {
    const { group, version, kind } = type;
    const name = nameOfKind(type);
    const { properties, ...rest } =
      type.schema ?? ({ type: "object", "x-kubernetes-preserve-unknown-fields": true } as const);
    const written = this.#written({ ...rest, properties: { ...typeMeta, ...properties } }, type.custom, true);
    const description = type.description ?? type.schema?.description;
    // The metadata of a CRD's schema says nothing, for all kinds have the same.
    const metadata = this.#written(metadataSchema(), false, false);
    const fields = isObject(written) && isObject(written.properties) ? written.properties : {};
    this.schemas[name] = {
      ...(description === undefined ? {} : { description }),
      ...(written as object),
      properties: { ...fields, metadata },
      "x-kubernetes-group-version-kind": [{ group, version, kind }],
    };
    return reference(name) as StructuralSchema;
  }

  #written(schema: Named, custom: boolean, inPlace: boolean): unknown {
    if (!custom && schema["x-quantity"] === true)
      return this.#refer("Quantity", { oneOf: [{ type: "string" }, { type: "number" }] }, schema);
    if (!custom && schema["x-kubernetes-int-or-string"] === true)
      return this.#refer(
        "IntOrString",
        { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
        schema,
      );
    const name = schema[NAME];
    if (name !== undefined && !inPlace) {
      if (this.schemas[name] === undefined) {
        this.schemas[name] = {};
        const { description: _, default: __, ...shared } = schema;
        this.schemas[name] = this.#written(shared, custom, true);
      }
      return referTo(name, schema);
    }
    const written: Record<string, unknown> = {};
    for (const [word, value] of Object.entries(schema)) {
      if (OWN_WORDS.has(word) || value === undefined) continue;
      if (word === "properties" || word === EMBEDDED) continue;
      if ((word === "items" || word === "additionalProperties") && isObject(value))
        written[word] = this.#written(value as Named, custom, false);
      else written[word] = value;
    }
    const embedded = schema[EMBEDDED] === true;
    if (embedded || schema.properties !== undefined)
      written.properties = {
        ...(embedded ? typeMeta : {}),
        ...this.#properties(schema, custom),
        ...(embedded ? { metadata: this.#written(metadataSchema(), false, false) } : {}),
      };
    if (!embedded) return written;
    const required = [...new Set([...(schema.required ?? []), "kind", "apiVersion"])];
    return { ...written, required, [EMBEDDED]: true };
  }

  #properties({ properties = {} }: Named, custom: boolean): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(properties).map(([field, inner]) => [field, this.#written(inner, custom, false)]),
    );
  }

  #refer(name: string, schema: object, use: Named): unknown {
    this.schemas[name] ??= schema;
    return referTo(name, use);
  }
}

/** Words beside a reference are ignored by readers, so it stands in an `allOf`. */
const referTo = (name: string, { description, default: standard }: Named): unknown =>
  description === undefined && standard === undefined
    ? reference(name)
    : {
        ...(description === undefined ? {} : { description }),
        ...(standard === undefined ? {} : { default: standard }),
        allOf: [reference(name)],
      };

/** `org.example.bench.v1.Widget`; built-in kinds have their plain name. */
const nameOfKind = ({ group, version, kind, custom }: ResourceType): string =>
  custom ? [...group.split(".").toReversed(), version, kind].join(".") : kind;

const typeMeta: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string", description: "Group and version of the API that the object is written in." },
  kind: { type: "string", description: "Kind of the object." },
};

let ofMetadata: StructuralSchema | undefined;
function metadataSchema(): StructuralSchema {
  ofMetadata ??= structuralSchemaOf(
    objectMeta.describe("Name, labels and what else all objects have."),
    typeNameOf,
  ) as StructuralSchema;
  return ofMetadata;
}
