import * as z from "zod";
import { Condition } from "../../../../shared/kube/schema/core.ts";
import { LabelSelector } from "../../../../shared/kube/schema/selectors.ts";
import {
  int32,
  int64,
  intOrString,
  keyed,
  mapOf,
  oneOf,
  time,
} from "../../../../shared/kube/schema/words.ts";

export const PodDisruptionBudgetSpec = z.object({
  maxUnavailable: intOrString.optional(),
  minAvailable: intOrString.optional(),
  selector: LabelSelector.meta({ "x-kubernetes-patch-strategy": "replace" }).optional(),
  unhealthyPodEvictionPolicy: oneOf("AlwaysAllow", "IfHealthyBudget").optional(),
});
export type PodDisruptionBudgetSpec = z.infer<typeof PodDisruptionBudgetSpec>;

export const PodDisruptionBudgetStatus = z.object({
  conditions: keyed(Condition, "type").optional(),
  currentHealthy: int32.optional(),
  desiredHealthy: int32.optional(),
  disruptedPods: mapOf(time).optional(),
  disruptionsAllowed: int32.optional(),
  expectedPods: int32.optional(),
  observedGeneration: int64.optional(),
});
export type PodDisruptionBudgetStatus = z.infer<typeof PodDisruptionBudgetStatus>;
