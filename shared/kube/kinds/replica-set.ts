import { defineKind } from "../kind.ts";
import { ReplicaSetSpec, ReplicaSetStatus } from "../schema/workloads.ts";
import { loosely } from "./loosely.ts";

/** A number of pods from one template; Deployments make them. */
export class ReplicaSet extends defineKind({
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  scope: "Namespaced",
  external: true,
  shortNames: ["rs"],
  fields: {
    spec: loosely(ReplicaSetSpec),
  },
  status: loosely(ReplicaSetStatus),
  facts: (it) => ({
    availableReplicas: it.status.availableReplicas,
    observedGeneration: it.status.observedGeneration,
  }),
}) {}
