import * as z from "zod";
import { objectMeta } from "../../../shared/kube/schema/object-meta.ts";
import { structuralSchemaOf } from "../../../shared/kube/structural.ts";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import type { ApiObject, ResourceType, ScaleSubresource, Strategy } from "../resource-type.ts";
import { asStored } from "./as-stored.ts";
import { typeNameOf } from "./type-names.ts";

/** The declaration of a built-in kind; a part that is left out has the usual value. */
export interface BuiltIn {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  /** Default: the kind in lower case with an `s`. */
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default: namespaced. */
  readonly cluster?: boolean;
  readonly description: string;
  /** The fields beside apiVersion, kind and metadata. */
  readonly fields: z.ZodRawShape;
  readonly status?: boolean;
  readonly scale?: ScaleSubresource;
  /** True where `metadata.generation` is counted. Default: false. */
  readonly generation?: boolean;
  readonly names?: ResourceType["names"];
  readonly verbs?: readonly string[];
  /** Field selectors beside metadata.name and metadata.namespace. */
  readonly selectable?: readonly string[];
  readonly strategy?: Strategy;
  readonly storedAs?: ResourceType["storedAs"];
}

/** The resource type of a built-in kind. Its schema is made when it is first asked for: most runs need few of them. */
export function builtIn(declared: BuiltIn): ResourceType {
  const singular = declared.singular ?? declared.kind.toLowerCase();
  let schema: StructuralSchema | undefined;
  const type: ResourceType = {
    group: declared.group ?? "",
    version: declared.version ?? "v1",
    kind: declared.kind,
    listKind: `${declared.kind}List`,
    plural: declared.plural ?? `${singular}s`,
    singular,
    shortNames: declared.shortNames ?? [],
    categories: declared.categories ?? [],
    namespaced: declared.cluster !== true,
    custom: false,
    ...(declared.verbs === undefined ? {} : { verbs: declared.verbs }),
    subresources: { status: declared.status === true, scale: declared.scale },
    columns: [],
    description: declared.description,
    selectableFields: (declared.selectable ?? []).map((path) => ({ jsonPath: `.${path}` })),
    generation: declared.generation === true,
    names: declared.names,
    strategy: { ...declared.strategy, default: (object) => fill(object, type, declared.strategy) },
    storedAs: declared.storedAs,
    get schema() {
      schema ??= schemaOf(declared);
      return schema;
    },
  };
  return type;
}

function fill(object: ApiObject, type: ResourceType, strategy: Strategy | undefined): void {
  if (type.schema !== undefined) asStored(object, type.schema);
  strategy?.default?.(object);
}

const typeMeta = {
  apiVersion: z.string().describe("Group and version of the API that the object is written in.").optional(),
  kind: z.string().describe("Kind of the object.").optional(),
  metadata: objectMeta.describe("Name, labels and what else all objects have.").optional(),
};

function schemaOf({ description, fields }: BuiltIn): StructuralSchema {
  // Only plain JSON words are in it, so the looser type of the maker is the same thing.
  const schema = structuralSchemaOf(z.object({ ...typeMeta, ...fields }), typeNameOf) as StructuralSchema;
  return { description, ...schema };
}
