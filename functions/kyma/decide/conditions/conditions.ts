import type { Time } from "../../../../shared/function/index.ts";
import { isTrue, setConditions } from "../../../../shared/kube/conditions.ts";
import type { KymaConditionType, KymaStatus } from "../../kinds/index.ts";

type Stored = NonNullable<KymaStatus["conditions"]>[number];
/** A condition of one of these types. */
export type KymaCondition<T extends KymaConditionType> = Omit<Stored, "type"> & { type: T };
/** A condition as it is decided: its time follows from what was stored. */
export type Verdict<T extends KymaConditionType> = Omit<KymaCondition<T>, "lastTransitionTime">;

/** The conditions of one function: those that it stored before, with what it says now. */
export const conditionsOf = <T extends KymaConditionType>(
  status: KymaStatus | undefined,
  types: readonly T[],
  verdicts: readonly Verdict<T>[],
  now: Time,
): KymaCondition<T>[] => [...setConditions(mine(status, types), verdicts, now)];

const mine = <T extends KymaConditionType>(
  status: KymaStatus | undefined,
  types: readonly T[],
): readonly KymaCondition<T>[] =>
  (status?.conditions ?? []).flatMap((condition) => {
    const type = types.find((one) => one === condition.type);
    return type === undefined ? [] : [{ ...unobserved(condition), type }];
  });

/** The condition without a generation that it was said of: lifecycle-manager named one, we name none, and its own would be out of date. */
export function unobserved<C extends { readonly observedGeneration?: number | undefined }>(
  condition: C,
): Omit<C, "observedGeneration"> {
  const { observedGeneration: _, ...said } = condition;
  return said;
}

/** The end of what a function has nothing to say of any more: what it said is taken back. */
export const nothingToSay = <T extends KymaConditionType>(
  status: KymaStatus | undefined,
  types: readonly T[],
): { readonly status?: { readonly conditions: KymaCondition<T>[] } } =>
  mine(status, types).length === 0 ? {} : { status: { conditions: [] } };

/** The verdict that all is well. Its reason is upstream's. */
export const good = <T extends KymaConditionType>(type: T, message = ""): Verdict<T> => ({
  type,
  status: "True",
  reason: "Ready",
  message,
});
/** The verdict that something is missing. Its reason is upstream's, whatever the status is. */
export const lacking = <T extends KymaConditionType>(
  type: T,
  message: string,
  reason = "Ready",
): Verdict<T> => ({ type, status: "False", reason, message });

/** True where a runtime itself tells of its changes, so that nothing in it needs to be followed. */
export const tellsOfChanges = (status: KymaStatus | undefined): boolean =>
  isTrue(status?.conditions, "Watch");
