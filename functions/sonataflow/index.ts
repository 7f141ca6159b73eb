export { ClusterPlatform, Platform, Workflow } from "./kinds/index.ts";
export { sonataflow } from "./system.ts";
