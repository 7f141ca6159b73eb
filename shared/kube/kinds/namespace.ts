import { defineKind } from "../kind.ts";
import { NamespaceSpec, NamespaceStatus } from "../schema/core.ts";
import { loosely } from "./loosely.ts";

/** A place for names. Ready while it is Active. */
export class Namespace extends defineKind({
  group: "",
  version: "v1",
  kind: "Namespace",
  scope: "Cluster",
  external: true,
  shortNames: ["ns"],
  fields: {
    spec: loosely(NamespaceSpec).optional(),
  },
  status: loosely(NamespaceStatus),
  facts: (it) => ({
    phase: it.status.phase,
  }),
  ready: (it) => it.status.phase.is("Active"),
}) {}
