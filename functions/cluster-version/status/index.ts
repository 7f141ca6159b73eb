/**
 * A library for operators that report their status as a ClusterOperator: pure functions over plain JSON.
 *
 * @module reveille/status
 */
export * from "../../../shared/kube/conditions.ts";
export { type Aggregate, type AggregatedType, aggregate, joinReasons } from "./aggregate.ts";
export {
  atVersion,
  type ClusterVersionLike,
  clusterVersionDone,
  done,
  type OperatorLike,
} from "./done.ts";
export { StatusError } from "./errors.ts";
export { lint, type StatusFinding } from "./lint.ts";
export {
  type ManagementState,
  managementStateOf,
  unmanagedReport,
  upgradeableWithOverrides,
} from "./management.ts";
export {
  type OperandVersion,
  type OperatorReport,
  type OperatorStatus,
  type RelatedObject,
  setVersion,
} from "./operator-status.ts";
export { report } from "./report.ts";
export { refuseSecrets, type SecretFinding, secretsIn } from "./secrets.ts";
export { missing, parseWant, type Want, type Watched } from "./wants.ts";
export { isConflict, type Reported, type StatusEndpoint, type Written, writeStatus } from "./write.ts";
