export { CAPABILITIES, CAPABILITY_SETS, GATED_CAPABILITIES } from "./capability.ts";
export { ClusterOperator, type ClusterOperatorConditionType } from "./cluster-operator.ts";
export { ClusterVersion } from "./cluster-version.ts";
export type { ClusterVersionSpec } from "./cluster-version-spec.ts";
export type {
  ClusterVersionConditionType,
  ClusterVersionStatus,
  HistoryEntry,
} from "./cluster-version-status.ts";
export type { ConditionalUpdate, Risk } from "./conditional-update.ts";
export { FeatureGate } from "./feature-gate.ts";
export { ProxyConfig } from "./proxy-config.ts";
export type { Release } from "./release.ts";
