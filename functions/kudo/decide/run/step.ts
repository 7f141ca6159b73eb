import type { Time } from "../../../../shared/function/index.ts";
import type { Step, StepStatus, TaskStatus } from "../../kinds/index.ts";
import { nextRetry } from "./backoff.ts";
import type { Fatal, TaskReport } from "./report.ts";
import { tasksOf } from "./skeleton.ts";
import { deadlineOf, isPast } from "./timeouts.ts";

/** The most refusals in a row that may pass. */
const MOST_REFUSALS = 3;

/** The words by which a failure names its task. */
export interface StepPlace {
  /** `<namespace>/<instance>`. */
  readonly where: string;
  /** `<plan>.<phase>.<step>`. */
  readonly path: string;
  /** The uid of the run. */
  readonly uid: string;
}

/** A step after a pass. */
export interface StepPass {
  readonly status: StepStatus;
  readonly fatal?: Fatal;
  /** The tasks that have not reported, by index. */
  readonly unreported: readonly number[];
  /** When waiting for something is given up. */
  readonly patience: readonly Time[];
}

const fatalText = ({ where, path }: StepPlace, task: string, cause: string): string =>
  `Error during execution: fatal error: ${where} failed in ${path}.${task}: ${cause}`;
const transientText = ({ path }: StepPlace, task: string, cause: string): string =>
  `A transient error when executing task ${path}.${task}. Will retry. ${cause}`;

interface TaskPass {
  readonly status: TaskStatus;
  readonly fatal?: Fatal;
  readonly failure?: string;
  readonly waiting?: string;
  readonly patience?: Time | undefined;
}

/** A task after its report. */
function taskPass({ name = "" }: TaskStatus, known: TaskStatus, report: TaskReport, now: Time): TaskPass {
  const failed = (message: string, refusals?: number): TaskPass => ({
    status: { name, status: "ERROR", message, ...(refusals !== undefined && { refusals }) },
    failure: message,
  });
  const fatal = ({ reason, message }: Fatal): TaskPass => ({
    status: { name, status: "FATAL_ERROR", message },
    fatal: { reason, message },
  });
  switch (report.state) {
    case "done":
      return { status: { name, status: "COMPLETE" } };
    case "fatal":
      return fatal(report);
    case "failed":
      return failed(report.message);
    case "refused": {
      const refusals = (known.refusals ?? 0) + 1;
      return refusals < MOST_REFUSALS ? failed(report.message, refusals) : fatal(report);
    }
    case "waiting": {
      const { message, patience } = report;
      if (patience === undefined)
        return { status: { name, status: "IN_PROGRESS", message }, waiting: message };
      const since = known.since ?? now;
      const until = deadlineOf(since, patience.seconds);
      return isPast(until, now)
        ? fatal({ reason: patience.reason, message })
        : { status: { name, status: "IN_PROGRESS", message, since }, waiting: message, patience: until };
    }
  }
}

/** A step after the reports of its tasks. A task that is done stays done; they never wait for each other. */
export function stepPass(
  step: Step,
  known: StepStatus,
  reports: (task: number) => TaskReport | undefined,
  place: StepPlace,
  now: Time,
): StepPass {
  const { attempts: _attempts, nextRetryTime: _next, message: _message, tasks: _tasks, ...rest } = known;
  const tasks = tasksOf(step, known.tasks);
  const after: TaskStatus[] = [];
  const passes: TaskPass[] = [];
  const unreported: number[] = [];
  for (const [at, task] of tasks.entries()) {
    const report = task.status === "COMPLETE" ? undefined : reports(at);
    if (report === undefined) {
      if (task.status !== "COMPLETE") unreported.push(at);
      after.push(task);
      continue;
    }
    const pass = taskPass(task, task, report, now);
    after.push(pass.status);
    passes.push(pass);
    if (pass.fatal === undefined) continue;
    const message = fatalText(place, task.name ?? "", pass.fatal.message);
    return {
      status: { ...rest, status: "FATAL_ERROR", message, tasks: [...after, ...tasks.slice(at + 1)] },
      fatal: { reason: pass.fatal.reason, message },
      unreported: [],
      patience: [],
    };
  }
  const patience = passes.flatMap((pass) => pass.patience ?? []);
  // Nobody ran it in this pass: it stays as it is.
  if (passes.length === 0 && unreported.length > 0)
    return {
      status: known.status === "ERROR" ? known : { ...known, status: "IN_PROGRESS" },
      unreported,
      patience,
    };
  if (after.every(({ status }) => status === "COMPLETE"))
    return {
      status: { ...rest, status: "COMPLETE", ...(after.length > 0 && { tasks: after }) },
      unreported: [],
      patience: [],
    };
  const failed = after.findIndex((task, at) => task.status === "ERROR" && reports(at) !== undefined);
  if (failed >= 0) {
    const attempts = (known.attempts ?? 0) + 1;
    const { name = "", message = "" } = after[failed] ?? {};
    return {
      status: {
        ...rest,
        status: "ERROR",
        message: transientText(place, name, message),
        attempts,
        nextRetryTime: nextRetry(attempts, `${place.uid} ${place.path}`, now),
        tasks: after,
      },
      unreported,
      patience,
    };
  }
  const waiting = passes.flatMap((pass) => pass.waiting ?? []).join(", ");
  return {
    status: { ...rest, status: "IN_PROGRESS", ...(waiting !== "" && { message: waiting }), tasks: after },
    unreported,
    patience,
  };
}
