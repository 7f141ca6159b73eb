import { gateError, isGateReason } from "./gate.ts";
import type { UpdateEffect, UpdateError } from "./update-error.ts";

const RANK: readonly UpdateEffect[] = ["Report", "None", "FailAfterInterval", "Fail"];
const worst = (errors: readonly UpdateError[]): UpdateEffect =>
  errors.reduce<UpdateEffect>(
    (effect, error) => (RANK.indexOf(error.effect) > RANK.indexOf(effect) ? error.effect : effect),
    "Report",
  );

/** ClusterOperators with the same reason become one error; they come after all others, sorted by reason. */
function condensed(errors: readonly UpdateError[]): readonly UpdateError[] {
  const byReason = new Map<string, UpdateError[]>();
  const others: UpdateError[] = [];
  for (const error of errors) {
    if (!isGateReason(error.reason)) others.push(error);
    else byReason.set(error.reason, [...(byReason.get(error.reason) ?? []), error]);
  }
  const operators = [...byReason]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([reason, same]) => {
      const [first] = same;
      if (first === undefined || same.length === 1 || !isGateReason(reason)) return first;
      return gateError(reason, worst(same), [...new Set(same.flatMap(({ names }) => names))]);
    });
  return [...others, ...operators.filter((error) => error !== undefined)];
}

/** Several errors as the one that is told; the first, where all say the same. */
export function together(errors: readonly UpdateError[]): UpdateError | undefined {
  const messages = [...new Set(errors.map(({ message }) => message))].toSorted();
  if (messages.length <= 1) return errors[0];
  return {
    effect: "Fail",
    reason: "MultipleErrors",
    message: `Multiple errors are preventing progress:\n* ${messages.join("\n* ")}`,
    names: [],
    members: errors,
  };
}

/** One error for all errors of a pass (4.6); undefined where there are none. */
export const summarise = (errors: readonly UpdateError[]): UpdateError | undefined =>
  together(condensed(errors));
