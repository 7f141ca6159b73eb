export { ClusterAddon, ClusterStack, ClusterStackRelease } from "./kinds/index.ts";
export { clusterStacks } from "./system.ts";
