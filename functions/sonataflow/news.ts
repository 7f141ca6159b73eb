import { type AnyObject, type Effect, note } from "../../shared/function/index.ts";
import { conditionOf, type Verdict } from "./conditions.ts";
import type { Condition } from "./kinds/index.ts";

/** An Event where the top-level condition is about to say something else than what is stored; nothing where it is not. */
export function news<T extends string>(
  object: AnyObject & {
    readonly status?: { readonly conditions?: readonly Condition<T>[] | undefined } | undefined;
  },
  type: NoInfer<T>,
  said: Verdict,
): Effect<never, undefined>[] {
  const stored = conditionOf(object, type);
  if (stored?.status === said.status && (stored.reason ?? "") === said.reason) return [];
  const failed = said.reason === "Failure";
  const text = [`${type} is ${said.status}`, said.reason, said.message]
    .filter((part) => part !== "")
    .join(": ");
  // The version that the decision rests on: a pass that is repeated says the same once, a later change is told anew.
  return [
    note(
      object,
      failed ? "Warning" : "Normal",
      failed ? "Failed" : "Updated",
      text,
      object.metadata.resourceVersion,
    ),
  ];
}
