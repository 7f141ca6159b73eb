import type { InstanceSpec, PlanStatus } from "../../kinds/index.ts";
import { type Definition, type InstanceView, lockOf, sameVersion } from "../definition/index.ts";
import { effectiveValue, parametersOf, type Values, valueIn } from "../parameters/index.ts";
import type { Verdict } from "./health.ts";

/**
 * The health of a child Instance: it is idle, and its last run consumed what is wanted of it and came to a good end.
 * @param version the version that is wanted, whose defaults count as values; undefined where there is no such one
 */
export function childVerdict(
  child: InstanceView,
  wanted: Pick<InstanceSpec, "operatorVersion" | "parameters">,
  version: Definition | undefined,
): Verdict {
  const { metadata, spec, status } = child;
  const named = `instance ${metadata.name}`;
  const waiting = (why: string): Verdict => ({ state: "waiting", message: `${named}: ${why}` });
  const { lastStarted, aggregatedStatus, planStatus } = status ?? {};
  const consumed =
    // A parameter that is wanted no more leaves no trace in what is.
    (metadata.generation ?? 0) <= (status?.observedGeneration ?? metadata.generation ?? 0) &&
    lastStarted !== undefined &&
    sameVersion(lastStarted.operatorVersion, wanted.operatorVersion, metadata.namespace) &&
    consumes(lastStarted.parameters, wanted.parameters, version);
  if (!consumed) return waiting("has yet to take up what is wanted of it");
  const lock = lockOf(spec);
  if (lock !== undefined) return waiting(`plan ${lock.plan} runs`);
  if (aggregatedStatus?.status === "FATAL_ERROR") {
    const plan = lastStarted.planName;
    const message = failureOf(planStatus?.[plan]);
    return {
      state: "failed",
      message: `${named}: plan ${plan} failed${message === undefined ? "" : `: ${message}`}`,
    };
  }
  // An edit beside ours is its own matter, once it has taken up ours.
  return aggregatedStatus?.status === "COMPLETE" && (aggregatedStatus.activePlanName ?? "") === ""
    ? { state: "healthy" }
    : waiting("has not come to rest");
}

/** True where values count as the wanted ones do. No plan runs for one that is written as its default has been. */
function consumes(
  values: Values | undefined,
  wanted: Values | undefined,
  version: Definition | undefined,
): boolean {
  const known = version === undefined ? undefined : parametersOf(version);
  return Object.entries(wanted ?? {}).every(([name, value]) => {
    const parameter = known?.get(name);
    return (parameter === undefined ? valueIn(values, name) : effectiveValue(parameter, values)) === value;
  });
}

/** The words of what failed: the plan's own, or those of its step. */
const failureOf = (entry: PlanStatus | undefined): string | undefined =>
  entry?.message ||
  entry?.phases
    ?.flatMap(({ steps }) => steps ?? [])
    .find(({ status, message }) => status === "FATAL_ERROR" && message !== undefined)?.message;
