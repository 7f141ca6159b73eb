import type { InstanceStatus, PlanStatus } from "../../kinds/index.ts";
import { isRunning } from "../definition/index.ts";

type Entries = InstanceStatus["planStatus"];

/** Later runs have higher numbers; upstream's have none, and are told apart by time. */
const order = (one: PlanStatus, other: PlanStatus): number =>
  (one.execution ?? 0) - (other.execution ?? 0) ||
  (Date.parse(one.lastUpdatedTimestamp ?? "") || 0) - (Date.parse(other.lastUpdatedTimestamp ?? "") || 0);

const named = (entries: Entries): readonly (PlanStatus & { readonly plan: string })[] =>
  Object.entries(entries ?? {}).map(([plan, entry]) => ({ ...entry, plan }));

/** The last run of all plans, or of these; undefined where none ever ran. */
export const lastRun = (entries: Entries, plans?: readonly string[]): PlanStatus | undefined =>
  named(entries)
    .filter(
      ({ plan, status }) =>
        status !== undefined && status !== "NEVER_RUN" && (plans === undefined || plans.includes(plan)),
    )
    .toSorted(order)
    .at(-1);

/** The summary of all plans: the one that runs, else how the last one ended. */
export function aggregated(entries: Entries): NonNullable<InstanceStatus["aggregatedStatus"]> {
  const active = named(entries).find(({ status }) => isRunning(status));
  if (active !== undefined)
    return { status: active.status, activePlanName: active.plan, activePlanUID: active.uid ?? "" };
  return { status: lastRun(entries)?.status ?? "NEVER_RUN", activePlanName: "", activePlanUID: "" };
}
