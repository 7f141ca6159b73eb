import type { Obj, Time } from "../../../../shared/function/index.ts";
import { setCondition } from "../../../../shared/kube/conditions.ts";
import type { KymaPolicy } from "../../kinds/index.ts";
import { judged } from "./judged.ts";

type Policy = Obj<typeof KymaPolicy>;

/** The statuses of the policies of a namespace: the rules that hold, and why those of the spec do not. */
export function policyStatuses(members: readonly Policy[], now: Time) {
  const living = members.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const verdicts = new Map(judged(living).map((verdict) => [verdict.name, verdict]));
  return living.flatMap((policy) => {
    const verdict = verdicts.get(policy.metadata.name);
    if (verdict === undefined) return [];
    const { accepted, fault } = verdict;
    const conditions = setCondition(
      policy.status?.conditions,
      fault === undefined
        ? { type: "Accepted", status: "True", reason: "Accepted", message: "" }
        : { type: "Accepted", status: "False", reason: "Contradiction", message: fault },
      now,
    );
    return [
      {
        of: policy,
        status: {
          observedGeneration: policy.metadata.generation,
          ...(accepted !== undefined && { accepted }),
          conditions: [...conditions],
        },
      },
    ];
  });
}
