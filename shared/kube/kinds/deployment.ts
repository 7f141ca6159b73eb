import { defineKind } from "../kind.ts";
import { DeploymentSpec, DeploymentStatus } from "../schema/workloads.ts";
import { loosely } from "./loosely.ts";

/** Pods from a template, rolled out and kept. Ready while its condition Available is True. */
export class Deployment extends defineKind({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  scope: "Namespaced",
  external: true,
  shortNames: ["deploy"],
  fields: {
    spec: loosely(DeploymentSpec),
  },
  status: loosely(DeploymentStatus),
  facts: (it) => ({
    available: it.status.conditions.of("Available").status,
    replicaFailure: it.status.conditions.of("ReplicaFailure").status,
    replicaFailureReason: it.status.conditions.of("ReplicaFailure").reason,
    replicaFailureMessage: it.status.conditions.of("ReplicaFailure").message,
    progressing: it.status.conditions.of("Progressing").reason,
    progressingStatus: it.status.conditions.of("Progressing").status,
    progressingMessage: it.status.conditions.of("Progressing").message,
    observedGeneration: it.status.observedGeneration,
  }),
  ready: (it) => it.status.conditions.of("Available").status.is("True"),
}) {}
