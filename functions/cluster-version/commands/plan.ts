import {
  buildGraph,
  type Mode,
  nodeStates,
  objectLabel,
  type TaskGraph,
  type TaskNode,
  tasksOf,
} from "../decide/graph/index.ts";
import { exclusionOf, type Payload } from "../decide/payload/index.ts";
import type { WorkRecord } from "../decide/sync/index.ts";
import { type PlannedCluster, type PlanState, type Standing, type Stands, standingOf } from "./plan-state.ts";

export type { PlannedCluster, PlanState } from "./plan-state.ts";

/** One object of the payload. */
export interface PlannedTask extends Stands {
  readonly index: number;
  /** `configmap "demo/settings"`. */
  readonly task: string;
}

/** One line of a plan: its tasks are applied one after the other, and together with the other lines of its step. */
export interface PlanLine {
  /** Lines of one step may run at the same time; none starts before those that it waits for. */
  readonly step: number;
  /** The levels of its files; empty where they are named otherwise. */
  readonly levels: readonly string[];
  readonly components: readonly string[];
  readonly state: PlanState;
  readonly done: number;
  readonly tasks: readonly PlannedTask[];
  readonly since?: string;
  readonly why?: string;
}

/** The plan of a payload, and its progress. */
export interface Plan {
  readonly version: string;
  readonly image: string;
  readonly mode: Mode;
  readonly total: number;
  readonly done: number;
  readonly lines: readonly PlanLine[];
  /** The tasks that the payload brings and this cluster does not want, with the reason. */
  readonly excluded: readonly { readonly task: string; readonly why: string }[];
}

/** The progress of the work: its record, or `all` where the payload was applied whole. */
export type PlannedWork = WorkRecord | "all" | undefined;

/**
 * The plan of a payload. While reconciling it is shown in the order of an update: then the order changes with each attempt.
 *
 * @param cluster where it is applied; without one it is only known in which order it would be.
 */
export function planOf(payload: Payload, mode: Mode, work: PlannedWork, cluster?: PlannedCluster): Plan {
  const tasks = tasksOf(payload.manifests);
  const graph = buildGraph(tasks, mode === "Initializing" ? "Initializing" : "Updating");
  const record = work === "all" ? undefined : work;
  const unwanted = new Map(
    tasks.flatMap(({ index, manifest }) => {
      const why = cluster && exclusionOf(manifest, cluster.inclusion);
      return why === undefined ? [] : [[index, why] as const];
    }),
  );
  const done =
    work === "all" ? new Set(tasks.map(({ index }) => index)) : (record?.done ?? new Set<number>());
  const failures = new Map((record?.failures ?? []).map((failure) => [failure.task, failure]));
  const over = new Set([...done, ...unwanted.keys()]);
  const states = nodeStates(graph, { done: over, failed: new Set(failures.keys()) });
  const depths = depthsOf(graph);
  const standing: Standing = { done, unwanted, failures, waiting: record?.waiting ?? {}, mode, cluster };
  const lines = graph.nodes.flatMap((node, position) =>
    node.tasks.length === 0
      ? []
      : [lineOf(node, depths[position] ?? 0, states[position] === "blocked", standing)],
  );
  // Nodes that only join others have a depth and no line.
  const steps = [...new Set(lines.map(({ step }) => step))].sort((one, other) => one - other);
  return {
    version: payload.release.version,
    image: payload.release.image,
    mode,
    total: payload.manifests.length,
    done: lines.reduce((sum, line) => sum + line.done, 0),
    lines: lines
      .map((line) => ({ ...line, step: steps.indexOf(line.step) + 1 }))
      .sort((one, other) => one.step - other.step || first(one) - first(other)),
    excluded: payload.excluded.map(({ manifest, why }) => ({ task: objectLabel(manifest), why })),
  };
}

const first = ({ tasks }: PlanLine): number => tasks[0]?.index ?? 0;

function lineOf(node: TaskNode, step: number, blocked: boolean, standing: Standing): PlanLine {
  let open = !blocked;
  const tasks = node.tasks.map((task): PlannedTask => {
    const stands = standingOf(task, open, standing);
    // One after the other: behind the first that is not done, nothing of this line starts.
    if (!isOver(stands)) open = false;
    return { index: task.index, task: objectLabel(task.manifest), ...stands };
  });
  const at = tasks.find((task) => !isOver(task));
  const each = (names: readonly (string | undefined)[]): readonly string[] => [
    ...new Set(names.filter((name) => name !== undefined)),
  ];
  const rest: PlanState = tasks.every(({ state }) => state === "excluded") ? "excluded" : "done";
  return {
    step,
    levels: each(node.tasks.map(({ level }) => level)),
    components: each(node.tasks.map(({ component }) => component)),
    state: at?.state ?? rest,
    done: tasks.filter(({ state }) => state === "done").length,
    tasks,
    ...(at?.since !== undefined && { since: at.since }),
    ...(at?.why !== undefined && { why: at.why }),
  };
}

const isOver = ({ state }: Pick<PlannedTask, "state">): boolean => state === "done" || state === "excluded";

/** For each node, how many others at the most lie one after the other before it. */
function depthsOf({ nodes }: TaskGraph): readonly number[] {
  const depths = nodes.map(() => 0);
  const waiting = nodes.map((node) => node.in.length);
  const open = nodes.flatMap((node, position) => (node.in.length === 0 ? [position] : []));
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    for (const next of nodes[position]?.out ?? []) {
      depths[next] = Math.max(depths[next] ?? 0, (depths[position] ?? 0) + 1);
      waiting[next] = (waiting[next] ?? 0) - 1;
      if (waiting[next] === 0) open.push(next);
    }
  }
  return depths;
}
