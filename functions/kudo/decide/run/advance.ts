import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import type { Phase, PhaseStatus, Plan, PlanStatus, StepStatus } from "../../kinds/index.ts";
import { isTerminal } from "../definition/index.ts";
import type { DueStep, Fatal, Reports } from "./report.ts";
import { phasesOf } from "./skeleton.ts";
import { stepPass } from "./step.ts";
import { deadlineOf, deadlinesOf, isPast } from "./timeouts.ts";

/** A run, and what its tasks reported in this pass. */
export interface Progress {
  /** The plan; undefined where its version does not have it any more. */
  readonly plan: Plan | undefined;
  /** The reason why the plan cannot run that does not lie in itself, in words. */
  readonly fault?: string | undefined;
  readonly entry: PlanStatus;
  /** `<namespace>/<instance>`. */
  readonly where: string;
  readonly reports: Reports;
  readonly now: Time;
  /** True: no back-off holds a step back and no time is up, for what must be read whatever the time is. */
  readonly timeless?: boolean;
}

/** A run after a pass. */
export interface Advance {
  readonly entry: PlanStatus;
  /** The steps whose tasks are to run next: those that have not reported in this pass. */
  readonly due: readonly DueStep[];
  readonly fatal?: Fatal;
  /** The times at which it must be looked at again, by name. */
  readonly wakeAt: Readonly<Record<string, Time>>;
}

/** True where phases or steps come one after the other: unless they say otherwise. */
const isSerial = (strategy: string | undefined): boolean => strategy !== "parallel";
/** True where a time is up, for a pass that looks at the time. */
const isUp = ({ timeless, now }: Progress, deadline: Time | undefined): boolean =>
  timeless !== true && isPast(deadline, now);
const strange = (strategy: string | undefined): boolean =>
  strategy !== undefined && strategy !== "" && strategy !== "serial" && strategy !== "parallel";

/** The fault of a plan that cannot run at all, in words. */
function faultOf(plan: Plan | undefined, name: string): string | undefined {
  if (plan === undefined) return `plan ${name} does not exist`;
  if (strange(plan.strategy)) return `plan ${name} has an unknown strategy "${plan.strategy}"`;
  const phase = plan.phases?.find(({ strategy }) => strange(strategy));
  return phase && `phase ${name}.${phase.name} has an unknown strategy "${phase.strategy}"`;
}

/**
 * Advances a run by what its tasks reported (5.5): phases and steps in their order, a step after the one before it where they are
 * serial. Without reports it says which steps are due. It never waits, and the same reports always give the same.
 */
export function advance(progress: Progress): Advance {
  const { plan, entry, now } = progress;
  if (isTerminal(entry.status)) return { entry, due: [], wakeAt: {} };
  const fault = faultOf(plan, entry.name ?? "") ?? progress.fault;
  if (plan === undefined || fault !== undefined)
    return stopped(entry, { reason: "InvalidPlan", message: fatalText(progress, fault ?? "") }, now);
  const walk = walkPlan(plan, progress);
  const next: PlanStatus = { ...entry, status: "IN_PROGRESS", phases: walk.phases };
  if (walk.fatal !== undefined) return stopped(next, walk.fatal, now, false);
  if (walk.phases.every(({ status }) => status === "COMPLETE"))
    return { entry: stamped(entry, finished(next, "COMPLETE", now), now), due: [], wakeAt: {} };
  if (isUp(progress, deadlineOf(entry.startedTimestamp, plan.timeoutSeconds)))
    return stopped(next, timedOut(progress, "", plan.timeoutSeconds), now);
  const after = stamped(entry, next, now);
  return { entry: after, due: walk.due, wakeAt: deadlinesOf(plan, after, walk.patience) };
}

const fatalText = ({ where }: Progress, cause: string): string =>
  `Error during execution: fatal error: ${where} failed: ${cause}`;
const timedOut = ({ where, entry }: Progress, below: string, seconds: number | undefined): Fatal => ({
  reason: "TimedOut",
  message: `Error during execution: fatal error: ${where} failed in ${entry.name}${below}: timed out after ${seconds} s`,
});

/** The timestamp moves where anything else did. */
const stamped = (before: PlanStatus, after: PlanStatus, now: Time): PlanStatus =>
  sameJson(before, after) ? before : { ...after, lastUpdatedTimestamp: toWholeSeconds(now) };

const finished = (entry: PlanStatus, status: "COMPLETE" | "FATAL_ERROR", now: Time): PlanStatus => ({
  ...entry,
  status,
  finishedTimestamp: toWholeSeconds(now),
});

/** A plan that stopped: `tells` where no step says why. */
function stopped(entry: PlanStatus, fatal: Fatal, now: Time, tells = true): Advance {
  const end = finished({ ...entry, ...(tells && { message: fatal.message }) }, "FATAL_ERROR", now);
  return { entry: stamped(entry, end, now), due: [], fatal, wakeAt: {} };
}

interface PlanWalk {
  readonly phases: PhaseStatus[];
  readonly due: readonly DueStep[];
  readonly patience: readonly Time[];
  readonly fatal?: Fatal;
}

function walkPlan(plan: Plan, progress: Progress): PlanWalk {
  // A version that changed under the run may have brought steps: they are part of it.
  const phases = phasesOf(plan, progress.entry.phases, "PENDING");
  const due: DueStep[] = [];
  const patience: Time[] = [];
  for (const [at, phase] of (plan.phases ?? []).entries()) {
    const known = phases[at];
    if (known === undefined || known.status === "COMPLETE") continue;
    const walk = walkPhase(phase, known, at, progress);
    phases[at] = walk.status;
    due.push(...walk.due);
    patience.push(...walk.patience);
    if (walk.fatal !== undefined) return { phases, due: [], patience: [], fatal: walk.fatal };
    if (walk.status.status !== "COMPLETE" && isSerial(plan.strategy)) break;
  }
  return { phases, due, patience };
}

interface PhaseWalk {
  readonly status: PhaseStatus;
  readonly due: readonly DueStep[];
  readonly patience: readonly Time[];
  readonly fatal?: Fatal;
}

const begun = (seconds: number | undefined, now: Time) =>
  seconds === undefined ? {} : { startedTimestamp: toWholeSeconds(now) };

function walkPhase(phase: Phase, known: PhaseStatus, phaseAt: number, progress: Progress): PhaseWalk {
  const { entry, where, reports, now } = progress;
  const steps: StepStatus[] = [...(known.steps ?? [])];
  const due: DueStep[] = [];
  const patience: Time[] = [];
  const started = { ...begun(phase.timeoutSeconds, now), ...known };
  const walked = (status: PhaseStatus["status"], fatal?: Fatal): PhaseWalk => ({
    status: { ...started, status, steps },
    due: fatal === undefined ? due : [],
    patience,
    ...(fatal !== undefined && { fatal }),
  });
  for (const [at, step] of (phase.steps ?? []).entries()) {
    const before = steps[at];
    if (before === undefined || before.status === "COMPLETE") continue;
    const path = `${entry.name}.${known.name ?? ""}.${before.name ?? ""}`;
    const pass = stepPass(
      step,
      { ...begun(step.timeoutSeconds, now), ...before },
      (task) => reports({ phase: phaseAt, step: at, task }),
      { where, path, uid: entry.uid ?? "" },
      now,
    );
    steps[at] = pass.status;
    if (pass.fatal !== undefined) return walked("FATAL_ERROR", pass.fatal);
    if (pass.status.status === "COMPLETE") continue;
    if (isUp(progress, deadlineOf(pass.status.startedTimestamp, step.timeoutSeconds))) {
      const fatal = timedOut(progress, path.slice((entry.name ?? "").length), step.timeoutSeconds);
      steps[at] = { ...pass.status, status: "FATAL_ERROR", message: fatal.message };
      return walked("FATAL_ERROR", fatal);
    }
    // One that failed is left alone until its time has come.
    const isDue =
      progress.timeless === true ||
      pass.status.nextRetryTime === undefined ||
      isPast(pass.status.nextRetryTime, now);
    if (pass.unreported.length > 0 && isDue)
      due.push({
        phase: known.name ?? "",
        step: before.name ?? "",
        tasks: pass.unreported.map((task) => ({
          name: step.tasks?.[task] ?? "",
          place: { phase: phaseAt, step: at, task },
        })),
      });
    patience.push(...pass.patience);
    if (isSerial(phase.strategy)) break;
  }
  if (steps.every(({ status }) => status === "COMPLETE")) return walked("COMPLETE");
  if (isUp(progress, deadlineOf(started.startedTimestamp, phase.timeoutSeconds))) {
    const fatal = timedOut(progress, `.${known.name ?? ""}`, phase.timeoutSeconds);
    const walk = walked("FATAL_ERROR", fatal);
    return { ...walk, status: { ...walk.status, message: fatal.message } };
  }
  return walked("IN_PROGRESS");
}
