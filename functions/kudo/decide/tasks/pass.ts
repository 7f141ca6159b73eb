import {
  note,
  type Obj,
  patch,
  type Results,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { Instance } from "../../kinds/index.ts";
import type { Situation } from "../choice/index.ts";
import { type Live, readinessOf } from "../health/index.ts";
import { type End, type TaskReport, turn } from "../run/index.ts";
import type { Note } from "../status/index.ts";
import { dueTasks, placeKey, taskStatus } from "./due.ts";
import type { SeenTask } from "./look.ts";
import type { RunningTask, TaskContext } from "./parts.ts";
import { originOf } from "./prepare.ts";
import { replacedNotes } from "./replaced.ts";
import { runTask } from "./run.ts";

/** All that a pass over an Instance rests on. */
export interface World {
  readonly self: Obj<typeof Instance>;
  readonly situation: Situation;
  /** The tasks that may be due, by place. */
  readonly tasks: ReadonlyMap<string, SeenTask>;
  /** The workloads that its readiness rests on; undefined while something runs. */
  readonly workloads: readonly Live[] | undefined;
}

/** The configuration that a pass follows. */
export type Settings = Pick<TaskContext, "waiterImage">;

const notes = (self: Obj<typeof Instance>, all: readonly Note[]) =>
  all.map(({ type, reason, message, of }) => note(self, type, reason, message, of));

/** The deadlines that are still to come: what is due by now was decided in this pass. */
const toCome = (wakeAt: Readonly<Record<string, Time>>, now: Time): Readonly<Record<string, Time>> =>
  Object.fromEntries(Object.entries(wakeAt).filter(([, at]) => Date.parse(at) > Date.parse(now)));

const endingOf = (end: End, now: Time, waitingFor: readonly Wait[] = []) => ({
  status: end.status,
  waitingFor,
  wakeAt: toCome(end.wakeAt, now),
  again: end.again,
});

/** Decides a pass over an Instance: what is written, and how it ends. `finalized`: its finalizer may go. */
export function pass({ self, situation, tasks, workloads }: World, now: Time, { waiterImage }: Settings) {
  const next = turn(situation, { now });
  switch (next.do) {
    case "let go":
      return { finalized: true };
    case "wait":
      return {
        effects: notes(self, next.notes),
        waitingFor: [{ for: `OperatorVersion ${next.version}` }],
      };
    case "lock":
      return {
        effects: [
          patch(Instance, self, { engine: { planExecution: next.lock } }),
          ...notes(self, next.end.notes),
        ],
        ...endingOf(next.end, now),
      };
    case "status":
      return { effects: notes(self, next.end.notes), ...endingOf(next.end, now) };
    case "rest": {
      const end = next.end(workloads && { readiness: readinessOf(workloads), present: workloads });
      return { effects: notes(self, end.notes), ...endingOf(end, now) };
    }
    case "run": {
      const running = runningTasks({ self, waiterImage }, next, tasks, situation);
      const warnings = [...running.values()].flatMap(({ notes = [] }) => notes);
      return {
        effects: [...running.values()].map(({ effects }) => effects),
        conclude: (results: Results) => {
          const reports = new Map<string, TaskReport>(
            [...running].map(([key, task]) => [key, task.report(results)]),
          );
          const sightings = [...running.values()].flatMap((task) => task.sightings?.(results) ?? []);
          const end = next.end((place) => reports.get(placeKey(place)), sightings);
          const waits = [...reports.values()].flatMap((report) =>
            report.state === "waiting" ? (report.waits ?? []) : [],
          );
          const isOver = end.status.aggregatedStatus?.activePlanName === "";
          return {
            ...endingOf(end, now, isOver ? [] : waits),
            record: notes(self, [...end.notes, ...warnings]),
          };
        },
      };
    }
  }
}

/** The tasks that are due now, decided; one of which nothing was read is left for the next pass. */
function runningTasks(
  given: Pick<TaskContext, "self" | "waiterImage">,
  run: Parameters<typeof dueTasks>[1] & { readonly uid: string },
  tasks: ReadonlyMap<string, SeenTask>,
  { instance }: Situation,
): ReadonlyMap<string, RunningTask> {
  return new Map(
    dueTasks(instance, run).flatMap((task) => {
      const seen = tasks.get(placeKey(task.place));
      if (seen === undefined) return [];
      const known = taskStatus(instance, run.plan, task.place);
      const running = runTask(seen, { ...given, origin: originOf(task), known });
      const notes = replacedNotes(seen, known, run.uid);
      return [[placeKey(task.place), { ...running, notes }] as const];
    }),
  );
}
