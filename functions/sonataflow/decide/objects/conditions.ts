import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import { findCondition, isTrue } from "../../../../shared/kube/conditions.ts";
import { compare } from "../../../../shared/kube/objects.ts";
import type { Condition } from "../../kinds/index.ts";

interface WithConditions<T extends string> {
  readonly status?: { readonly conditions?: readonly Condition<T>[] | undefined } | undefined;
}

/** A condition without its time. */
export type Verdict = Required<Pick<Condition, "status" | "reason" | "message">>;

export const verdict = (status: Condition["status"], reason = "", message = ""): Verdict => ({
  status,
  reason,
  message,
});

export const conditionOf = <T extends string>(
  object: WithConditions<T> | undefined,
  type: NoInfer<T>,
): Condition<T> | undefined => findCondition(object?.status?.conditions, type);

/** True where the top-level condition of a platform or cluster platform holds. */
export const isReady = (object: WithConditions<string> | undefined): boolean =>
  isTrue(object?.status?.conditions, "Succeed");

/**
 * The condition to store: the stored one where it says the same, so that its time does not move; else with the time `now`.
 * An absent reason or message and an empty one are the same.
 */
export function keep<T extends string>(
  stored: Condition<T> | undefined,
  type: T,
  { status, reason, message }: Verdict,
  now: Time,
): Condition<T> {
  const same =
    stored !== undefined &&
    stored.status === status &&
    (stored.reason ?? "") === reason &&
    (stored.message ?? "") === message;
  const lastUpdateTime = (same ? stored.lastUpdateTime : undefined) ?? toWholeSeconds(now);
  return { type, status, lastUpdateTime, reason, message };
}

/** The whole list to store, by type. `verdicts` says what holds now; types it leaves out go. */
export const conditionsFor = <T extends string>(
  object: WithConditions<T>,
  verdicts: { readonly [P in T]?: Verdict | undefined },
  now: Time,
): Condition<T>[] =>
  (Object.entries(verdicts) as [T, Verdict | undefined][])
    .flatMap(([type, said]) => (said === undefined ? [] : [keep(conditionOf(object, type), type, said, now)]))
    .sort((one, other) => compare(one.type, other.type));
