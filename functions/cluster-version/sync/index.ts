export { type GateFinding, gate } from "./gate.ts";
export { type Applied, historyWith, modeOf } from "./history.ts";
export { failedInterval, reconcileInterval, retryOf } from "./intervals.ts";
export { type PassReport, progressConditions, type Verdict } from "./progress.ts";
export { summarise } from "./summary.ts";
export { phraseOf, refusedTask, type UpdateEffect, type UpdateError } from "./update-error.ts";
export { readWork, WORK_RECORD, type WorkRecord } from "./work-record.ts";
