export { isCreateOnly, wantsProxy } from "./annotations.ts";
export { type DeleteMark, type DeleteRecord, type Deletion, deleteMark, deletionOf } from "./deletion.ts";
export { healthOf } from "./health.ts";
export { merge } from "./merge.ts";
export type { ApplyContext, ApplyFault, ClusterProxy, Health, Write } from "./verdict.ts";
