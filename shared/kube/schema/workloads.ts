import * as z from "zod";
import { PersistentVolumeClaimTemplate } from "./claim.ts";
import { PersistentVolumeClaimStatus } from "./claim-status.ts";
import { objectMeta } from "./object-meta.ts";
import { PodSpec } from "./pod-spec.ts";
import { LabelSelector } from "./selectors.ts";
import { atomic, flag, int32, int64, intOrString, keyed, oneOf, text, time } from "./words.ts";

export const PodTemplateSpec = z.object({
  metadata: objectMeta.optional(),
  spec: PodSpec.optional(),
});
export type PodTemplateSpec = z.infer<typeof PodTemplateSpec>;

export const DeploymentCondition = z.object({
  lastTransitionTime: time.optional(),
  lastUpdateTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type DeploymentCondition = z.infer<typeof DeploymentCondition>;

export const RollingUpdateDeployment = z.object({
  maxSurge: intOrString.optional(),
  maxUnavailable: intOrString.optional(),
});
export type RollingUpdateDeployment = z.infer<typeof RollingUpdateDeployment>;

export const DeploymentStrategy = z.object({
  rollingUpdate: RollingUpdateDeployment.optional(),
  type: oneOf("Recreate", "RollingUpdate").optional(),
});
export type DeploymentStrategy = z.infer<typeof DeploymentStrategy>;

export const DeploymentSpec = z.object({
  minReadySeconds: int32.optional(),
  paused: flag.optional(),
  progressDeadlineSeconds: int32.optional(),
  replicas: int32.optional(),
  revisionHistoryLimit: int32.optional(),
  selector: LabelSelector,
  strategy: DeploymentStrategy.meta({ "x-kubernetes-patch-strategy": "retainKeys" }).optional(),
  template: PodTemplateSpec,
});
export type DeploymentSpec = z.infer<typeof DeploymentSpec>;

export const DeploymentStatus = z.object({
  availableReplicas: int32.optional(),
  collisionCount: int32.optional(),
  conditions: keyed(DeploymentCondition, "type").optional(),
  observedGeneration: int64.optional(),
  readyReplicas: int32.optional(),
  replicas: int32.optional(),
  terminatingReplicas: int32.optional(),
  unavailableReplicas: int32.optional(),
  updatedReplicas: int32.optional(),
});
export type DeploymentStatus = z.infer<typeof DeploymentStatus>;

export const ReplicaSetCondition = z.object({
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type ReplicaSetCondition = z.infer<typeof ReplicaSetCondition>;

export const ReplicaSetSpec = z.object({
  minReadySeconds: int32.optional(),
  replicas: int32.optional(),
  selector: LabelSelector,
  template: PodTemplateSpec.optional(),
});
export type ReplicaSetSpec = z.infer<typeof ReplicaSetSpec>;

export const ReplicaSetStatus = z.object({
  availableReplicas: int32.optional(),
  conditions: keyed(ReplicaSetCondition, "type").optional(),
  fullyLabeledReplicas: int32.optional(),
  observedGeneration: int64.optional(),
  readyReplicas: int32.optional(),
  replicas: int32,
  terminatingReplicas: int32.optional(),
});
export type ReplicaSetStatus = z.infer<typeof ReplicaSetStatus>;

export const StatefulSetCondition = z.object({
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type StatefulSetCondition = z.infer<typeof StatefulSetCondition>;

export const StatefulSetOrdinals = z.object({
  start: int32.optional(),
});
export type StatefulSetOrdinals = z.infer<typeof StatefulSetOrdinals>;

export const StatefulSetPersistentVolumeClaimRetentionPolicy = z.object({
  whenDeleted: text.optional(),
  whenScaled: text.optional(),
});
export type StatefulSetPersistentVolumeClaimRetentionPolicy = z.infer<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
>;

export const RollingUpdateStatefulSetStrategy = z.object({
  maxUnavailable: intOrString.optional(),
  partition: int32.optional(),
});
export type RollingUpdateStatefulSetStrategy = z.infer<typeof RollingUpdateStatefulSetStrategy>;

export const StatefulSetUpdateStrategy = z.object({
  rollingUpdate: RollingUpdateStatefulSetStrategy.optional(),
  type: oneOf("OnDelete", "RollingUpdate").optional(),
});
export type StatefulSetUpdateStrategy = z.infer<typeof StatefulSetUpdateStrategy>;

/** A whole claim: unlike in a pod, it carries its type and may carry a status. */
const ClaimTemplate = z.object({
  ...PersistentVolumeClaimTemplate.shape,
  apiVersion: text.optional(),
  kind: text.optional(),
  metadata: objectMeta.optional(),
  spec: PersistentVolumeClaimTemplate.shape.spec.optional(),
  status: PersistentVolumeClaimStatus.optional(),
});

export const StatefulSetSpec = z.object({
  minReadySeconds: int32.optional(),
  ordinals: StatefulSetOrdinals.optional(),
  persistentVolumeClaimRetentionPolicy: StatefulSetPersistentVolumeClaimRetentionPolicy.optional(),
  podManagementPolicy: oneOf("OrderedReady", "Parallel").optional(),
  replicas: int32.optional(),
  revisionHistoryLimit: int32.optional(),
  selector: LabelSelector,
  serviceName: text.optional(),
  template: PodTemplateSpec,
  updateStrategy: StatefulSetUpdateStrategy.optional(),
  volumeClaimTemplates: atomic(ClaimTemplate).optional(),
});
export type StatefulSetSpec = z.infer<typeof StatefulSetSpec>;

export const StatefulSetStatus = z.object({
  availableReplicas: int32.optional(),
  collisionCount: int32.optional(),
  conditions: keyed(StatefulSetCondition, "type").optional(),
  currentReplicas: int32.optional(),
  currentRevision: text.optional(),
  observedGeneration: int64.optional(),
  readyReplicas: int32.optional(),
  replicas: int32,
  updateRevision: text.optional(),
  updatedReplicas: int32.optional(),
});
export type StatefulSetStatus = z.infer<typeof StatefulSetStatus>;

export const DaemonSetCondition = z.object({
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type DaemonSetCondition = z.infer<typeof DaemonSetCondition>;

export const RollingUpdateDaemonSet = z.object({
  maxSurge: intOrString.optional(),
  maxUnavailable: intOrString.optional(),
});
export type RollingUpdateDaemonSet = z.infer<typeof RollingUpdateDaemonSet>;

export const DaemonSetUpdateStrategy = z.object({
  rollingUpdate: RollingUpdateDaemonSet.optional(),
  type: oneOf("OnDelete", "RollingUpdate").optional(),
});
export type DaemonSetUpdateStrategy = z.infer<typeof DaemonSetUpdateStrategy>;

export const DaemonSetSpec = z.object({
  minReadySeconds: int32.optional(),
  revisionHistoryLimit: int32.optional(),
  selector: LabelSelector,
  template: PodTemplateSpec,
  updateStrategy: DaemonSetUpdateStrategy.optional(),
});
export type DaemonSetSpec = z.infer<typeof DaemonSetSpec>;

export const DaemonSetStatus = z.object({
  collisionCount: int32.optional(),
  conditions: keyed(DaemonSetCondition, "type").optional(),
  currentNumberScheduled: int32,
  desiredNumberScheduled: int32,
  numberAvailable: int32.optional(),
  numberMisscheduled: int32,
  numberReady: int32,
  numberUnavailable: int32.optional(),
  observedGeneration: int64.optional(),
  updatedNumberScheduled: int32.optional(),
});
export type DaemonSetStatus = z.infer<typeof DaemonSetStatus>;
