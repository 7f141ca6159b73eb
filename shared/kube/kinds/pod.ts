import { defineKind } from "../kind.ts";
import { PodSpec } from "../schema/pod-spec.ts";
import { PodStatus } from "../schema/pod-status.ts";
import { loosely } from "./loosely.ts";

/** Containers that run together. Ready while its condition Ready is True. */
export class Pod extends defineKind({
  group: "",
  version: "v1",
  kind: "Pod",
  scope: "Namespaced",
  external: true,
  shortNames: ["po"],
  fields: {
    spec: loosely(PodSpec),
  },
  status: loosely(PodStatus),
  facts: (it) => ({
    phase: it.status.phase,
    ready: it.status.conditions.of("Ready").status,
  }),
  ready: (it) => it.status.conditions.of("Ready").status.is("True"),
}) {}
