import { type Time, timeOf } from "../../../../shared/function/index.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { type DeleteRecord, healthOf } from "../apply/index.ts";
import { isComplete, type Task, taskLabel } from "../graph/index.ts";

import { retryOf } from "./intervals.ts";
import type { Look } from "./look.ts";
import { waitingWith } from "./operator-timers.ts";
import { deletionKey, healthStep, isWrite, type Step } from "./step.ts";
import { summarise } from "./summary.ts";
import { refusedTask, type UpdateError } from "./update-error.ts";
import { type Chain, type GateStep, isGate } from "./walk.ts";
import type { SyncWork } from "./work.ts";
import { type FailedTask, freshWork, type WorkRecord } from "./work-record.ts";

/** The result of a write. */
export type WriteResult =
  | { readonly state: "done"; readonly live: KubeObject | undefined; readonly changed: boolean }
  | {
      readonly state: "failed";
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly status?: number | undefined;
      };
    }
  | { readonly state: "not run" };

/** One pass over the work: what was found, and when. */
export interface Turn {
  readonly work: SyncWork;
  readonly look: Look;
  /** Fingerprint of what gates see of the board now. */
  readonly board: string;
  readonly now: Time;
}

/** The result of a pass. */
export interface TurnEnd {
  readonly record: WorkRecord;
  readonly failure: UpdateError | undefined;
  readonly done: number;
  readonly total: number;
  /** Every task is done. */
  readonly complete: boolean;
  /** ClusterOperators whose gates hold it up. */
  readonly blocked: readonly UpdateError[];
  /** The failures that are new, with all that is known of them. */
  readonly news: readonly News[];
}
export interface News {
  readonly reason: string;
  readonly message: string;
}

/** A task that failed is tried again at its time, and at once where the board has changed. */
const isDue = ({ work: { record }, board, now }: Turn, failed: FailedTask | undefined): boolean =>
  failed === undefined || failed.next <= now || record.board !== board;

const failedBefore = ({ work: { record } }: Turn, { index }: Task): FailedTask | undefined =>
  record.failures.find(({ task }) => task === index);

/** The steps of a chain that are taken in this turn: none beyond a task whose time has not come. */
export function takenSteps(turn: Turn, chain: Chain): Chain["steps"] {
  const stop = chain.steps.findIndex(
    ({ task, step }) =>
      step.step !== "gate" && step.step !== "done" && !isDue(turn, failedBefore(turn, task)),
  );
  return stop < 0 ? chain.steps : chain.steps.slice(0, stop);
}

/** The result of the turn, once its writes have ended. `resultOf` is asked for tasks that wrote, `made` for missing operators. */
export function turnEnd(
  turn: Turn,
  resultOf: (task: Task) => WriteResult,
  made: (task: Task) => WriteResult,
  gateOf: (task: Task) => GateStep,
): TurnEnd {
  const { work, look, now } = turn;
  const done = new Set([...work.record.done, ...look.done]);
  const failures = new Map(work.record.failures.map((failed) => [failed.task, failed] as const));
  const deletions: Record<string, DeleteRecord> = { ...work.record.deletions };
  const blocked: UpdateError[] = [];
  const waitsFor: string[] = [];
  const news: News[] = [];
  for (const task of work.tasks) {
    const step = look.steps.get(task.index);
    if (step?.step === "done" && step.deletion !== undefined) deletions[deletionKey(task)] = step.deletion;
  }
  for (const chain of look.chains) {
    for (const { task, step } of takenSteps(turn, chain)) {
      if (step.step === "gate") {
        waitsFor.push(task.manifest.name);
        const error = gateBlock(task, step, made);
        if (error !== undefined) blocked.push(error);
        break;
      }
      const end = isWrite(step) ? endOfWrite(task, step, work.mode, resultOf(task)) : step;
      if (end === undefined) break;
      if (end.step === "done") {
        done.add(task.index);
        if (step.step === "delete") deletions[deletionKey(task)] = step.deletion;
        continue;
      }
      failures.set(task.index, failedAgain(turn, task, end));
      if (end.step === "fail" && failedBefore(turn, task) === undefined) news.push(newsOf(end));
      // Nothing has failed: what is there already is only looked at.
      if (!isThere(end)) break;
    }
  }
  for (const index of done) failures.delete(index);
  const complete = isComplete(work.graph, { done: new Set([...done, ...work.excluded]), failed: new Set() });
  const gates = work.tasks.filter((task) => isGate(task) && !work.excluded.has(task.index));
  const passed = gates.filter(({ index }) => done.has(index)).map(({ manifest }) => manifest.name);
  const arrivals = arrivedWith(work.record, passed, now);
  const told = [...failures.values()].filter((failed) => failed.told).map(({ error }) => error);
  const reports = complete ? gates.flatMap((task) => reportOf(gateOf(task))) : [];
  const counted = work.tasks.filter(({ index }) => done.has(index) && !work.excluded.has(index));
  return {
    failure: summarise([...told, ...blocked, ...reports]),
    blocked,
    news,
    done: counted.length,
    total: work.tasks.length,
    complete,
    record: complete
      ? freshWork({ ...work.record, ...arrivals, deletions, mode: "Reconciling" })
      : {
          ...work.record,
          done: work.mode === "Reconciling" ? new Set() : done,
          waiting:
            work.mode === "Reconciling"
              ? {}
              : waitingWith(work.record.waiting, { blocked: waitsFor, passed }, now),
          ...arrivals,
          failures: inTurn(failures.values()),
          board: failures.size > 0 ? turn.board : "",
          deletions,
        },
  };
}

/** The operators that were waited for and are not any more, with those of before. */
function arrivedWith(
  { waiting, passed: before }: WorkRecord,
  names: readonly string[],
  now: Time,
): Pick<WorkRecord, "passed"> {
  const arrived = names.flatMap((name) => {
    const since = waiting[name];
    return since === undefined ? [] : [[name, { since, until: now }] as const];
  });
  if (arrived.length === 0) return before === undefined ? {} : { passed: before };
  return {
    passed: Object.fromEntries(
      [...Object.entries(before ?? {}), ...arrived].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
}

/** The faults of a gate that are told although it passes. */
const reportOf = ({ finding }: GateStep): readonly UpdateError[] =>
  finding !== "missing" && finding.passes && finding.error !== undefined ? [finding.error] : [];

/** An operator that was just made is looked at in the next pass. */
function gateBlock(
  task: Task,
  { finding }: GateStep,
  made: (task: Task) => WriteResult,
): UpdateError | undefined {
  if (finding !== "missing") return finding.error;
  return made(task).state === "done" ? undefined : refusedTask(taskLabel(task), "KUBE_MISSING");
}

const newsOf = ({ error, detail }: Extract<Step, { step: "fail" }>): News => ({
  reason: error.reason,
  message: error.message === detail ? detail : `${error.message} (${detail})`,
});

type Ended = Extract<Step, { step: "done" | "wait" | "fail" }>;

function endOfWrite(task: Task, step: Step, mode: SyncWork["mode"], result: WriteResult): Ended | undefined {
  switch (result.state) {
    case "not run":
      return undefined;
    case "failed":
      return {
        step: "fail",
        error: refusedTask(taskLabel(task), result.error.code, result.error.status),
        settled: false,
        detail: result.error.message,
      };
    case "done":
      if (step.step === "create" && step.unread === true && !result.changed) return THERE;
      return step.step === "delete" || result.live === undefined
        ? { step: "done" }
        : healthStep(task, healthOf(result.live, mode));
  }
}

/** Somebody made it before: it is read in the next pass, at once. */
const THERE = { step: "wait", message: "It is there already" } as const;
const isThere = (end: Ended): boolean => end === THERE;

/** The longest time that a task which is merely not ready yet is left alone. */
const LOOK_AGAIN = 15_000;

function failedAgain(turn: Turn, task: Task, end: Exclude<Ended, { step: "done" }>): FailedTask {
  const { work, now } = turn;
  const tries = (failedBefore(turn, task)?.tries ?? 0) + 1;
  const seed = work.record.uid;
  const { at, failsPass } = retryOf(work.mode, tries, { seed, now });
  if (end.step === "wait") {
    const next = isThere(end) ? now : [at, timeOf(Date.parse(now) + LOOK_AGAIN)].sort()[0];
    const error: UpdateError = { effect: "None", reason: "NotReadyYet", message: end.message, names: [] };
    return { task: task.index, tries, next: next ?? at, told: false, error };
  }
  return {
    task: task.index,
    tries,
    next: at,
    told: failsPass || end.settled,
    error: end.error,
    ...(end.detail !== end.error.message && end.detail !== "" && { detail: cut(end.detail) }),
  };
}

/** The number of failed tasks whose messages the record keeps, and their length: it is one object, however many fail. */
const TOLD_IN_FULL = 20;
const CHARACTERS = 300;
const cut = (text: string): string => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text);

function inTurn(failures: Iterable<FailedTask>): FailedTask[] {
  return [...failures]
    .sort((one, other) => one.task - other.task)
    .map(({ detail, ...failed }, at) =>
      detail === undefined || at >= TOLD_IN_FULL ? failed : { ...failed, detail },
    );
}
