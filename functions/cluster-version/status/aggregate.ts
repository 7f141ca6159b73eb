import { type Duration, milliseconds, since, type Time, timeOf } from "../../../shared/clock/time.ts";
import type { Condition, ConditionStatus, ConditionVerdict } from "../../../shared/kube/conditions.ts";

/** The conditions that an operator aggregates from those of its parts. */
export type AggregatedType = "Available" | "Progressing" | "Degraded" | "Upgradeable";

const GOOD: Readonly<Record<AggregatedType, ConditionStatus>> = {
  Available: "True",
  Upgradeable: "True",
  Progressing: "False",
  Degraded: "False",
};

/** The aggregate of the parts' conditions. */
export interface Aggregate<T extends string> {
  /** The condition to report. */
  readonly condition: Required<ConditionVerdict<T>>;
  /** The latest time of the inputs that decided; undefined where there are none. `setCondition` stamps flips itself. */
  readonly lastTransitionTime: Time | undefined;
  /**
   * The time at which the next bad input that is still passed over will count: look again then. Undefined where there is none.
   */
  readonly dueAt: Time | undefined;
}

/**
 * One condition from those of the parts, which are named `<Prefix><Type>` (`NodeInstallerDegraded`); others are passed over.
 * All good: the good status. Else the opposite where any part says so, otherwise Unknown, with `<Prefix>_<Reason>` of the
 * bad ones. No parts: Unknown, `NoData`.
 *
 * @param inertia how long a part may be bad before it counts, for all or by condition, so that a hiccup does not alarm.
 *   Customary for Degraded: `2m`. Default: it counts at once.
 */
export function aggregate<const T extends AggregatedType>(
  type: T,
  conditions: readonly Condition[],
  now: Time,
  inertia: Duration | ((condition: Condition) => Duration) = "0s",
): Aggregate<T> {
  const parts = conditions.filter((condition) => condition.type.endsWith(type));
  if (parts.length === 0)
    return {
      condition: { type, status: "Unknown", reason: "NoData", message: "" },
      lastTransitionTime: undefined,
      dueAt: undefined,
    };
  const good = GOOD[type];
  const window = (condition: Condition): number =>
    milliseconds(typeof inertia === "string" ? inertia : inertia(condition));
  const bad = parts.filter(({ status }) => status !== good);
  const young = bad.filter((condition) => since(condition.lastTransitionTime, now) < window(condition));
  const counted = bad
    .filter((condition) => !young.includes(condition))
    .sort((one, other) => (one.type < other.type ? -1 : one.type > other.type ? 1 : 0));
  const dueAt = earliest(
    young.map((condition) => Date.parse(condition.lastTransitionTime) + window(condition)),
  );
  if (counted.length === 0)
    return {
      condition: { type, status: good, reason: "AsExpected", message: linesOf(parts) || "All is well" },
      lastTransitionTime: latest(parts),
      dueAt,
    };
  const opposite = good === "True" ? "False" : "True";
  return {
    condition: {
      type,
      status: counted.some(({ status }) => status === opposite) ? opposite : "Unknown",
      reason: joinReasons(counted.map((condition) => reasonOf(condition, type))),
      message: linesOf(counted),
    },
    lastTransitionTime: latest(counted),
    dueAt,
  };
}

/** Several reasons in one, sorted, each once: what several detectors found, or several parts. */
export const joinReasons = (reasons: readonly string[]): string => [...new Set(reasons)].sort().join("::");

function reasonOf(condition: Condition, type: string): string {
  const prefix = condition.type.slice(0, -type.length);
  return [prefix, condition.reason ?? ""].filter((word) => word !== "").join("_");
}

const linesOf = (conditions: readonly Condition[]): string =>
  conditions
    .flatMap(({ type, message }) =>
      message === undefined || message === ""
        ? []
        : [...new Set(message.split("\n"))].map((line) => `${type}: ${line}`),
    )
    .join("\n");

const latest = (conditions: readonly Condition[]): Time | undefined =>
  conditions
    .map(({ lastTransitionTime }) => lastTransitionTime)
    .reduce((one, other) => (Date.parse(other) > Date.parse(one) ? other : one));

const earliest = (times: readonly number[]): Time | undefined =>
  times.length === 0 ? undefined : timeOf(Math.min(...times));
