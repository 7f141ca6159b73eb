import { type Fields, fieldsOf, isRecord, listOf } from "../../../../shared/json/fields.ts";
import { defined, type Move, specOf, without } from "./move.ts";
import { structuralRoot } from "./structural.ts";

/** The fields that were said once for all versions. */
const SHARED = ["version", "versions", "validation", "subresources", "additionalPrinterColumns"] as const;

const schema = (said: unknown, prunes: boolean): Fields => ({
  openAPIV3Schema: structuralRoot(fieldsOf(said).openAPIV3Schema, !prunes),
});

const columns = (said: unknown): readonly Fields[] | undefined =>
  Array.isArray(said)
    ? said.map((column) => {
        const { JSONPath, ...rest } = fieldsOf(column);
        return defined({ ...rest, jsonPath: JSONPath ?? rest.jsonPath });
      })
    : undefined;

function conversion(said: unknown): Fields | undefined {
  if (!isRecord(said)) return undefined;
  const { webhookClientConfig, conversionReviewVersions = ["v1beta1"], ...rest } = said;
  return webhookClientConfig === undefined
    ? rest
    : { ...rest, webhook: { clientConfig: webhookClientConfig, conversionReviewVersions } };
}

/** The definition of apiextensions.k8s.io/v1beta1: what was said once for all versions is said for each of them. */
export const definition: Move = (object) => {
  const spec = specOf(object);
  const versions = Array.isArray(spec.versions)
    ? listOf(spec.versions).map(fieldsOf)
    : [{ name: spec.version, served: true, storage: true }];
  if (versions.some(({ name }) => typeof name !== "string")) return "a spec with a version that has no name";
  const prunes = spec.preserveUnknownFields === false;
  return {
    ...without(object, "status"),
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: object.metadata,
    spec: defined({
      ...without(spec, ...SHARED, "preserveUnknownFields"),
      conversion: conversion(spec.conversion),
      versions: versions.map((version: Fields) =>
        defined({
          ...version,
          schema: schema(version.schema ?? spec.validation, prunes),
          subresources: version.subresources ?? spec.subresources,
          additionalPrinterColumns: columns(
            version.additionalPrinterColumns ?? spec.additionalPrinterColumns,
          ),
        }),
      ),
    }),
  };
};
