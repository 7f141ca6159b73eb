import { defineKind } from "../kind.ts";
import { CustomResourceDefinitionSpec, CustomResourceDefinitionStatus } from "../schema/crd-object.ts";
import { loosely } from "./loosely.ts";

/** Declares a kind to the API server. Ready once it is Established. */
export class CustomResourceDefinition extends defineKind({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  scope: "Cluster",
  external: true,
  shortNames: ["crd", "crds"],
  fields: {
    spec: loosely(CustomResourceDefinitionSpec),
  },
  status: loosely(CustomResourceDefinitionStatus),
  facts: (it) => ({
    established: it.status.conditions.of("Established").status,
    namesAccepted: it.status.conditions.of("NamesAccepted").status,
  }),
  ready: (it) => it.status.conditions.of("Established").status.is("True"),
}) {}
