export { ClusterOperator, ClusterVersion } from "./kinds/index.ts";
export { clusterVersionSystem } from "./system.ts";
