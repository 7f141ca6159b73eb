import { type Definition, hasPlan, listed, updatePlan } from "../definition/index.ts";
import type { Changes } from "../parameters/index.ts";

/** The plan that changed parameters run; or why there is none. */
export type Triggered =
  | { readonly state: "none" }
  | { readonly state: "plan"; readonly plan: string }
  | {
      readonly state: "fault";
      readonly reason: "ConflictingTriggers" | "PlanNotFound";
      readonly message: string;
      readonly plans: readonly string[];
    };

/** Chooses the plan that changes run: their one trigger, else update, else deploy. A parameter without a trigger adds none. */
export function triggered({ changed, removed }: Changes, definition: Definition): Triggered {
  const all = [...changed, ...removed];
  if (all.length === 0) return { state: "none" };
  const astray = all.find(({ trigger = "" }) => trigger !== "" && !hasPlan(definition, trigger));
  if (astray !== undefined)
    return fault(
      "PlanNotFound",
      `param ${astray.name} defined trigger plan ${astray.trigger}, but plan not defined in operatorversion`,
    );
  const plans = [...new Set(all.flatMap(({ trigger = "" }) => (trigger === "" ? [] : [trigger])))];
  const [plan = updatePlan(definition), other] = plans;
  if (other !== undefined)
    return {
      state: "fault",
      reason: "ConflictingTriggers",
      message: `triggering multiple plans: [${listed(plans)}] at once is not allowed`,
      plans,
    };
  return plan === undefined
    ? fault("PlanNotFound", "couldn't find any plans that would be triggered by the update")
    : { state: "plan", plan };
}
const fault = (reason: "PlanNotFound", message: string): Triggered => ({
  state: "fault",
  reason,
  message,
  plans: [],
});
