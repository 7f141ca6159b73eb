export { addonFaults } from "./addon.ts";
export { admitCluster, type ClusterAnswer, type ClusterWish } from "./cluster.ts";
export { stackFaults } from "./stack.ts";
