import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import { compare } from "../../../../shared/kube/objects.ts";
import type { Condition, Severity } from "../../kinds/index.ts";

/** A condition as it is decided: its time follows from what was stored. */
export interface Verdict<Type extends string = string> {
  readonly type: Type;
  readonly status: "True" | "False";
  readonly severity?: Severity | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** The verdict that all is well. */
export const good = <Type extends string>(type: Type): Verdict<Type> => ({ type, status: "True" });
/** The verdict that something is missing or wrong. */
export const bad = <Type extends string>(
  type: Type,
  severity: Severity,
  reason: string,
  message: string,
): Verdict<Type> => ({ type, status: "False", severity, reason, message });

const WORST: readonly (string | undefined)[] = ["Error", "Warning", "Info"];
const rank = ({ severity }: Verdict): number => {
  const found = WORST.indexOf(severity);
  return found < 0 ? WORST.length : found;
};

/** The summary of the others: True where all are, else what is worst among them; of two that are as bad the first by type. */
export function summaryOf(others: readonly Verdict[]): Verdict<"Ready"> {
  const [worst] = others
    .filter(({ status }) => status === "False")
    .toSorted((one, other) => rank(one) - rank(other) || compare(one.type, other.type));
  return worst === undefined ? good("Ready") : { ...worst, type: "Ready" };
}

/**
 * The conditions to store, as Cluster API has them: Ready first, the others by type; a time moves wherever status, severity, reason
 * or message do.
 */
export function conditionsFrom<Type extends string>(
  verdicts: readonly Verdict<Type>[],
  stored: readonly Condition[] | undefined,
  now: Time,
): Condition<Type | "Ready">[] {
  const others = verdicts.toSorted((one, other) => compare(one.type, other.type));
  return [summaryOf(others), ...others].map((verdict) => {
    const before = stored?.find(({ type }) => type === verdict.type);
    const isSame =
      before !== undefined && FIELDS.every((field) => (before[field] ?? "") === (verdict[field] ?? ""));
    return { ...verdict, lastTransitionTime: isSame ? before.lastTransitionTime : toWholeSeconds(now) };
  });
}
/** The verdicts of these types as they were stored: nothing new is known of them. */
export const storedVerdicts = <Type extends string>(
  stored: readonly Condition[] | undefined,
  types: readonly Type[],
): readonly Verdict<Type>[] =>
  types.flatMap((type) => {
    const found = stored?.find((condition) => condition.type === type);
    if (found?.status !== "True" && found?.status !== "False") return [];
    const { lastTransitionTime: _, ...verdict } = found;
    return [{ ...verdict, type, status: found.status }];
  });
const FIELDS = ["status", "severity", "reason", "message"] as const;
