export { Cluster, ClusterClass } from "./cluster.ts";
export {
  type AddonConditionType,
  type AddonStatus,
  type AddonTarget,
  addonName,
  ClusterAddon,
  type StagePhase,
  type StageStatus,
} from "./cluster-addon.ts";
export {
  ClusterStack,
  type ClusterStackConditionType,
  type ClusterStackSpec,
  type ReleaseSummary,
  type StackListing,
} from "./cluster-stack.ts";
export {
  ClusterStackRelease,
  type ReleaseConditionType,
  type ReleaseStatus,
} from "./cluster-stack-release.ts";
export type { Condition, Severity } from "./condition.ts";
export type { ObjectReference } from "./object-reference.ts";
export { isPaused, isPausedCluster } from "./paused.ts";
export { CHART_MANAGERS, PREDECESSOR_MANAGERS, PREDECESSORS } from "./predecessor.ts";
export type { Resource } from "./resource.ts";
export { ClassObject, ProviderObject, SourceSecret } from "./slots.ts";
export { STACK_LABEL, stackLabel } from "./stack-label.ts";
export { FILTER_LABEL } from "./watch-filter.ts";
export { ClusterObject, WorkloadObject, workloads } from "./workload.ts";
