import type { Consumed, InstanceSpec } from "../../kinds/index.ts";
import { DEPLOY, type Definition, hasPlan, sameVersion, upgradePlan } from "../definition/index.ts";
import {
  changesOf,
  droppedByUpgrade,
  type Edit,
  immutableFault,
  upgradeFault,
  type Values,
  valuesFault,
} from "../parameters/index.ts";
import { triggered } from "./triggers.ts";

/** The cause of a run. */
export type Reason = "create" | "upgrade" | "params" | "manual" | "cleanup";

/** The reason why what a spec asks for is not begun. */
export interface Refusal {
  readonly reason:
    | "ConflictingTriggers"
    | "InvalidParameters"
    | "PlanNotFound"
    | "PlanNotBegun"
    | "CleanupNotAllowed";
  readonly message: string;
  /** The plans that conflict. */
  readonly plans?: readonly string[];
}

/** The plan that a spec asks for, by what differs from what the last run consumed. */
export type Choice =
  | { readonly state: "none" }
  | { readonly state: "plan"; readonly plan: string; readonly reason: Reason }
  | { readonly state: "refused"; readonly refusal: Refusal };

/** A spec, and what the last run consumed of it. */
export interface Difference {
  readonly spec: InstanceSpec | undefined;
  readonly namespace: string;
  readonly started: Consumed | undefined;
  /** The version that the spec names. */
  readonly version: Definition;
  /** The version that the last run took its plan from, where it is still there. */
  readonly startedVersion: Definition | undefined;
}

const refused = (reason: Refusal["reason"], message: string, plans?: readonly string[]): Choice => ({
  state: "refused",
  refusal: { reason, message, ...(plans !== undefined && { plans }) },
});
const invalid = (message: string): Choice => refused("InvalidParameters", message);

/** Chooses the plan that a spec asks for: what admission chooses too, where it is asked (rules 4 to 7). */
export function choose(difference: Difference): Choice {
  const { spec, namespace, started, version, startedVersion } = difference;
  if (started === undefined) return creation(version, spec?.parameters);
  const edit: Edit = {
    before: started.parameters,
    after: spec?.parameters,
    from: startedVersion ?? version,
    to: version,
  };
  return sameVersion(spec?.operatorVersion, started.operatorVersion, namespace)
    ? update(edit)
    : upgrade(edit);
}

function creation(version: Definition, values: Values | undefined): Choice {
  if (!hasPlan(version, DEPLOY))
    return refused("PlanNotFound", `couldn't find '${DEPLOY}' plan in the operatorVersion`);
  const fault = valuesFault(version, values);
  return fault === undefined
    ? { state: "plan", plan: DEPLOY, reason: "create" }
    : invalid(`parameters are not valid: ${fault}`);
}

function upgrade(edit: Edit): Choice {
  const dropped = droppedByUpgrade(edit);
  const after = Object.fromEntries(
    Object.entries(edit.after ?? {}).filter(([name]) => !dropped.includes(name)),
  );
  const changes = changesOf({ ...edit, after });
  const fault =
    typeof changes === "string"
      ? changes
      : (upgradeFault(edit) ?? immutableFault(edit) ?? valuesFault(edit.to, after));
  if (fault !== undefined) return invalid(fault);
  const plan = upgradePlan(edit.to);
  return plan === undefined
    ? refused(
        "PlanNotFound",
        "couldn't find any suitable plan that would be triggered by an OperatorVersion upgrade",
      )
    : { state: "plan", plan, reason: "upgrade" };
}

function update(edit: Edit): Choice {
  const changes = changesOf(edit);
  if (typeof changes === "string") return invalid(changes);
  if (changes.changed.length + changes.removed.length === 0) return { state: "none" };
  const fault = immutableFault(edit) ?? valuesFault(edit.to, edit.after);
  if (fault !== undefined) return invalid(fault);
  const plan = triggered(changes, edit.to);
  if (plan.state === "plan") return { state: "plan", plan: plan.plan, reason: "params" };
  return plan.state === "none" ? plan : refused(plan.reason, plan.message, plan.plans);
}
