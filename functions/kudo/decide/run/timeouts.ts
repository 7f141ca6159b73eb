import { type Time, timeOf } from "../../../../shared/function/index.ts";
import type { Plan, PlanStatus } from "../../kinds/index.ts";
import { isRunning } from "../definition/index.ts";

/** The time at which something that began then is given up; undefined: never. */
export const deadlineOf = (started: Time | undefined, seconds: number | undefined): Time | undefined =>
  started === undefined || seconds === undefined ? undefined : timeOf(Date.parse(started) + seconds * 1000);

export const isPast = (deadline: Time | undefined, now: Time): boolean =>
  deadline !== undefined && Date.parse(now) >= Date.parse(deadline);

const earliest = (times: readonly (Time | undefined)[]): Time | undefined =>
  times.filter((time) => time !== undefined).sort((one, other) => Date.parse(one) - Date.parse(other))[0];

/** The times at which a run must be looked at again, whatever happens: a retry, the end of somebody's patience. */
export function deadlinesOf(
  plan: Plan,
  entry: PlanStatus,
  patience: readonly Time[],
): Readonly<Record<string, Time>> {
  if (!isRunning(entry.status)) return {};
  const phases = (plan.phases ?? []).map((phase, at) => ({ phase, status: entry.phases?.[at] }));
  const steps = phases.flatMap(({ phase, status }) =>
    (phase.steps ?? []).map((step, at) => ({ step, status: status?.steps?.[at] })),
  );
  const retry = earliest(
    steps.flatMap(({ status }) => (status?.status === "ERROR" ? [status.nextRetryTime] : [])),
  );
  const timeout = earliest([
    deadlineOf(entry.startedTimestamp, plan.timeoutSeconds),
    ...phases.flatMap(({ phase, status }) =>
      isRunning(status?.status) ? [deadlineOf(status?.startedTimestamp, phase.timeoutSeconds)] : [],
    ),
    ...steps.flatMap(({ step, status }) =>
      isRunning(status?.status) ? [deadlineOf(status?.startedTimestamp, step.timeoutSeconds)] : [],
    ),
    ...patience,
  ]);
  return { ...(retry !== undefined && { retry }), ...(timeout !== undefined && { timeout }) };
}
