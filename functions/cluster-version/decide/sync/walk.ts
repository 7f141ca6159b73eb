import { deleteMark } from "../apply/index.ts";
import { type Mode, runnable, type Task, type TaskGraph } from "../graph/index.ts";
import type { GateFinding } from "./gate.ts";
import { isWaitedFor, isWrite, type Step } from "./step.ts";

/** The step of a gate. `missing`: its ClusterOperator is not there yet. */
export type GateStep = { readonly step: "gate"; readonly finding: GateFinding | "missing" };
export type AnyStep = Step | GateStep;

/** The remaining tasks of one node, as far as this pass can go: finished ones are left out. */
export interface Chain {
  readonly node: number;
  readonly steps: readonly { readonly task: Task; readonly step: AnyStep }[];
  /** The node's ClusterOperators that are made first. */
  readonly operators: readonly Task[];
}

/** The steps that a pass can take on present knowledge. */
export interface Walk {
  readonly chains: readonly Chain[];
  /** Found to be as they shall be, beside those that were done before. */
  readonly done: ReadonlySet<number>;
  /** The tasks whose objects have to be read to know more. */
  readonly wanted: readonly Task[];
  readonly writes: number;
}

/** The start of a walk. */
export interface Start {
  readonly graph: TaskGraph;
  readonly mode: Mode;
  /** Tasks that are done, or not wanted here. */
  readonly done: ReadonlySet<number>;
  /** Tasks that failed before: their nodes go no further until they are done. */
  readonly failed: ReadonlySet<number>;
}

/** The number of tasks of one node that are read ahead. */
const AHEAD = 32;

/**
 * Goes through the graph on what is known of its tasks, as if everything that is already so had just been done. A gate that comes after a
 * write of its own node is left to the next pass: what it tells is older than the write.
 */
export function walk(start: Start, known: (task: Task) => AnyStep | undefined): Walk {
  const done = new Set<number>();
  const all = new Set(start.done);
  for (;;) {
    const before = done.size;
    const chains: Chain[] = [];
    const wanted: Task[] = [];
    for (const { node, tasks } of runnable(
      start.graph,
      { done: all, failed: new Set() },
      Number.POSITIVE_INFINITY,
    )) {
      const end = along(tasks, start, known);
      for (const index of end.done) {
        done.add(index);
        all.add(index);
      }
      wanted.push(...end.wanted);
      if (end.steps.length > 0) chains.push({ node, steps: end.steps, operators: tasks.filter(isGate) });
    }
    // What turned out to be done may open further nodes.
    if (done.size === before) {
      const writes = chains
        .flatMap(({ steps }) => steps)
        .filter(({ step }) => step.step !== "gate" && isWrite(step));
      return { chains, done, wanted, writes: writes.length };
    }
  }
}

function along(
  tasks: readonly Task[],
  { mode, failed }: Start,
  known: (task: Task) => AnyStep | undefined,
): { readonly steps: Chain["steps"]; readonly done: readonly number[]; readonly wanted: readonly Task[] } {
  const steps: { readonly task: Task; readonly step: AnyStep }[] = [];
  const done: number[] = [];
  for (const [at, task] of tasks.entries()) {
    const step = known(task);
    if (step === undefined) {
      // While a cluster is being installed nothing is read, so nothing that is written makes it old.
      const reads = steps.length === 0 || mode === "Initializing";
      return { steps, done, wanted: reads ? ahead(tasks.slice(at), mode) : [] };
    }
    if (step.step === "gate") {
      if (steps.length > 0) break;
      if (step.finding === "missing" || !step.finding.passes) {
        steps.push({ task, step });
        break;
      }
      done.push(task.index);
    } else if (step.step === "done") {
      // Behind a write it is read anew once that is done.
      if (steps.length === 0) done.push(task.index);
      else steps.push({ task, step });
    } else {
      steps.push({ task, step });
      if (step.step === "wait" || step.step === "fail" || failed.has(task.index)) break;
      if (mode !== "Initializing" && isWaitedFor(task)) break;
    }
  }
  return { steps, done, wanted: [] };
}

/** Read together: up to the first task that may stop the node. */
function ahead(tasks: readonly Task[], mode: Mode): readonly Task[] {
  const stop = tasks.findIndex((task) => isGate(task) || (mode !== "Initializing" && isWaitedFor(task)));
  return tasks
    .slice(0, Math.min(AHEAD, stop < 0 ? AHEAD : Math.max(1, stop + 1)))
    .filter((task) => !isGate(task));
}

/**
 * True where a task waits for a ClusterOperator rather than applying an object. One that is to be deleted is an object like any
 * other.
 */
export const isGate = ({ manifest: { group, kind, object } }: Task): boolean =>
  group === "config.openshift.io" && kind === "ClusterOperator" && deleteMark(object) === undefined;
