import * as z from "zod";
import { ResourceRequirements } from "./resources.ts";
import {
  atomic,
  flag,
  int32,
  int64,
  keyed,
  keyedRetaining,
  mapOf,
  oneOf,
  quantity,
  setOf,
  text,
  time,
} from "./words.ts";

export const PodCondition = z.object({
  lastProbeTime: time.optional(),
  lastTransitionTime: time.optional(),
  message: text.optional(),
  observedGeneration: int64.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type PodCondition = z.infer<typeof PodCondition>;

export const ContainerStateRunning = z.object({
  startedAt: time.optional(),
});
export type ContainerStateRunning = z.infer<typeof ContainerStateRunning>;

export const ContainerStateTerminated = z.object({
  containerID: text.optional(),
  exitCode: int32,
  finishedAt: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  signal: int32.optional(),
  startedAt: time.optional(),
});
export type ContainerStateTerminated = z.infer<typeof ContainerStateTerminated>;

export const ContainerStateWaiting = z.object({
  message: text.optional(),
  reason: text.optional(),
});
export type ContainerStateWaiting = z.infer<typeof ContainerStateWaiting>;

export const ContainerState = z.object({
  running: ContainerStateRunning.optional(),
  terminated: ContainerStateTerminated.optional(),
  waiting: ContainerStateWaiting.optional(),
});
export type ContainerState = z.infer<typeof ContainerState>;

export const LinuxContainerUser = z.object({
  gid: int64,
  supplementalGroups: atomic(int64).optional(),
  uid: int64,
});
export type LinuxContainerUser = z.infer<typeof LinuxContainerUser>;

export const ContainerUser = z.object({
  linux: LinuxContainerUser.optional(),
});
export type ContainerUser = z.infer<typeof ContainerUser>;

export const ResourceHealth = z.object({
  health: text.optional(),
  message: text.optional(),
  resourceID: text,
});
export type ResourceHealth = z.infer<typeof ResourceHealth>;

export const ResourceStatus = z.object({
  name: text,
  resources: keyed(ResourceHealth, "resourceID").optional(),
});
export type ResourceStatus = z.infer<typeof ResourceStatus>;

export const ImageVolumeStatus = z.object({
  imageRef: text,
});
export type ImageVolumeStatus = z.infer<typeof ImageVolumeStatus>;

export const VolumeStatus = z.object({
  image: ImageVolumeStatus.optional(),
});
export type VolumeStatus = z.infer<typeof VolumeStatus>;

export const VolumeMountStatus = z.object({
  mountPath: text,
  name: text,
  readOnly: flag.optional(),
  recursiveReadOnly: text.optional(),
  volumeStatus: VolumeStatus.optional(),
});
export type VolumeMountStatus = z.infer<typeof VolumeMountStatus>;

export const ContainerStatus = z.object({
  allocatedResources: mapOf(quantity).optional(),
  allocatedResourcesStatus: keyed(ResourceStatus, "name").optional(),
  containerID: text.optional(),
  image: text,
  imageID: text,
  lastState: ContainerState.optional(),
  name: text,
  ready: flag,
  resources: ResourceRequirements.optional(),
  restartCount: int32,
  started: flag.optional(),
  state: ContainerState.optional(),
  stopSignal: text.optional(),
  user: ContainerUser.optional(),
  volumeMounts: keyed(VolumeMountStatus, "mountPath").optional(),
});
export type ContainerStatus = z.infer<typeof ContainerStatus>;

export const HostIP = z.object({
  ip: text,
});
export type HostIP = z.infer<typeof HostIP>;

export const PodIP = z.object({
  ip: text,
});
export type PodIP = z.infer<typeof PodIP>;

export const PodResourceClaimStatus = z.object({
  name: text,
  resourceClaimName: text.optional(),
});
export type PodResourceClaimStatus = z.infer<typeof PodResourceClaimStatus>;

export const ContainerExtendedResourceRequest = z.object({
  containerName: text,
  requestName: text,
  resourceName: text,
});
export type ContainerExtendedResourceRequest = z.infer<typeof ContainerExtendedResourceRequest>;

export const PodExtendedResourceClaimStatus = z.object({
  requestMappings: atomic(ContainerExtendedResourceRequest),
  resourceClaimName: text,
});
export type PodExtendedResourceClaimStatus = z.infer<typeof PodExtendedResourceClaimStatus>;

export const NodeAllocatableResourceClaimStatus = z.object({
  containers: setOf(text).optional(),
  resourceClaimName: text,
  resources: mapOf(quantity),
});
export type NodeAllocatableResourceClaimStatus = z.infer<typeof NodeAllocatableResourceClaimStatus>;

export const PodStatus = z.object({
  allocatedResources: mapOf(quantity).optional(),
  conditions: keyed(PodCondition, "type").optional(),
  containerStatuses: atomic(ContainerStatus).optional(),
  ephemeralContainerStatuses: atomic(ContainerStatus).optional(),
  extendedResourceClaimStatus: PodExtendedResourceClaimStatus.optional(),
  hostIP: text.optional(),
  hostIPs: atomic(HostIP)
    .meta({ "x-kubernetes-patch-merge-key": "ip", "x-kubernetes-patch-strategy": "merge" })
    .optional(),
  initContainerStatuses: atomic(ContainerStatus).optional(),
  message: text.optional(),
  nodeAllocatableResourceClaimStatuses: atomic(NodeAllocatableResourceClaimStatus).optional(),
  nominatedNodeName: text.optional(),
  observedGeneration: int64.optional(),
  phase: oneOf("Failed", "Pending", "Running", "Succeeded", "Unknown").optional(),
  podIP: text.optional(),
  podIPs: keyed(PodIP, "ip").optional(),
  qosClass: oneOf("BestEffort", "Burstable", "Guaranteed").optional(),
  reason: text.optional(),
  resize: text.optional(),
  resourceClaimStatuses: keyedRetaining(PodResourceClaimStatus, "name").optional(),
  resources: ResourceRequirements.optional(),
  startTime: time.optional(),
});
export type PodStatus = z.infer<typeof PodStatus>;
