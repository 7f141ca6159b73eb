export { buildGraph, workersOf } from "./build.ts";
export type { Progress, Runnable, TaskGraph, TaskNode } from "./graph.ts";
export { incompleteText, isComplete, type NodeState, nodeStates, runnable } from "./schedule.ts";
export { isJob, type Mode, objectLabel, type Task, taskLabel, tasksOf } from "./task.ts";
