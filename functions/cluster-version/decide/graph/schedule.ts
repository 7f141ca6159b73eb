import type { Progress, Runnable, TaskGraph, TaskNode } from "./graph.ts";
import { type Task, taskLabel } from "./task.ts";

/**
 * `blocked`: a node before it is not done. `ready`: it may be worked on. `failed`: one of its tasks failed in this pass, and what
 * comes after waits.
 */
export type NodeState = "blocked" | "ready" | "running" | "failed" | "done";

/** The remaining tasks of a node, in order. */
const left = ({ tasks }: TaskNode, done: ReadonlySet<number>): readonly Task[] =>
  tasks.filter(({ index }) => !done.has(index));

/** Each node's state, by position. */
export function nodeStates(graph: TaskGraph, progress: Progress): readonly NodeState[] {
  const states = new Map<number, NodeState>();
  const isOver = (position: number): boolean => states.get(position) === "done";
  const stateOf = (node: TaskNode, position: number): NodeState => {
    if (!node.in.every(isOver)) return "blocked";
    if (progress.running?.has(position)) return "running";
    const tasks = left(node, progress.done);
    if (tasks.some(({ index }) => progress.failed.has(index))) return "failed";
    return tasks.length === 0 ? "done" : "ready";
  };
  // Prerequisites may lie behind their dependants in the list, so nodes are visited as their last prerequisite is settled.
  const waiting = graph.nodes.map((node) => node.in.length);
  const open = graph.nodes.flatMap((node, position) => (node.in.length === 0 ? [position] : []));
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    const node = graph.nodes[position];
    if (node === undefined) continue;
    states.set(position, stateOf(node, position));
    for (const next of node.out) {
      const count = (waiting[next] ?? 0) - 1;
      waiting[next] = count;
      if (count === 0) open.push(next);
    }
  }
  return graph.nodes.map((_, position) => states.get(position) ?? "blocked");
}

/** The nodes to start now, in the order of the graph, as many as there are free workers. */
export function runnable(graph: TaskGraph, progress: Progress, workers: number): readonly Runnable[] {
  const states = nodeStates(graph, progress);
  const free = Math.max(0, workers - states.filter((state) => state === "running").length);
  return graph.nodes
    .flatMap((node, position) =>
      states[position] === "ready" ? [{ node: position, tasks: left(node, progress.done) }] : [],
    )
    .slice(0, free);
}

/** True where every task of the graph is done. */
export const isComplete = (graph: TaskGraph, { done }: Progress): boolean =>
  graph.nodes.every((node) => left(node, done).length === 0);

/** The message of a pass that was stopped before anything failed; undefined where no work is left or something failed. */
export function incompleteText(graph: TaskGraph, progress: Progress): string | undefined {
  const states = nodeStates(graph, progress);
  if (states.includes("failed")) return undefined;
  const incomplete = graph.nodes.filter((_, position) => states[position] !== "done");
  const first = incomplete.flatMap((node) => left(node, progress.done))[0];
  return first === undefined
    ? undefined
    : `${incomplete.length} incomplete task nodes, beginning with ${taskLabel(first)}`;
}
