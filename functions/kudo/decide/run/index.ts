export { type Advance, advance, type Progress } from "./advance.ts";
export { nextRetry } from "./backoff.ts";
export type { DueStep, Fatal, FatalReason, Reports, TaskPlace, TaskReport } from "./report.ts";
export { entriesOf, phasesOf, tasksOf } from "./skeleton.ts";
export { type End, type Given, type Turn, turn } from "./turn.ts";
