import { defineKind } from "../kind.ts";
import { DaemonSetSpec, DaemonSetStatus } from "../schema/workloads.ts";
import { loosely } from "./loosely.ts";

/** A pod on each node that it is meant for. */
export class DaemonSet extends defineKind({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  scope: "Namespaced",
  external: true,
  shortNames: ["ds"],
  fields: {
    spec: loosely(DaemonSetSpec),
  },
  status: loosely(DaemonSetStatus),
  facts: (it) => ({
    desired: it.status.desiredNumberScheduled,
    updated: it.status.updatedNumberScheduled,
    ready: it.status.numberReady,
    available: it.status.numberAvailable,
    observedGeneration: it.status.observedGeneration,
  }),
}) {}
