import type { Wait } from "../../../../shared/function/index.ts";

/** The reason of a failure that stops a plan, as its Event says it. */
export type FatalReason =
  | "InvalidOperatorVersion"
  | "InvalidPlan"
  | "InvalidParams"
  | "CircularDependency"
  | "UnknownTaskName"
  | "TaskBuildError"
  | "TaskRenderingError"
  | "TaskEnhancementError"
  | "ResourceUnmarshalError"
  | "ResourceValidationError"
  | "PipeTaskError"
  | "ToggleTaskError"
  | "DummyTaskError"
  | "FailedTerminalStateError"
  | "TimedOut"
  | "Cancelled";

/**
 * The report of one task about one pass. `advance` asks for the reports of all tasks that it names as due; whoever runs them (the files
 * in `tasks/`) renders, reads and writes, and says one of these:
 *
 * - `done`: it need not run again in this run of the plan;
 * - `waiting`: what it wrote is not healthy, or not gone, yet: `message` says what of, `waits` names the objects whose change wakes.
 *   With `patience` it is fatal once it has waited so long;
 * - `failed`: it is tried again after a back-off, for ever (an API server that is busy, a Pod that is not there yet);
 * - `refused`: as `failed`, but the third time in a row is fatal (the API server says that the object is wrong);
 * - `fatal`: the plan stops.
 */
export type TaskReport =
  | { readonly state: "done" }
  | {
      readonly state: "waiting";
      readonly message: string;
      readonly waits?: readonly Wait[];
      readonly patience?: { readonly seconds: number; readonly reason: FatalReason };
    }
  | { readonly state: "failed"; readonly message: string }
  | { readonly state: "refused"; readonly message: string; readonly reason: FatalReason }
  | { readonly state: "fatal"; readonly message: string; readonly reason: FatalReason };

/** The place of a task in its plan, by index: names may be used twice. */
export interface TaskPlace {
  readonly phase: number;
  readonly step: number;
  readonly task: number;
}

/** The reports of a pass; undefined: that task did not run. */
export type Reports = (place: TaskPlace) => TaskReport | undefined;

/** A step whose tasks are to run now. */
export interface DueStep {
  readonly phase: string;
  readonly step: string;
  /** Those that are not done yet, in order. */
  readonly tasks: readonly { readonly name: string; readonly place: TaskPlace }[];
}

/** The failure that stopped a plan. */
export interface Fatal {
  readonly reason: FatalReason;
  readonly message: string;
}
