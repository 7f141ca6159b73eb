import type { InstanceStatus, PastRun } from "../../kinds/index.ts";
import { isTerminal } from "../definition/index.ts";

/** The most runs that are remembered. */
export const MOST_RUNS = 10;

/** The last runs that came to an end, oldest first: those known so far, and those that ended between `before` and `after`. */
export function historyOf(
  before: InstanceStatus | undefined,
  after: InstanceStatus,
): InstanceStatus["history"] {
  const { lastStarted } = after;
  const ended = Object.entries(after.planStatus ?? {}).flatMap(([plan, entry]): PastRun[] => {
    const { uid = "", status, execution, startedTimestamp, finishedTimestamp, message } = entry;
    const known = before?.planStatus?.[plan];
    const isNew = known?.uid !== uid || !isTerminal(known.status);
    // What ran under upstream's manager has no number.
    if (!isNew || status === undefined || !isTerminal(status) || execution === undefined) return [];
    const version = lastStarted?.planUID === uid ? lastStarted.operatorVersion.name : undefined;
    return [
      {
        execution,
        planName: plan,
        planUID: uid,
        status,
        ...(version !== undefined && { operatorVersion: version }),
        ...(startedTimestamp !== undefined && { startedTimestamp }),
        ...(finishedTimestamp !== undefined && { finishedTimestamp }),
        ...(message !== undefined && message !== "" && { message }),
      },
    ];
  });
  if (ended.length === 0) return after.history;
  const known = (after.history ?? []).filter(
    ({ execution }) => !ended.some((run) => run.execution === execution),
  );
  return [...known, ...ended].toSorted((one, other) => one.execution - other.execution).slice(-MOST_RUNS);
}
