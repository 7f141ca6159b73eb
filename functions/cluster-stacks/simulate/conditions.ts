import { fieldOf, fieldsOf, listOf, textOf } from "../../../shared/json/fields.ts";

/** A condition as it is wanted: True, or False with its reason. */
export interface Wanted {
  readonly type: string;
  readonly reason?: string;
  readonly message?: string;
}

export const yes = (type: string): Wanted => ({ type });
export const no = (type: string, reason: string, message: string): Wanted => ({ type, reason, message });

/** Conditions as Cluster API stores them; the time of one moves only where it changes. `Ready` is True where all others are. */
export function conditionsAfter(stored: unknown, wanted: readonly Wanted[], now: string): readonly unknown[] {
  const bad = wanted.find(({ reason }) => reason !== undefined);
  return [{ ...bad, type: "Ready" }, ...wanted].map(({ type, reason, message }) => {
    const before = fieldsOf(listOf(stored).find((one) => fieldOf(one, "type") === type));
    const next = {
      type,
      status: reason === undefined ? "True" : "False",
      ...(reason !== undefined && { severity: "Info", reason, message }),
    };
    const isSame =
      before.status === next.status &&
      textOf(before.reason) === (reason ?? "") &&
      textOf(before.message) === (message ?? "");
    return { ...next, lastTransitionTime: isSame ? before.lastTransitionTime : now };
  });
}
