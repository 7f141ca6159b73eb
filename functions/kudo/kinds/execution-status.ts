import { wordOf } from "./words.ts";

/** The states of a plan, a phase, a step or a task. */
export type ExecutionStatus =
  | "NEVER_RUN"
  | "PENDING"
  | "IN_PROGRESS"
  /** It failed and is tried again. Of steps and tasks only. */
  | "ERROR"
  /** It failed and is not tried again. */
  | "FATAL_ERROR"
  | "COMPLETE";

/** The schema of a state. */
export const executionStatus = wordOf<ExecutionStatus>(
  "NEVER_RUN",
  "PENDING",
  "IN_PROGRESS",
  "ERROR",
  "FATAL_ERROR",
  "COMPLETE",
);
