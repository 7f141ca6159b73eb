import { type AnyObject, type Effect, note } from "../../../../shared/function/index.ts";
import type { Condition } from "../../kinds/index.ts";
import { conditionOf } from "./conditions.ts";

/**
 * An Event where the condition is about to say something else than what is stored; nothing where it is not. Of a failure the text
 * counts too: another one is told anew. To be written once it is known how the effects went.
 */
export function news<T extends string>(
  object: AnyObject & {
    readonly status?: { readonly conditions?: readonly Condition<T>[] | undefined } | undefined;
  },
  type: NoInfer<T>,
  condition: Pick<Condition, "status" | "reason" | "message"> | undefined,
): Effect<never, undefined>[] {
  if (condition === undefined) return [];
  const { status, reason = "", message = "" } = condition;
  const said = { status, reason, message };
  const stored = conditionOf(object, type);
  const failed = FAILURES.has(said.reason);
  if (
    stored?.status === said.status &&
    (stored.reason ?? "") === said.reason &&
    (!failed || (stored.message ?? "") === said.message)
  )
    return [];
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

const FAILURES: ReadonlySet<string> = new Set(["Failure", "DeploymentFailure"]);
