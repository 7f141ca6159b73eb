import * as z from "zod";
import { atomic, flag, int32, int64, keyed, mapOf, oneOf, quantity, setOf, text, time } from "./words.ts";

export const ConfigMapNodeConfigSource = z.object({
  kubeletConfigKey: text,
  name: text,
  namespace: text,
  resourceVersion: text.optional(),
  uid: text.optional(),
});
export type ConfigMapNodeConfigSource = z.infer<typeof ConfigMapNodeConfigSource>;

export const NodeConfigSource = z.object({
  configMap: ConfigMapNodeConfigSource.optional(),
});
export type NodeConfigSource = z.infer<typeof NodeConfigSource>;

export const Taint = z.object({
  effect: oneOf("NoExecute", "NoSchedule", "PreferNoSchedule"),
  key: text,
  timeAdded: time.optional(),
  value: text.optional(),
});
export type Taint = z.infer<typeof Taint>;

export const NodeSpec = z.object({
  configSource: NodeConfigSource.optional(),
  externalID: text.optional(),
  podCIDR: text.optional(),
  podCIDRs: setOf(text).meta({ "x-kubernetes-patch-strategy": "merge" }).optional(),
  providerID: text.optional(),
  taints: atomic(Taint).optional(),
  unschedulable: flag.optional(),
});
export type NodeSpec = z.infer<typeof NodeSpec>;

export const AttachedVolume = z.object({
  devicePath: text,
  name: text,
});
export type AttachedVolume = z.infer<typeof AttachedVolume>;

export const NodeAddress = z.object({
  address: text,
  type: text,
});
export type NodeAddress = z.infer<typeof NodeAddress>;

export const NodeCondition = z.object({
  lastHeartbeatTime: time.optional(),
  lastTransitionTime: time.optional(),
  message: text.optional(),
  reason: text.optional(),
  status: text,
  type: text,
});
export type NodeCondition = z.infer<typeof NodeCondition>;

export const NodeConfigStatus = z.object({
  active: NodeConfigSource.optional(),
  assigned: NodeConfigSource.optional(),
  error: text.optional(),
  lastKnownGood: NodeConfigSource.optional(),
});
export type NodeConfigStatus = z.infer<typeof NodeConfigStatus>;

export const DaemonEndpoint = z.object({
  Port: int32,
});
export type DaemonEndpoint = z.infer<typeof DaemonEndpoint>;

export const NodeDaemonEndpoints = z.object({
  kubeletEndpoint: DaemonEndpoint.optional(),
});
export type NodeDaemonEndpoints = z.infer<typeof NodeDaemonEndpoints>;

export const NodeFeatures = z.object({
  supplementalGroupsPolicy: flag.optional(),
});
export type NodeFeatures = z.infer<typeof NodeFeatures>;

export const ContainerImage = z.object({
  names: atomic(text).optional(),
  sizeBytes: int64.optional(),
});
export type ContainerImage = z.infer<typeof ContainerImage>;

export const NodeSwapStatus = z.object({
  capacity: int64.optional(),
});
export type NodeSwapStatus = z.infer<typeof NodeSwapStatus>;

export const NodeSystemInfo = z.object({
  architecture: text,
  bootID: text,
  containerRuntimeVersion: text,
  kernelVersion: text,
  kubeProxyVersion: text,
  kubeletVersion: text,
  machineID: text,
  operatingSystem: text,
  osImage: text,
  swap: NodeSwapStatus.optional(),
  systemUUID: text,
});
export type NodeSystemInfo = z.infer<typeof NodeSystemInfo>;

export const NodeRuntimeHandlerFeatures = z.object({
  recursiveReadOnlyMounts: flag.optional(),
  userNamespaces: flag.optional(),
});
export type NodeRuntimeHandlerFeatures = z.infer<typeof NodeRuntimeHandlerFeatures>;

export const NodeRuntimeHandler = z.object({
  features: NodeRuntimeHandlerFeatures.optional(),
  name: text.optional(),
});
export type NodeRuntimeHandler = z.infer<typeof NodeRuntimeHandler>;

export const NodeStatus = z.object({
  addresses: keyed(NodeAddress, "type").optional(),
  allocatable: mapOf(quantity).optional(),
  capacity: mapOf(quantity).optional(),
  conditions: keyed(NodeCondition, "type").optional(),
  config: NodeConfigStatus.optional(),
  daemonEndpoints: NodeDaemonEndpoints.optional(),
  declaredFeatures: atomic(text).optional(),
  features: NodeFeatures.optional(),
  images: atomic(ContainerImage).optional(),
  nodeInfo: NodeSystemInfo.optional(),
  phase: oneOf("Pending", "Running", "Terminated").optional(),
  runtimeHandlers: atomic(NodeRuntimeHandler).optional(),
  volumesAttached: atomic(AttachedVolume).optional(),
  volumesInUse: atomic(text).optional(),
});
export type NodeStatus = z.infer<typeof NodeStatus>;
