import type { Mode, Task } from "../decide/graph/index.ts";
import type { Inclusion } from "../decide/payload/index.ts";
import { gateStep, isGate, type WorkRecord } from "../decide/sync/index.ts";
import type { Operator } from "./read.ts";

/**
 * `waiting`: for an operator that is merely not there yet. `failing`: it was tried and refused, or its operator is broken. `next`: it
 * may be applied now. `excluded`: this cluster does not want it now.
 */
export type PlanState = "done" | "waiting" | "failing" | "next" | "pending" | "excluded";

/** The state of all tasks of a plan, as far as it is known. */
export interface Standing {
  readonly done: ReadonlySet<number>;
  /** The tasks that the cluster does not want, with the reason. */
  readonly unwanted: ReadonlyMap<number, string>;
  readonly failures: ReadonlyMap<number, WorkRecord["failures"][number]>;
  /** The time since which each ClusterOperator has been waited for. */
  readonly waiting: Readonly<Record<string, string>>;
  readonly mode: Mode;
  readonly cluster: PlannedCluster | undefined;
}

/** The cluster that a payload is applied to. */
export interface PlannedCluster {
  readonly operators: readonly Operator[];
  /** The present choice of the payload's manifests: overrides and capabilities change without another payload. */
  readonly inclusion: Inclusion;
  readonly blockOnDegraded: boolean;
  /** The present time, in milliseconds. */
  readonly now: number;
}

/** The state of one task. */
export interface Stands {
  readonly state: PlanState;
  /** The time since which its operator has been waited for. */
  readonly since?: string;
  readonly why?: string;
}

/** The state of a task. `mayRun`: all that it depends on is done. */
export function standingOf(task: Task, mayRun: boolean, standing: Standing): Stands {
  const unwanted = standing.unwanted.get(task.index);
  if (unwanted !== undefined) return { state: "excluded", why: unwanted };
  if (standing.done.has(task.index)) return { state: "done" };
  if (!mayRun) return { state: "pending" };
  if (isGate(task)) return gateStands(task, standing);
  const failure = standing.failures.get(task.index);
  if (failure === undefined) return { state: "next" };
  const { effect, message } = failure.error;
  const why = failure.detail === undefined ? message : `${message}: ${failure.detail}`;
  return { state: effect === "None" || effect === "FailAfterInterval" ? "waiting" : "failing", why };
}

/** The time for which a degraded operator is waited for before the update counts as failed, in milliseconds. */
const DEGRADED = 40 * 60_000;

/** A gate is no object that could fail: since when it has been looked at says the record, why it is closed its operator. */
function gateStands(task: Task, { waiting, mode, cluster }: Standing): Stands {
  const { name } = task.manifest;
  const since = waiting[name];
  if (since === undefined) return { state: "next" };
  if (cluster === undefined)
    return { state: "waiting", since, why: `Cluster operator ${name} is waited for` };
  const board = new Map(cluster.operators.map((operator) => [operator.metadata.name, operator]));
  const { finding } = gateStep(task, board, { mode, blockOnDegraded: cluster.blockOnDegraded });
  if (finding === "missing")
    return { state: "waiting", since, why: `Cluster operator ${name} does not exist` };
  // It has just opened: the next pass sees it.
  if (finding.passes || finding.error === undefined) return { state: "next", since };
  const { effect, message, reason } = finding.error;
  const words = ownWords(board.get(name)?.status?.conditions, reason);
  const failing =
    mode !== "Initializing" &&
    (effect === "Fail" || (effect === "FailAfterInterval" && cluster.now - Date.parse(since) > DEGRADED));
  return {
    state: failing ? "failing" : "waiting",
    since,
    why: words === undefined ? message : `${message}: ${words}`,
  };
}

const ABOUT: Readonly<Record<string, string>> = {
  ClusterOperatorDegraded: "Degraded",
  ClusterOperatorNotAvailable: "Available",
  ClusterOperatorUpdating: "Progressing",
};

/** The operator's own words about it. */
function ownWords(
  conditions: readonly { readonly type: string; readonly message?: string | undefined }[] | undefined,
  reason: string,
): string | undefined {
  const message = conditions?.find(({ type }) => type === ABOUT[reason])?.message;
  return message === "" ? undefined : message;
}
