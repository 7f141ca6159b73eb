import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import type { Consumed, InstanceStatus, Plan, PlanExecution, PlanStatus } from "../../kinds/index.ts";
import { type Act, decide, type Refusal, type Situation, scheduledUid } from "../choice/index.ts";
import { type Definition, entryOf, lockOf, planNamed } from "../definition/index.ts";
import { compared, missingIn, recorded, type Sighting, withoutMissing } from "../inventory/index.ts";
import { pipeKeys, pipeKeysFault } from "../pipes/index.ts";
import {
  aggregated,
  drifted,
  historyOf,
  isReadinessOpen,
  isRollOut,
  isUntold,
  type Note,
  planFinished,
  planStarted,
  type Readiness,
  readyAtEnd,
  readyAtRest,
  readyAtStart,
  refusedBecause,
  scheduled,
  stoppedBy,
  versionChanged,
  versionMissing,
} from "../status/index.ts";
import { advance } from "./advance.ts";
import type { DueStep, Reports } from "./report.ts";
import { entriesOf, phasesOf } from "./skeleton.ts";

/** The end of a turn: the status as it shall be, Events, and when to look again. */
export interface End {
  readonly status: InstanceStatus;
  readonly notes: readonly Note[];
  readonly wakeAt: Readonly<Record<string, Time>>;
  /** True where there is more to do at once. */
  readonly again: boolean;
}

/** The workloads of an Instance, as they are while nothing runs. */
export interface Found {
  readonly readiness: Readiness;
  readonly present: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
}

/** The next pass over an Instance. */
export type Turn =
  /** An OperatorVersion is missing: nothing is written. */
  | { readonly do: "wait"; readonly version: string; readonly notes: readonly Note[] }
  /** The lock is written, or emptied (null), and then the status. */
  | { readonly do: "lock"; readonly lock: PlanExecution | null; readonly end: End }
  /** The status alone is written: a run begins, or is closed. */
  | { readonly do: "status"; readonly end: End }
  /** The tasks that are due are run; what they report makes the status. */
  | {
      readonly do: "run";
      readonly plan: string;
      readonly uid: string;
      readonly version: Definition;
      /** The spec that the run consumed: it renders with these parameters. */
      readonly consumed: Consumed;
      readonly due: readonly DueStep[];
      readonly end: (reports: Reports, sightings?: readonly Sighting[]) => End;
    }
  /** Nothing runs: only what the workloads say is kept up to date. */
  | { readonly do: "rest"; readonly end: (found: Found | undefined) => End }
  /** It is being deleted, and its finalizer may go. */
  | { readonly do: "let go" };

/** The input that a decision has beside what it read. */
export interface Given {
  readonly now: Time;
  /** True where only what is due is asked for, whatever the time is: for `observe`, which has no clock. */
  readonly timeless?: boolean;
}

/** Decides the next pass over an Instance from what is true now (5.1, 5.4 to 5.6). */
export function turn(situation: Situation, given: Given): Turn {
  const { instance } = situation;
  const decision = decide(situation);
  const { act } = decision;
  if (act.do === "let go") return { do: "let go" };
  if (act.do === "wait") return { do: "wait", version: act.version, notes: [versionMissing(act.version)] };
  const closed = decision.close.map(({ plan, message }) => ({
    plan,
    message,
    uid: entryOf(instance.status, plan)?.uid ?? "",
  }));
  const base: InstanceStatus = {
    ...instance.status,
    ...decision.adopt,
    planStatus: withClosed(instance.status, closed, given.now),
    ...(closed.length > 0 && readyAfter(instance.status, closed, given.now)),
  };
  const draft: Draft = {
    situation,
    given,
    base: withHistory(instance.status, base),
    notes: closed.map(({ plan, uid }) => planFinished(plan, uid, "FATAL_ERROR")),
  };
  switch (act.do) {
    case "schedule":
    case "release":
      // Whoever died between the two writes would take the reason with it.
      if (act.refusal !== undefined && isUntold(draft.base.conditions, act.refusal))
        return { do: "status", end: endOf(draft, { again: true, refusal: act.refusal }) };
      return {
        do: "lock",
        lock: act.do === "schedule" ? scheduledLock(act, instance) : released(act),
        end: endOf(draft, { again: true, refusal: act.refusal }),
      };
    case "start":
      return { do: "status", end: started(draft, act) };
    case "continue":
      return running(draft, act);
    case "stay":
      return { do: "rest", end: () => endOf(draft, {}) };
    case "rest":
      // Given up by hand: its end is written before the lock is let go.
      if (closed.length > 0)
        return { do: "status", end: endOf(draft, { again: true, refusal: act.refusal }) };
      return { do: "rest", end: (found) => resting(draft, act.refusal, found) };
  }
}

type ActOf<Do extends Act["do"]> = Extract<Act, { readonly do: Do }>;

const scheduledLock = (
  { plan, over }: ActOf<"schedule">,
  instance: Situation["instance"],
): PlanExecution => ({
  planName: plan,
  // A request without a uid stays one, also where a change would run the same plan: the change may go.
  uid: scheduledUid(instance, plan, lockOf(instance.spec)?.plan === plan ? "person" : "change"),
  status: "NEVER_RUN",
  ...(over && { force: true }),
});
const released = ({ unbegun }: ActOf<"release">): PlanExecution | null =>
  unbegun ? { planName: "", force: true } : null;

interface Draft {
  readonly situation: Situation;
  readonly given: Given;
  /** The status with what was adopted and closed. */
  readonly base: InstanceStatus;
  readonly notes: readonly Note[];
}

function withHistory(before: InstanceStatus | undefined, after: InstanceStatus): InstanceStatus {
  const history = historyOf(before, after);
  return history === undefined ? after : { ...after, history };
}

const withClosed = (
  status: InstanceStatus | undefined,
  closed: readonly { readonly plan: string; readonly message: string }[],
  now: Time,
): Readonly<Record<string, PlanStatus>> => ({
  ...status?.planStatus,
  ...Object.fromEntries(
    closed.map(({ plan, message }) => [
      plan,
      {
        ...entryOf(status, plan),
        status: "FATAL_ERROR" as const,
        message,
        finishedTimestamp: toWholeSeconds(now),
        lastUpdatedTimestamp: toWholeSeconds(now),
      },
    ]),
  ),
});

/** A roll-out that is given up leaves nobody able to say whether it is ready, as one that failed. */
function readyAfter(
  status: InstanceStatus | undefined,
  closed: readonly { readonly plan: string; readonly message: string }[],
  now: Time,
): Pick<InstanceStatus, "conditions"> {
  const conditions = closed.reduce(
    (before, { plan, message }) => readyAtEnd(before, plan, message, now),
    status?.conditions,
  );
  return conditions === undefined ? {} : { conditions };
}

interface Ending {
  readonly again?: boolean;
  readonly refusal?: Refusal | undefined;
  readonly begins?: boolean;
  readonly status?: InstanceStatus;
  readonly notes?: readonly Note[];
  readonly wakeAt?: Readonly<Record<string, Time>>;
}

/** The end with what follows from the rest: the summary, the generation, and whether what is asked for can run. */
function endOf({ situation, given, base, notes }: Draft, ending: Ending): End {
  const { refusal, begins = false, again = false, wakeAt = {} } = ending;
  const { generation } = situation.instance.metadata;
  const status = withHistory(base, ending.status ?? base);
  const conditions = scheduled(status.conditions, refusal, begins, given.now);
  const isNew = refusal !== undefined && conditions !== status.conditions;
  return {
    status: {
      ...status,
      ...(generation !== undefined && { observedGeneration: generation }),
      ...(conditions !== undefined && { conditions }),
      aggregatedStatus: aggregated(status.planStatus),
      executions: status.executions ?? 0,
    },
    notes: [
      ...notes,
      ...(ending.notes ?? []),
      ...(isNew ? [refusedBecause(refusal.reason, refusal.message, generation ?? 0)] : []),
    ],
    wakeAt,
    again,
  };
}

/** A run begins: all of its plan is pending, and what it consumes is remembered (5.4). */
function started(draft: Draft, { plan: name, uid, consumes }: ActOf<"start">): End {
  const { situation, given, base } = draft;
  const { instance, version, startedVersion } = situation;
  const definition = consumes === "spec" ? version : startedVersion;
  const execution = (base.executions ?? 0) + 1;
  const now = toWholeSeconds(given.now);
  const entry: PlanStatus = {
    name,
    status: "PENDING",
    uid,
    execution,
    startedTimestamp: now,
    lastUpdatedTimestamp: now,
    phases: pending(definition && planNamed(definition, name)),
  };
  const taken =
    consumes === "spec" || base.lastStarted === undefined
      ? {
          operatorVersion: instance.spec?.operatorVersion ?? {},
          parameters: instance.spec?.parameters ?? {},
        }
      : { operatorVersion: base.lastStarted.operatorVersion, parameters: base.lastStarted.parameters ?? {} };
  const generation = definition?.metadata.generation;
  const lastStarted: Consumed = {
    execution,
    planName: name,
    planUID: uid,
    ...taken,
    ...(generation !== undefined && { operatorVersionGeneration: generation }),
  };
  const entries = definition === undefined ? base.planStatus : entriesOf(definition, base.planStatus);
  const workloads = isRollOut(name) ? withoutMissing(base.workloads) : base.workloads;
  const conditions = drifted(readyAtStart(base.conditions, name, given.now), missingIn(workloads), given.now);
  return endOf(draft, {
    begins: true,
    again: true,
    notes: [planStarted(name, uid)],
    status: {
      ...base,
      executions: execution,
      lastStarted,
      planStatus: { ...entries, [name]: entry },
      workloads,
      ...(conditions !== undefined && { conditions }),
    },
  });
}

const pending = (plan: Plan | undefined): PlanStatus["phases"] =>
  plan === undefined ? [] : phasesOf(plan, [], "PENDING");

/** A run goes on: its due tasks are run, and their reports make the next status (5.5, 5.6). */
function running(draft: Draft, { plan: name, uid }: ActOf<"continue">): Turn {
  const { situation, given, base } = draft;
  const { instance } = situation;
  const definition = situation.startedVersion ?? situation.version;
  const entry = entryOf(base, name);
  if (definition === undefined || entry === undefined)
    throw new TypeError(`plan ${name} cannot go on: it was decided without its version or status`);
  const consumed = base.lastStarted ?? forgotten(draft, entry);
  const { namespace, name: self } = instance.metadata;
  const plan = planNamed(definition, name);
  const progress = {
    plan,
    fault: pipeKeysFault(pipeKeys(definition.spec?.tasks, plan, { instance: self, plan: name })),
    entry: { ...entry, name },
    where: `${namespace}/${self}`,
    now: given.now,
    timeless: given.timeless === true,
  };
  const end = (reports: Reports, sightings: readonly Sighting[] = []): End => {
    const next = advance({ ...progress, reports });
    const { status } = next.entry;
    const isOver = status === "COMPLETE" || status === "FATAL_ERROR";
    const seen = generationSeen(consumed, definition, uid);
    const conditions = isOver
      ? readyAtEnd(base.conditions, name, next.fatal?.message, given.now)
      : base.conditions;
    return endOf(draft, {
      // More to do at once: to let go of the lock, or the step after one that is complete.
      again: isOver || next.due.length > 0,
      wakeAt: next.wakeAt,
      notes: [
        ...seen.notes,
        ...(next.fatal === undefined ? [] : [stoppedBy(next.fatal, uid)]),
        ...(isOver ? [planFinished(name, uid, status)] : []),
      ],
      status: {
        ...base,
        ...recorded(base, sightings),
        lastStarted: seen.consumed,
        ...(status === "COMPLETE" && { lastSucceeded: seen.consumed }),
        planStatus: { ...base.planStatus, [name]: next.entry },
        ...(conditions !== undefined && { conditions }),
      },
    });
  };
  const { due } = advance({ ...progress, reports: () => undefined });
  return { do: "run", plan: name, uid, version: definition, consumed, due, end };
}

/** The memory of a run that somebody took out of the status: the spec stands for it. */
const forgotten = ({ situation, base }: Draft, { name = "", uid = "" }: PlanStatus): Consumed => ({
  execution: base.executions ?? 0,
  planName: name,
  planUID: uid,
  operatorVersion: situation.instance.spec?.operatorVersion ?? {},
  parameters: situation.instance.spec?.parameters ?? {},
});

/** The version's text is not pinned: that it changed under a run is told once. */
function generationSeen(
  consumed: Consumed,
  { metadata }: Definition,
  uid: string,
): { readonly consumed: Consumed; readonly notes: readonly Note[] } {
  const { generation } = metadata;
  if (generation === undefined || generation === consumed.operatorVersionGeneration)
    return { consumed, notes: [] };
  return {
    consumed: { ...consumed, operatorVersionGeneration: generation },
    notes:
      consumed.operatorVersionGeneration === undefined
        ? []
        : [versionChanged(metadata.name, uid, generation)],
  };
}

function resting(draft: Draft, refusal: Refusal | undefined, found: Found | undefined): End {
  const { base, given } = draft;
  if (found === undefined) return endOf(draft, { refusal });
  const workloads = compared(base.workloads, found.present);
  const ready = isReadinessOpen(base)
    ? base.conditions
    : readyAtRest(base.conditions, found.readiness, given.now);
  const conditions = drifted(ready, missingIn(workloads), given.now);
  return endOf(draft, {
    refusal,
    status: { ...base, workloads, ...(conditions !== undefined && { conditions }) },
  });
}
