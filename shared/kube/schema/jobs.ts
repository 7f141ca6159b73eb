import * as z from "zod";
import { ObjectReference } from "./core.ts";
import { objectMeta } from "./object-meta.ts";
import { LabelSelector } from "./selectors.ts";
import { atomic, flag, int32, int64, oneOf, setOf, text, time } from "./words.ts";
import { PodTemplateSpec } from "./workloads.ts";

export const PodFailurePolicyOnExitCodesRequirement = z.object({
  containerName: text.optional(),
  operator: oneOf("In", "NotIn"),
  values: setOf(int32),
});
export type PodFailurePolicyOnExitCodesRequirement = z.infer<typeof PodFailurePolicyOnExitCodesRequirement>;

export const PodFailurePolicyOnPodConditionsPattern = z.object({
  status: text.optional(),
  type: text,
});
export type PodFailurePolicyOnPodConditionsPattern = z.infer<typeof PodFailurePolicyOnPodConditionsPattern>;

export const PodFailurePolicyRule = z.object({
  action: oneOf("Count", "FailIndex", "FailJob", "Ignore"),
  onExitCodes: PodFailurePolicyOnExitCodesRequirement.optional(),
  onPodConditions: atomic(PodFailurePolicyOnPodConditionsPattern).optional(),
});
export type PodFailurePolicyRule = z.infer<typeof PodFailurePolicyRule>;

export const PodFailurePolicy = z.object({
  rules: atomic(PodFailurePolicyRule),
});
export type PodFailurePolicy = z.infer<typeof PodFailurePolicy>;

export const SuccessPolicyRule = z.object({
  succeededCount: int32.optional(),
  succeededIndexes: text.optional(),
});
export type SuccessPolicyRule = z.infer<typeof SuccessPolicyRule>;

export const SuccessPolicy = z.object({
  rules: atomic(SuccessPolicyRule),
});
export type SuccessPolicy = z.infer<typeof SuccessPolicy>;

export const UncountedTerminatedPods = z.object({
  failed: setOf(text).optional(),
  succeeded: setOf(text).optional(),
});
export type UncountedTerminatedPods = z.infer<typeof UncountedTerminatedPods>;

export const JobCondition = z.object({
  lastProbeTime: time.optional(),
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type JobCondition = z.infer<typeof JobCondition>;

export const JobSpec = z.object({
  activeDeadlineSeconds: int64.optional(),
  backoffLimit: int32.optional(),
  backoffLimitPerIndex: int32.optional(),
  completionMode: oneOf("Indexed", "NonIndexed").optional(),
  completions: int32.optional(),
  managedBy: text.optional(),
  manualSelector: flag.optional(),
  maxFailedIndexes: int32.optional(),
  parallelism: int32.optional(),
  podFailurePolicy: PodFailurePolicy.optional(),
  podReplacementPolicy: oneOf("Failed", "TerminatingOrFailed").optional(),
  selector: LabelSelector.optional(),
  successPolicy: SuccessPolicy.optional(),
  suspend: flag.optional(),
  template: PodTemplateSpec,
  ttlSecondsAfterFinished: int32.optional(),
});
export type JobSpec = z.infer<typeof JobSpec>;

export const JobStatus = z.object({
  active: int32.optional(),
  completedIndexes: text.optional(),
  completionTime: time.optional(),
  conditions: atomic(JobCondition)
    .meta({ "x-kubernetes-patch-merge-key": "type", "x-kubernetes-patch-strategy": "merge" })
    .optional(),
  failed: int32.optional(),
  failedIndexes: text.optional(),
  ready: int32.optional(),
  startTime: time.optional(),
  succeeded: int32.optional(),
  terminating: int32.optional(),
  uncountedTerminatedPods: UncountedTerminatedPods.optional(),
});
export type JobStatus = z.infer<typeof JobStatus>;

export const JobTemplateSpec = z.object({
  metadata: objectMeta.optional(),
  spec: JobSpec.optional(),
});
export type JobTemplateSpec = z.infer<typeof JobTemplateSpec>;

export const CronJobSpec = z.object({
  concurrencyPolicy: oneOf("Allow", "Forbid", "Replace").optional(),
  failedJobsHistoryLimit: int32.optional(),
  jobTemplate: JobTemplateSpec,
  schedule: text,
  startingDeadlineSeconds: int64.optional(),
  successfulJobsHistoryLimit: int32.optional(),
  suspend: flag.optional(),
  timeZone: text.optional(),
});
export type CronJobSpec = z.infer<typeof CronJobSpec>;

export const CronJobStatus = z.object({
  active: atomic(ObjectReference).optional(),
  lastScheduleTime: time.optional(),
  lastSuccessfulTime: time.optional(),
});
export type CronJobStatus = z.infer<typeof CronJobStatus>;
