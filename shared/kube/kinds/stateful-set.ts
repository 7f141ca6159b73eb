import { defineKind } from "../kind.ts";
import { StatefulSetSpec, StatefulSetStatus } from "../schema/workloads.ts";
import { loosely } from "./loosely.ts";

/** Pods with names and storage of their own. */
export class StatefulSet extends defineKind({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  scope: "Namespaced",
  external: true,
  shortNames: ["sts"],
  fields: {
    spec: loosely(StatefulSetSpec),
  },
  status: loosely(StatefulSetStatus),
  facts: (it) => ({
    replicas: it.spec.replicas,
    readyReplicas: it.status.readyReplicas,
    availableReplicas: it.status.availableReplicas,
    updatedReplicas: it.status.updatedReplicas,
    currentRevision: it.status.currentRevision,
    updateRevision: it.status.updateRevision,
    observedGeneration: it.status.observedGeneration,
  }),
}) {}
