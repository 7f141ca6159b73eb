export { ClusterPlatform } from "./cluster-platform.ts";
export type { Condition } from "./condition.ts";
export type { ServiceRefs } from "./destination.ts";
export type { Postgresql } from "./persistence.ts";
export { Platform } from "./platform.ts";
export type { PodTemplate } from "./pod-template.ts";
export { Workflow } from "./workflow.ts";
