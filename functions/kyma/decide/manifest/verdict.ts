import type { Results, Time } from "../../../../shared/function/index.ts";
import { goneWait, isAt, namedOf, placeOf } from "./named.ts";
import { type Readiness, readinessOf } from "./readiness.ts";
import type { Applied } from "./refusal.ts";
import type { ManifestStatus } from "./status.ts";
import type { FoundObject, InstallWorld, Report, Waiting } from "./world.ts";

/** The state that follows from the operator's health, once all is applied. */
export function judged(
  told: ManifestStatus | undefined,
  operator: InstallWorld["operator"],
  applied: readonly Applied[],
  results: Results,
  surplus: readonly FoundObject[],
  waits: readonly Waiting[],
  now: Time,
): Report {
  const kept = surplus.find(({ users = [] }) => users.length > 0);
  const [missing] = waits;
  const readiness = operatorReadiness(told, operator, applied, results, now);
  const installation = readiness.state === "Ready";
  if (readiness.state !== "Ready" && operator !== undefined) {
    const { until } = readiness;
    return {
      state: readiness.state,
      message: readiness.message,
      installation,
      waits: [...waits, { for: "the operator to be ready", of: operator.at }],
      ...(until !== undefined && { wakeAt: { operator: until } }),
    };
  }
  if (missing !== undefined)
    return { state: "Processing", message: `waits for ${missing.for}`, installation, waits };
  if (kept !== undefined) {
    const { entry, users = [] } = kept;
    const message = `the definition ${entry.name} is in the artifact no more, and stays: ${users.length} objects of it are there, ${placeOf(users[0])} among them`;
    return {
      state: "Warning",
      message,
      installation,
      waits: [...waits, ...users.slice(0, 1).map(goneWait)],
    };
  }
  return { state: "Ready", message: "the module is installed", installation, waits };
}

function operatorReadiness(
  told: ManifestStatus | undefined,
  operator: InstallWorld["operator"],
  applied: readonly Applied[],
  results: Results,
  now: Time,
): Readiness {
  if (operator === undefined) return { state: "Ready" };
  const { at, pods } = operator;
  const mine = applied.find(({ object }) => isAt(namedOf(object), at));
  const result = mine === undefined ? undefined : results(mine.effect);
  const live = result?.state === "done" ? result.value : operator.live;
  return live === undefined
    ? { state: "Processing", message: `${at.kind} ${placeOf(at)} is not there` }
    : readinessOf(live, pods, told, now);
}
