import type { Time } from "../../../../shared/function/index.ts";
import { findCondition, removeCondition, setCondition } from "../../../../shared/kube/conditions.ts";
import { type InstanceCondition, type InstanceStatus, MESSAGE_CHARACTERS } from "../../kinds/index.ts";
import type { Refusal } from "../choice/index.ts";
import { DEPLOY, UPDATE, UPGRADE } from "../definition/index.ts";
import { lastRun } from "./aggregate.ts";

type Conditions = InstanceStatus["conditions"];

/** The plans that make an Instance what it is: while one runs, nobody can say whether it is ready. */
const ROLL_OUTS: readonly string[] = [DEPLOY, UPGRADE, UPDATE];

/** The verdict on an Instance's workloads. */
export interface Readiness {
  readonly ready: boolean;
  readonly message: string;
}

const fitting = (message: string): string =>
  message.length <= MESSAGE_CHARACTERS ? message : `${message.slice(0, MESSAGE_CHARACTERS - 1)}…`;
type Verdict = Pick<InstanceCondition, "type" | "status" | "reason" | "message">;
const set = (conditions: Conditions, { message, ...verdict }: Verdict, now: Time): InstanceCondition[] => [
  ...setCondition(conditions, { ...verdict, message: fitting(message) }, now),
];

/** Ready while that plan begins to run. Plans that roll nothing out leave it as it is. */
export const readyAtStart = (conditions: Conditions, plan: string, now: Time): Conditions =>
  ROLL_OUTS.includes(plan)
    ? set(conditions, { type: "Ready", status: "Unknown", reason: "PlanInProgress", message: "" }, now)
    : conditions;

/** Ready after that plan came to its end: what a good end made is yet to be looked at. */
export const readyAtEnd = (
  conditions: Conditions,
  plan: string,
  fatal: string | undefined,
  now: Time,
): Conditions =>
  fatal === undefined || !ROLL_OUTS.includes(plan)
    ? conditions
    : set(conditions, { type: "Ready", status: "Unknown", reason: "PlanInFatalError", message: fatal }, now);

/** True where workloads say nothing of readiness: the roll-out that should have made them failed. */
export const isReadinessOpen = ({ planStatus }: InstanceStatus): boolean =>
  lastRun(planStatus, ROLL_OUTS)?.status === "FATAL_ERROR";

/** Ready while nothing runs. */
export const readyAtRest = (conditions: Conditions, { ready, message }: Readiness, now: Time): Conditions =>
  set(
    conditions,
    ready
      ? { type: "Ready", status: "True", reason: "ResourcesReady", message: "" }
      : { type: "Ready", status: "False", reason: "ResourceNotReady", message },
    now,
  );

/** Drifted: True while an object is gone that no plan deleted; else it is not there. */
export function drifted(conditions: Conditions, missing: readonly string[], now: Time): Conditions {
  if (missing.length > 0) {
    const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
    const message = `${missing.join(", ")} ${are} gone: the plan deploy makes ${them} anew`;
    return set(conditions, { type: "Drifted", status: "True", reason: "ObjectsMissing", message }, now);
  }
  const isSaid = findCondition(conditions, "Drifted") !== undefined;
  return conditions === undefined || !isSaid ? conditions : [...removeCondition(conditions, "Drifted")];
}

/** True for a plan that brings all that an Instance is made of. */
export const isRollOut = (plan: string): boolean => ROLL_OUTS.includes(plan);

/** Refusals of a lock: the lock is gone at once, so they stand until the next run begins. */
const OF_A_LOCK: readonly string[] = [
  "PlanNotFound",
  "PlanNotBegun",
  "CleanupNotAllowed",
] satisfies readonly Refusal["reason"][];

/** True where nothing but its condition will tell of that refusal once the lock is gone, and it does not yet. */
export const isUntold = (conditions: Conditions, { reason, message }: Refusal): boolean => {
  const said = findCondition(conditions, "PlanScheduled");
  return OF_A_LOCK.includes(reason) && !(said?.reason === reason && said.message === fitting(message));
};

/** PlanScheduled: False, and why, while something is asked for that is not begun; else it is not there. */
export function scheduled(
  conditions: Conditions,
  refusal: Refusal | undefined,
  begins: boolean,
  now: Time,
): Conditions {
  if (refusal !== undefined)
    return set(
      conditions,
      { type: "PlanScheduled", status: "False", reason: refusal.reason, message: refusal.message },
      now,
    );
  const said = findCondition(conditions, "PlanScheduled");
  if (conditions === undefined || said === undefined) return conditions;
  return !begins && OF_A_LOCK.includes(said.reason)
    ? conditions
    : [...removeCondition(conditions, "PlanScheduled")];
}
