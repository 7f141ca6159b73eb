export type { Progress, Runnable, TaskGraph, TaskNode } from "./graph.ts";
export type { Mode, Task } from "./task.ts";
