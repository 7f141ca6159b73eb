export { childVersion } from "./child-version.ts";
export { lookAtDue } from "./due.ts";
export { type Look, look, type SeenTask } from "./look.ts";
export type { RunningTask } from "./parts.ts";
export { pass, type World } from "./pass.ts";
export { type Planned, type PlannedObject, type PlannedRun, plannedObjects } from "./planned.ts";
export { originOf, type Prepared, prepare } from "./prepare.ts";
export { runTask } from "./run.ts";
export type { TaskRun } from "./task-run.ts";
