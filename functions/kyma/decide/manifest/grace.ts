import {
  type Duration,
  later,
  type Obj,
  type Time,
  toWholeSeconds,
} from "../../../../shared/function/index.ts";
import { ANNOTATIONS, type Manifest } from "../../kinds/index.ts";
import type { Need, Report, Waiting } from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The hard requirements that are missing. */
export const missingOf = (needs: readonly Need[]): readonly Need[] =>
  needs.filter(({ isHard, isMet }) => isHard && !isMet);

/** The waits for all that a module needs: for what is missing to come, and for the rest to go. */
export const waitsOf = (needs: readonly Need[]): readonly Waiting[] => needs.flatMap(({ waits }) => waits);

const listed = (needs: readonly Need[]): string => needs.map(({ what }) => what).join("; ");

/**
 * The report of a module that is held back until what it requires is there. What it waits for, and since when, stands in its last operation:
 * after the grace, or where an older version of it stands in the runtime, that is a Warning.
 */
export function heldBack(self: Self, needs: readonly Need[], grace: Duration, now: Time): Report {
  const missing = missingOf(needs);
  const message = `waits for ${listed(missing)}`;
  const overdue = `has waited for more than ${grace} for ${listed(missing)}`;
  const waits = waitsOf(needs);
  const { state, lastOperation } = self.status ?? {};
  if (self.metadata.deletionTimestamp !== undefined) return { state: "Processing", message, waits };
  if (self.metadata.annotations[ANNOTATIONS.syncedArtifact] !== undefined)
    return { state: "Warning", message, waits };
  const isWaiting = state === "Processing" && lastOperation?.operation === message;
  const since = (isWaiting ? lastOperation.lastUpdateTime : undefined) ?? toWholeSeconds(now);
  const until = later(since, grace);
  const isOverdue =
    (state === "Warning" && lastOperation?.operation === overdue) || Date.parse(now) >= Date.parse(until);
  return isOverdue
    ? { state: "Warning", message: overdue, waits }
    : { state: "Processing", message, waits, wakeAt: { dependency: until } };
}

/** The report of an installed module, with what has gone that it requires: it stays, and that is a Warning. */
export function withNeeds(report: Report, needs: readonly Need[]): Report {
  const waits = [...(report.waits ?? []), ...waitsOf(needs)];
  const missing = missingOf(needs);
  if (report.state !== "Ready") return { ...report, waits };
  if (missing.length > 0)
    return { ...report, state: "Warning", message: `is installed, and misses ${listed(missing)}`, waits };
  const without = needs.filter(({ isMet }) => !isMet);
  if (without.length === 0) return { ...report, waits };
  return { ...report, message: `${report.message}; it could use ${listed(without)}`, waits };
}
