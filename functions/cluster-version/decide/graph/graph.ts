import type { Task } from "./task.ts";

/** Tasks that run one after the other, and the nodes before and after them. A node without tasks only joins others. */
export interface TaskNode {
  /** Positions of the nodes that must be done first. */
  readonly in: readonly number[];
  readonly tasks: readonly Task[];
  readonly out: readonly number[];
}

/** The order in which a payload is applied. */
export interface TaskGraph {
  readonly nodes: readonly TaskNode[];
}

/** The progress of one pass over a graph. Tasks are named by their index. */
export interface Progress {
  readonly done: ReadonlySet<number>;
  /** Tried in this pass, without success: their nodes stop there. */
  readonly failed: ReadonlySet<number>;
  /** Nodes (by position) that somebody works on now. Empty where each pass waits for its own work. */
  readonly running?: ReadonlySet<number>;
}

/** A node that may be worked on now: what is left of it, in order. */
export interface Runnable {
  readonly node: number;
  readonly tasks: readonly Task[];
}
