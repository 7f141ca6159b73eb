import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import type { ExecutionStatus } from "./execution-status.ts";
import { instanceStatus } from "./instance-status.ts";
import { objectReference } from "./object-reference.ts";
import { wordOf } from "./words.ts";

/** The schema of the lock: of the plan that is to run, or runs. */
const planExecution = z.object({
  planName: z.string().describe("The plan; empty: none is to run.").optional(),
  uid: z.string().describe("The uid of the run. Another one with the same plan begins it anew.").optional(),
  status: wordOf<ExecutionStatus | "">(
    "",
    "NEVER_RUN",
    "PENDING",
    "IN_PROGRESS",
    "ERROR",
    "FATAL_ERROR",
    "COMPLETE",
  )
    .describe(
      "Read only: COMPLETE or FATAL_ERROR, set by hand, gives the run up. See status for how it stands.",
    )
    .optional(),
  force: z
    .boolean()
    .describe("Give up whatever runs (but cleanup) for this plan; without a plan, for none.")
    .optional(),
});
/** The plan that is to run, or runs. */
export type PlanExecution = z.output<typeof planExecution>;

/** The schema of what an Instance's user asks for. */
export const instanceSpec = z.object({
  operatorVersion: objectReference.describe("The version of the operator.").optional(),
  parameters: z.record(z.string(), z.string()).describe("Values of its parameters.").optional(),
  planExecution: planExecution.describe("The plan that is to run, or runs; absent: none.").optional(),
});
/** The wishes of an Instance's user. */
export type InstanceSpec = z.output<typeof instanceSpec>;

/** An operator at work: its version, its parameters, and the runs of its plans. */
export class Instance extends defineKind({
  group: "kudo.dev",
  version: "v1beta1",
  kind: "Instance",
  scope: "Namespaced",
  description: "An operator at work: its version, its parameters, and the runs of its plans.",
  fields: { spec: instanceSpec.optional() },
  status: instanceStatus,
  columns: [
    { name: "Version", type: "string", jsonPath: ".spec.operatorVersion.name" },
    { name: "Plan", type: "string", jsonPath: ".status.aggregatedStatus.activePlanName" },
    { name: "Status", type: "string", jsonPath: ".status.aggregatedStatus.status" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  facts: (it) => ({
    generation: it.metadata.generation,
    observedGeneration: it.status.observedGeneration,
    operatorVersion: it.spec.operatorVersion.name,
    operatorVersionNamespace: it.spec.operatorVersion.namespace,
    startedVersion: it.status.lastStarted.operatorVersion.name,
    status: it.status.aggregatedStatus.status,
    activePlan: it.status.aggregatedStatus.activePlanName,
    executions: it.status.executions,
    ready: it.status.conditions.of("Ready").status,
    deleting: it.metadata.deletionTimestamp,
  }),
  ready: (it) => it.status.aggregatedStatus.status.is("COMPLETE"),
  engineOwned: (it) => ({ planExecution: it.spec.planExecution }),
}) {}
