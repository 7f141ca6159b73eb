import { messageOf } from "../../../../shared/errors.ts";
import { isRecord } from "../../../../shared/json/fields.ts";
import type { Severity } from "../../kinds/index.ts";
import { type CelFault, compileCel } from "../assets/cel.ts";
import type { StageCondition } from "../assets/index.ts";
import { sizeOf, stepsOf } from "./cel-steps.ts";

type Fields = Readonly<Record<string, unknown>>;
type WaitObject = StageCondition["objects"][number];

/** An object of a condition, as it stands in the workload cluster. */
export type ConditionObject =
  | { readonly state: "found"; readonly object: Fields }
  | { readonly state: "missing"; readonly namespace?: string | undefined }
  /** The server does not serve its kind. */
  | { readonly state: "kind missing" }
  /** It may not be read: the reason in words. */
  | { readonly state: "refused"; readonly message: string; readonly namespace?: string | undefined };

/** The judgement of a condition: it holds, or why it does not, by upstream's reasons. */
export type WaitVerdict =
  | { readonly holds: true }
  | {
      readonly holds: false;
      readonly reason:
        | CelFault["reason"]
        | "CRDNotExisting"
        | "ObjectNotFound"
        | "EvaluateCELConditionFailed";
      readonly severity: Severity;
      readonly message: string;
    };

/** More is no question about a few objects. */
const MOST_STEPS = 5_000_000;

/** Asks a condition about the objects that it names; `found` holds them by their keys. */
export function judgeWait(
  condition: StageCondition,
  found: ReadonlyMap<string, ConditionObject>,
): WaitVerdict {
  const compiled = compileCel(
    condition.conditions,
    condition.objects.map(({ key }) => key),
  );
  if ("reason" in compiled) return no(compiled.reason, compiled.message);
  const objects: [key: string, object: Fields][] = [];
  for (const wanted of condition.objects) {
    const one = found.get(wanted.key) ?? { state: "missing" };
    if (one.state === "kind missing")
      return no("CRDNotExisting", `the workload cluster has no kind ${wanted.kind} of ${wanted.apiVersion}`);
    if (one.state === "missing") return no("ObjectNotFound", `${nameOf(wanted, one)} is not there`);
    if (one.state === "refused")
      return no("ObjectNotFound", `${nameOf(wanted, one)} cannot be read: ${one.message}`);
    objects.push([wanted.key, one.object]);
  }
  const sizes = new Map(objects.map(([key, object]) => [key, sizeOf(object)]));
  if (stepsOf(compiled.ast, sizes) > MOST_STEPS)
    return unmet(`it would take more than ${MOST_STEPS} steps for these objects: ${condition.conditions}`);
  let result: unknown;
  try {
    result = compiled.run(Object.fromEntries(objects.map(([key, object]) => [key, celValue(object)])));
  } catch (error) {
    return unmet(`${messageOf(error).split("\n")[0] ?? ""}: ${condition.conditions}`);
  }
  if (typeof result !== "boolean")
    return no("CELExpressionTypeMismatch", `it does not give true or false: ${condition.conditions}`);
  return result ? { holds: true } : unmet(`it is not so yet: ${condition.conditions}`);
}

const no = (reason: Exclude<WaitVerdict, { holds: true }>["reason"], message: string): WaitVerdict => ({
  holds: false,
  reason,
  severity: "Error",
  message,
});
const unmet = (message: string): WaitVerdict => ({
  holds: false,
  reason: "EvaluateCELConditionFailed",
  severity: "Info",
  message,
});

const nameOf = (
  { kind, name }: WaitObject,
  { namespace = "" }: { readonly namespace?: string | undefined },
): string => `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;

/** An object as CEL sees it: maps of anything, whole numbers as int. */
function celValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  return isRecord(value)
    ? new Map(Object.entries(value).map(([key, inner]) => [key, celValue(inner)]))
    : value;
}
