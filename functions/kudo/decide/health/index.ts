export { childVerdict } from "./child.ts";
export { type Live, type Verdict, verdictOn } from "./health.ts";
export { readinessOf } from "./readiness.ts";
export { workloadsOf } from "./workloads.ts";
