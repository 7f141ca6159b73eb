import {
  type ClusterReference,
  type Duration,
  later,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import type { StageCondition } from "../assets/index.ts";
import { bad, type Verdict } from "../conditions/index.ts";
import type { WaitVerdict } from "./cel.ts";
import { namespaceOfNamed } from "./condition-objects.ts";

/** A condition that a stage waits for now. */
export interface StageWait {
  readonly stage: string;
  readonly place: "before" | "after";
  readonly condition: StageCondition;
  /** The answer of the condition, as its objects stand. */
  readonly verdict: WaitVerdict;
  /** When the stage began to wait; undefined: it begins now. */
  readonly startedAt: Time | undefined;
  /** The workload cluster, as waits name it. */
  readonly cluster: ClusterReference;
}

/** The answer of a condition: the stage goes on, or what it waits for. */
export type Gate =
  | { readonly state: "holds" }
  | {
      readonly state: "waits";
      readonly verdict: Verdict<"EvaluatedCEL">;
      readonly waits: readonly Wait[];
      readonly wakeAt: { readonly stage?: Time };
    };

/** The condition's objects are followed, so it is asked again whenever one of them changes. After `deadline` it says that it is late. */
export function gateOf(wait: StageWait, now: Time, deadline: Duration): Gate {
  const { stage, place, condition, verdict, startedAt = now, cluster } = wait;
  if (verdict.holds) return { state: "holds" };
  const until = later(startedAt, deadline);
  const isLate = Date.parse(now) >= Date.parse(until);
  const what = `stage ${stage}, ${place === "before" ? "waitForPreCondition" : "waitForPostCondition"}`;
  return {
    state: "waits",
    verdict: isLate
      ? bad(
          "EvaluatedCEL",
          "Error",
          "StageDeadlineExceeded",
          `${what}: it has waited for longer than ${deadline}, since ${startedAt}; ${verdict.message} (${verdict.reason})`,
        )
      : bad("EvaluatedCEL", verdict.severity, verdict.reason, `${what}: ${verdict.message}`),
    waits: condition.objects.map(({ apiVersion, kind, name, namespace }) => ({
      for: `${kind} ${name} to fulfil ${what}`,
      // Of a kind without namespaces, or one that is to come, it is left out once that is known.
      object: { apiVersion, kind, name, namespace: namespaceOfNamed({ namespace }), cluster },
    })),
    wakeAt: isLate ? {} : { stage: until },
  };
}
