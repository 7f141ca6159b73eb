export { CAPABILITIES, CAPABILITY_SETS, GATED_CAPABILITIES } from "./capability.ts";
export { ClusterOperator, type ClusterOperatorConditionType } from "./cluster-operator.ts";
export { ClusterVersion } from "./cluster-version.ts";
export type {
  ClusterVersionConditionType,
  ClusterVersionStatus,
  HistoryEntry,
} from "./cluster-version-status.ts";
export type { ConditionalUpdate } from "./conditional-update.ts";
export { FeatureGate } from "./feature-gate.ts";
export { ProxyConfig } from "./proxy-config.ts";
