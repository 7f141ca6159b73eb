import * as z from "zod";
import { atomic, int64, time } from "../../../shared/kube/schema/words.ts";
import { conditions } from "./condition.ts";
import { executionStatus } from "./execution-status.ts";
import { objectReference } from "./object-reference.ts";

const name = z.string().optional();
const status = executionStatus.optional();
const message = z.string().optional();
const startedTimestamp = time.describe("When it began.").optional();

const taskStatus = z.object({
  name,
  status,
  message,
  refusals: int64.describe("How often in a row the API server refused what it asked for.").optional(),
  since: time.describe("Since when it waits for something that may not be missing for long.").optional(),
});
/** The state of a task of a step. */
export type TaskStatus = z.output<typeof taskStatus>;

const stepStatus = z.object({
  name,
  status,
  message: z.string().describe("Why it waits, or how it failed.").optional(),
  startedTimestamp,
  attempts: int64.describe("How often it failed in a row and was to be tried again.").optional(),
  nextRetryTime: time.describe("When it is tried again.").optional(),
  tasks: atomic(taskStatus).describe("Its tasks, in order, once it has begun.").optional(),
});
/** The state of a step. */
export type StepStatus = z.output<typeof stepStatus>;

const phaseStatus = z.object({
  name,
  status,
  message,
  startedTimestamp,
  steps: z.array(stepStatus).describe("Its steps, in order.").optional(),
});
/** The state of a phase. */
export type PhaseStatus = z.output<typeof phaseStatus>;

const planStatus = z.object({
  name,
  status,
  message,
  lastUpdatedTimestamp: time
    .nullable()
    .describe("When its status, or that of a part of it, last changed.")
    .optional(),
  uid: z.string().describe("The uid of its last run.").optional(),
  execution: int64.describe("The number of its last run among all runs.").optional(),
  startedTimestamp,
  finishedTimestamp: time.describe("When its last run came to its end.").optional(),
  phases: z.array(phaseStatus).describe("Its phases, in order.").optional(),
});
/** The state of a plan: of its last run. */
export type PlanStatus = z.output<typeof planStatus>;

const consumed = z.object({
  execution: int64.describe("The number of the run."),
  planName: z.string().describe("Its plan."),
  planUID: z.string().describe("Its uid."),
  operatorVersion: objectReference.describe("The OperatorVersion that it took its plan from."),
  operatorVersionGeneration: int64.describe("The generation of that OperatorVersion.").optional(),
  parameters: z.record(z.string(), z.string()).describe("The parameters that it renders with.").optional(),
});
/** The spec that a run consumed. */
export type Consumed = z.output<typeof consumed>;

const pastRun = z.object({
  execution: int64.describe("Its number among all runs."),
  planName: z.string().describe("Its plan."),
  planUID: z.string().describe("Its uid."),
  status: executionStatus.describe("How it ended."),
  operatorVersion: z
    .string()
    .describe("The name of the OperatorVersion that it took its plan from.")
    .optional(),
  startedTimestamp,
  finishedTimestamp: time.describe("When it ended.").optional(),
  message,
});
/** A run that came to its end. */
export type PastRun = z.output<typeof pastRun>;

const inventoryItem = z.object({
  apiVersion: z.string().describe("The API version under which it was applied."),
  kind: z.string().describe("Its kind."),
  name: z.string().describe("Its name."),
  missing: z.boolean().describe("True: it is gone, and no plan deleted it.").optional(),
});
/** An object that a task applied. */
export type InventoryItem = z.output<typeof inventoryItem>;

/** The schema of how an Instance stands. */
export const instanceStatus = z.object({
  observedGeneration: int64.describe("The generation that this is about.").optional(),
  aggregatedStatus: z
    .object({
      status,
      activePlanName: z.string().describe("The plan that runs; empty: none does.").optional(),
      activePlanUID: z.string().describe("The uid of its run; empty: none runs.").optional(),
    })
    .describe("The plan that runs; where none does, how the last one ended.")
    .optional(),
  executions: int64.describe("How many runs were started.").optional(),
  lastStarted: consumed
    .describe("What the last run consumed: a difference to the spec starts the next one.")
    .optional(),
  lastSucceeded: consumed.describe("What the last run consumed that came to a good end.").optional(),
  conditions: conditions
    .describe(
      "Ready: its workloads are. PlanScheduled: whether what its spec asks for can run. Drifted: something is gone.",
    )
    .optional(),
  history: atomic(pastRun)
    .describe("The last ten runs that came to an end, of all plans, oldest first.")
    .optional(),
  workloads: atomic(inventoryItem)
    .describe(
      "Deployments, StatefulSets and DaemonSets that its tasks applied and did not delete: the last hundred.",
    )
    .optional(),
  clusterObjects: atomic(inventoryItem)
    .describe(
      "Objects without a namespace that its tasks applied and did not delete, the last hundred: they stay when it is deleted.",
    )
    .optional(),
  planStatus: z.record(z.string(), planStatus).describe("The last run of each plan.").optional(),
});
/** The state of an Instance, and of the runs of its plans. */
export type InstanceStatus = z.output<typeof instanceStatus>;
