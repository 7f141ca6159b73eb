import * as z from "zod";
import { Condition } from "../../../../shared/kube/schema/core.ts";
import { LabelSelector } from "../../../../shared/kube/schema/selectors.ts";
import {
  atomic,
  int32,
  int64,
  keyed,
  oneOf,
  quantity,
  text,
  time,
} from "../../../../shared/kube/schema/words.ts";

export const CrossVersionObjectReference = z.object({
  apiVersion: text.optional(),
  kind: text,
  name: text,
});
const MetricIdentifier = z.object({ name: text, selector: LabelSelector.optional() });
const MetricTarget = z.object({
  averageUtilization: int32.optional(),
  averageValue: quantity.optional(),
  type: text,
  value: quantity.optional(),
});
const MetricSpec = z.object({
  containerResource: z.object({ container: text, name: text, target: MetricTarget }).optional(),
  external: z.object({ metric: MetricIdentifier, target: MetricTarget }).optional(),
  object: z
    .object({
      describedObject: CrossVersionObjectReference,
      metric: MetricIdentifier,
      target: MetricTarget,
    })
    .optional(),
  pods: z.object({ metric: MetricIdentifier, target: MetricTarget }).optional(),
  resource: z.object({ name: text, target: MetricTarget }).optional(),
  type: oneOf("ContainerResource", "External", "Object", "Pods", "Resource"),
});
const HPAScalingRules = z.object({
  policies: atomic(z.object({ periodSeconds: int32, type: text, value: int32 })).optional(),
  selectPolicy: text.optional(),
  stabilizationWindowSeconds: int32.optional(),
  tolerance: quantity.optional(),
});

export const HorizontalPodAutoscalerSpec = z.object({
  behavior: z
    .object({ scaleDown: HPAScalingRules.optional(), scaleUp: HPAScalingRules.optional() })
    .optional(),
  maxReplicas: int32,
  metrics: atomic(MetricSpec).optional(),
  minReplicas: int32.optional(),
  scaleTargetRef: CrossVersionObjectReference,
});
export const HorizontalPodAutoscalerStatus = z.object({
  conditions: keyed(Condition, "type").optional(),
  currentMetrics: atomic(z.looseObject({ type: text }))
    .nullable()
    .optional(),
  currentReplicas: int32.optional(),
  desiredReplicas: int32.optional(),
  lastScaleTime: time.optional(),
  observedGeneration: int64.optional(),
});

/** autoscaling/v1: one metric, in a field of its own. */
export const HorizontalPodAutoscalerV1Spec = z.object({
  maxReplicas: int32,
  minReplicas: int32.optional(),
  scaleTargetRef: CrossVersionObjectReference,
  targetCPUUtilizationPercentage: int32.optional(),
});
export const HorizontalPodAutoscalerV1Status = z.object({
  currentCPUUtilizationPercentage: int32.optional(),
  currentReplicas: int32.optional(),
  desiredReplicas: int32.optional(),
  lastScaleTime: time.optional(),
  observedGeneration: int64.optional(),
});
