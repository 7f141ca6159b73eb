import { defineKind } from "../kind.ts";
import { JobSpec, JobStatus } from "../schema/jobs.ts";
import { loosely } from "./loosely.ts";

/** Pods that run to their end. Ready once it is complete. */
export class Job extends defineKind({
  group: "batch",
  version: "v1",
  kind: "Job",
  scope: "Namespaced",
  external: true,
  fields: {
    spec: loosely(JobSpec),
  },
  status: loosely(JobStatus),
  facts: (it) => ({
    complete: it.status.conditions.of("Complete").status,
    failed: it.status.conditions.of("Failed").status,
    failedReason: it.status.conditions.of("Failed").reason,
    failedMessage: it.status.conditions.of("Failed").message,
  }),
  ready: (it) => it.status.conditions.of("Complete").status.is("True"),
}) {}
