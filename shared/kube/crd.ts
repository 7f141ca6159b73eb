import * as z from "zod";
import type { KindStatics } from "./kind.ts";
import { type JsonSchema, structuralSchemaOf } from "./structural.ts";
import { NotStructuralError } from "./structural-error.ts";

/** A CustomResourceDefinition of apiextensions.k8s.io/v1 with one version. Plain JSON. */
export interface CustomResourceDefinitionBody {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: "Namespaced" | "Cluster";
    readonly versions: readonly [CustomResourceDefinitionVersion];
  };
}

/** The one version of a generated CRD. */
export interface CustomResourceDefinitionVersion {
  readonly name: string;
  readonly served: true;
  readonly storage: true;
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
  readonly subresources?: { readonly status: Readonly<Record<never, never>> };
  readonly additionalPrinterColumns?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The CRD of a kind. The same declaration always gives the same JSON, so it can be compared and applied again.
 *
 * @throws NotStructuralError where the kind's schema cannot be part of a CRD, or the kind is somebody else's.
 */
export function crdOf(kind: KindStatics): CustomResourceDefinitionBody {
  if (kind.external || kind.dynamic || kind.scope === "Any")
    throw new NotStructuralError(
      kind.kind,
      "the kind is installed by somebody else; declare it without `external` to own it",
    );
  const optionalLists = {
    ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.plural}.${kind.group}` },
    spec: {
      group: kind.group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...optionalLists,
      },
      scope: kind.scope,
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: objectSchemaOf(kind) },
          ...(kind.status === undefined ? {} : { subresources: { status: {} } }),
          ...(kind.columns.length === 0
            ? {}
            : { additionalPrinterColumns: kind.columns.map((column) => ({ ...column })) }),
        },
      ],
    },
  };
}

/** The schema of a kind's whole objects: the declared fields and status beside apiVersion, kind and metadata. */
export function objectSchemaOf(kind: KindStatics): JsonSchema {
  const named = structuralSchemaOf(kind.fields);
  const status =
    kind.status === undefined ? undefined : structuralSchemaOf(z.object({ status: kind.status.optional() }));
  return {
    type: "object",
    ...(kind.description === "" ? {} : { description: kind.description }),
    ...(named.required === undefined ? {} : { required: named.required }),
    properties: {
      apiVersion: {
        type: "string",
        description: "Group and version of the API that the object is written in.",
      },
      kind: { type: "string", description: "Kind of the object." },
      metadata: { type: "object" },
      ...named.properties,
      ...status?.properties,
    },
    ...(kind.validations.length > 0 ? { "x-kubernetes-validations": kind.validations } : {}),
  };
}
