import {
  apply,
  create,
  type Effect,
  type Effects,
  inOrder,
  note,
  type Time,
  timeOf,
} from "../../../../shared/function/index.ts";
import { ConfigMap, Namespace } from "../../../../shared/kube/kinds/index.ts";
import type { Configuration } from "../../configuration.ts";
import { implicitlyEnabledVerdict, releaseAccepted, type Verdict as Said } from "../release/index.ts";
import { boardOf, boardText, gateStep } from "./board.ts";
import { loadedVerdict } from "./candidate.ts";
import { turnEffects } from "./effects.ts";
import { historyWith } from "./history.ts";
import { failedInterval, reconcileInterval } from "./intervals.ts";
import { timerDeadlines } from "./operator-timers.ts";
import { progressConditions, type Verdict } from "./progress.ts";
import { mayWaitUntil, type SyncReport, type SyncStatus, syncStatus, typed } from "./status.ts";
import { type News, type TurnEnd, turnEnd } from "./turn.ts";
import type { UpdateError } from "./update-error.ts";
import { WORK_RECORD, type WorkRecord, writtenWork } from "./work-record.ts";
import type { Known, Working, World } from "./world.ts";

/** The knowledge of a decision beside the world. */
export interface SyncContext {
  readonly now: Time;
  readonly config: Configuration;
  readonly lastStatusAt?: Time | undefined;
}
type Target = "payload-object" | "ClusterOperator" | "ConfigMap" | "Namespace";
interface SyncEnding {
  readonly status?: SyncStatus;
  readonly record?: Effects<Target>;
  readonly again?: boolean;
  readonly waitingFor?: readonly {
    readonly for: string;
    readonly object?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  }[];
  readonly wakeAt?: Readonly<Record<string, Time>>;
}
type Stored = ConfigMap | undefined;

const UNKNOWN = "<unknown>";
const after = (now: Time, milliseconds: number): Time => timeOf(Date.parse(now) + milliseconds);

/** One pass of the sync, whatever it is about. */
export function decide(world: World, stored: Stored, context: SyncContext) {
  switch (world.state) {
    case "not ours":
      return {};
    case "announcing":
      return announced(world, context);
    case "accepting":
      return accepted(world, context);
    case "no release":
      return without(world, NO_RELEASE, undefined, context);
    case "refused":
      return {
        ...without(world, refusalOf(world.said), world.said, context),
        wakeAt: retryLater(world, context),
      };
    case "unreadable": {
      const { reason, message } = world.look;
      const failure: UpdateError = { effect: "Fail", reason, message, names: [] };
      return { ...without(world, failure, world.refused, context), wakeAt: retryLater(world, context) };
    }
    case "working":
      return worked(world, stored, context);
  }
}

const NO_RELEASE: UpdateError = {
  effect: "Fail",
  reason: "NoDesiredImage",
  message: "No configured operator version, unable to update cluster",
  names: [],
};

/** A cluster that is not new and has nothing to keep to is at a standstill; where a payload is merely not there yet it may come. */
const refusalOf = ({ reason, message }: Said): UpdateError | undefined =>
  reason === "PreconditionChecks"
    ? { effect: "Fail", reason: "UpgradePreconditionCheckFailed", message, names: [] }
    : undefined;

const retryLater = ({ self }: Known, { now }: SyncContext) => ({
  retry: after(now, failedInterval(self.metadata.uid, 2)),
});

/** The part of the report that holds for any result of the pass. */
function reportOf(world: Known, observed: number, said: readonly Verdict[]): SyncReport {
  const { self, situation, capabilities } = world;
  const { status } = self;
  const { invalid, candidate, current } = situation;
  const release = current ?? candidate ?? { version: "", image: "" };
  return {
    desired: status?.desired ?? { version: release.version, image: release.image },
    history: status?.history ?? [],
    observedGeneration: observed,
    versionHash: status?.versionHash ?? "",
    capabilities,
    invalid: invalid !== undefined,
    said: [
      ...(invalid === undefined ? [] : [typed("Invalid", invalid)]),
      typed("ImplicitlyEnabledCapabilities", implicitlyEnabledVerdict(capabilities)),
      ...(said as SyncReport["said"]),
    ],
  };
}

/** The release is going to be looked at; the spec's generation is not acted on yet. */
function announced(world: Extract<World, { state: "announcing" }>, { now }: SyncContext): SyncEnding {
  const { self, candidate } = world;
  const observed = self.status?.observedGeneration ?? self.metadata.generation;
  const said = [typed("ReleaseAccepted", releaseAccepted.retrieving(candidate))];
  return { status: syncStatus(self.status, reportOf(world, observed, said), now), again: true };
}

/** The release is taken: from now on it is the newest of the history, and all else follows from that. */
function accepted(world: Extract<World, { state: "accepting" }>, { now }: SyncContext): SyncEnding {
  const { self, decision } = world;
  const { release, verified, risks, said } = decision;
  const history = historyWith(
    self.status?.history ?? [],
    { ...release, completed: false, verified, acceptedRisks: risks },
    now,
  );
  const report = reportOf(world, self.metadata.generation, [
    typed("ReleaseAccepted", said),
    ...progressConditions(
      {
        moving: true,
        version: release.version,
        done: 0,
        total: 0,
        failure: undefined,
        waiting: {},
        invalid: world.situation.invalid !== undefined,
        hasHistory: true,
      },
      now,
    ),
  ]);
  return { status: syncStatus(self.status, { ...report, desired: release, history }, now), again: true };
}

/** Nothing can be applied now. */
function without(
  world: Known,
  failure: UpdateError | undefined,
  said: Said | undefined,
  { now }: SyncContext,
): SyncEnding {
  const { self, situation } = world;
  const { current, candidate } = situation;
  const history = self.status?.history ?? [];
  const named = current ?? candidate;
  const [newest] = history;
  const conditions = progressConditions(
    {
      moving: newest?.state !== "Completed",
      version: named?.version || named?.image || UNKNOWN,
      done: 0,
      total: 0,
      failure,
      waiting: {},
      invalid: situation.invalid !== undefined,
      hasHistory: history.length > 0,
    },
    now,
  );
  const release = said === undefined ? [] : [typed("ReleaseAccepted", said)];
  return {
    status: syncStatus(
      self.status,
      reportOf(world, self.metadata.generation, [...release, ...conditions]),
      now,
    ),
  };
}

function worked(world: Working, stored: Stored, context: SyncContext) {
  const { work, look, operators, objects } = world;
  const { now, config } = context;
  const board = boardOf(operators);
  const turn = { work, look, board: boardText(operators), now };
  const { effects, resultOf, made } = turnEffects(turn, board, objects);
  const policy = { mode: work.mode, blockOnDegraded: config.blockOnDegraded };
  return {
    effects,
    conclude: (results: Parameters<typeof resultOf>[0]): SyncEnding => {
      const end = turnEnd(turn, resultOf(results), made(results), (task) => gateStep(task, board, policy));
      const wrote = work.tasks.some(
        (task) => resultOf(results)(task).state === "done" || made(results)(task).state === "done",
      );
      return ended(world, end, { ...context, stored, wrote });
    },
  };
}

/** The end of a pass over the work: its report and its record. */
function ended(
  world: Working,
  end: TurnEnd,
  {
    now,
    config,
    lastStatusAt,
    stored,
    wrote,
  }: SyncContext & { readonly stored: Stored; readonly wrote: boolean },
): SyncEnding {
  const { self, work, current, situation } = world;
  const { record, failure, done, total, complete } = end;
  const { release, versionHash } = current.payload;
  const moving = work.mode !== "Reconciling" && !complete;
  const history = historyWith(
    self.status?.history ?? [],
    { ...release, completed: complete, verified: false, acceptedRisks: "" },
    now,
  );
  const version = release.version || release.image || UNKNOWN;
  const invalid = situation.invalid !== undefined;
  const said = [
    typed("ReleaseAccepted", world.refused ?? loadedVerdict(release, config.architecture)),
    ...(complete
      ? [{ type: "Available", status: "True", message: `Done applying ${version}` } as const]
      : []),
    ...progressConditions(
      { moving, version, done, total, failure, waiting: record.waiting, invalid, hasHistory: true },
      now,
    ),
  ];
  const report = reportOf(world, self.metadata.generation, said);
  const status = syncStatus(self.status, { ...report, desired: release, history, versionHash }, now);
  const waits = mayWaitUntil(self.status, status, { now, lastStatusAt });
  return {
    ...(waits === undefined && { status }),
    ...kept(record, world, stored, end.news),
    again: !complete && wrote,
    waitingFor: end.blocked.flatMap(({ names, message }) =>
      names.map((name) => ({
        for: message,
        object: { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", name },
      })),
    ),
    wakeAt: {
      ...deadlines(self.metadata.uid, record, now),
      ...(waits !== undefined && { status: timeOf(waits) }),
    },
  };
}

/**
 * The times to look again although nothing happens: at tasks that failed, at operators that take long, and at everything in turn.
 */
function deadlines(
  uid: string,
  { failures, waiting }: WorkRecord,
  now: Time,
): Readonly<Record<string, Time>> {
  const [next] = failures.map((failed) => failed.next).sort();
  return {
    pass: after(now, reconcileInterval(uid)),
    ...(next !== undefined && next > now && { retry: next }),
    ...timerDeadlines(waiting, now),
  };
}

/** The record, where it says something new, and what people are told of failures. Its namespace is made where nothing has made it yet. */
function kept(
  record: WorkRecord,
  { self, stored: before }: Working,
  stored: Stored,
  news: readonly News[],
): { readonly record?: Effects<Target> } {
  const data = writtenWork(record);
  const told = news.map(({ reason, message }) => note(self, "Warning", reason, message));
  if (before !== undefined && JSON.stringify(data) === JSON.stringify(writtenWork(before))) return {};
  const written: Effect<"ConfigMap", ConfigMap> = apply(ConfigMap, {
    metadata: WORK_RECORD,
    data: { ...data },
  });
  if (stored !== undefined) return { record: [...told, written] };
  const namespace = create(Namespace, { metadata: { name: WORK_RECORD.namespace } });
  return { record: [...told, inOrder<Target>(namespace, written)] };
}
