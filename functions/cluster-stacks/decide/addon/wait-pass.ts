import type { Duration, Obj, Time } from "../../../../shared/function/index.ts";
import { type ClusterAddon, type StagePhase, workloads } from "../../kinds/index.ts";
import { good } from "../conditions/index.ts";
import { statusOf, withStage } from "./status.ts";
import { gateOf } from "./wait.ts";
import type { AddonVerdict, AddonWorld, StageObjects } from "./world.ts";

type At = Extract<AddonWorld, { readonly step: "stage" }>;
type Waiting = Extract<StageObjects, { readonly state: "waiting" }>;

const PHASES = {
  before: { waits: "waitingForPreCondition", next: "applyingOrDeleting" },
  after: { waits: "waitingForPostCondition", next: "done" },
} as const;

/** The condition that a stage of this phase is at; undefined where its objects are at work. */
export const placeOf = (phase: StagePhase | undefined): Waiting["place"] | undefined =>
  phase === "waitingForPostCondition" ? "after" : phase === "applyingOrDeleting" ? undefined : "before";

/** Asks the condition of a stage: it goes on where that holds, and else follows the condition's objects. */
export function waitPass(
  self: Obj<typeof ClusterAddon>,
  { stage: { index, planned }, there }: At,
  { place, verdict: answer }: Waiting,
  said: readonly AddonVerdict[],
  deadline: Duration,
  now: Time,
) {
  const stages = self.status?.stages;
  const { waits, next } = PHASES[place];
  const condition = place === "before" ? planned.waitForPreCondition : planned.waitForPostCondition;
  const stored = stages?.[index];
  const startedAt = stored?.phase === waits ? (stored.startedAt ?? now) : now;
  const cluster = workloads.named(there.cluster);
  const gate =
    condition === undefined
      ? ({ state: "holds" } as const)
      : gateOf({ stage: planned.name, place, condition, verdict: answer, startedAt, cluster }, now, deadline);
  if (gate.state === "holds")
    return {
      status: statusOf(
        self,
        {
          verdicts: [...said, good("EvaluatedCEL")],
          fields: { stages: withStage(stages, index, { phase: next, startedAt: now }) },
        },
        now,
      ),
      again: true,
    };
  const { verdict, waits: waitingFor, wakeAt } = gate;
  return {
    status: statusOf(
      self,
      {
        verdicts: [...said, verdict],
        fields: {
          stages: withStage(stages, index, { phase: waits, startedAt, message: verdict.message }),
        },
      },
      now,
    ),
    waitingFor,
    wakeAt,
  };
}
