import type { Consumed } from "../../kinds/index.ts";
import {
  CLEANUP,
  DEPLOY,
  type Definition,
  entryOf,
  hasPlan,
  type InstanceView,
  isRunning,
  isTerminal,
  type Lock,
  lockOf,
} from "../definition/index.ts";
import { type Adopted, adopted } from "./adoption.ts";
import { type Choice, choose, type Reason, type Refusal } from "./choose.ts";
import { type Closing, closings } from "./close.ts";
import { scheduledUid } from "./uid.ts";

/** An Instance with the versions that its spec and its last run name; undefined: there is no such object. */
export interface Situation {
  readonly instance: InstanceView;
  readonly version: Definition | undefined;
  readonly startedVersion: Definition | undefined;
}

/** The next thing to do. */
export type Act =
  /** Nothing runs and nothing is asked for. */
  | { readonly do: "rest"; readonly refusal?: Refusal }
  /** An OperatorVersion is missing. */
  | { readonly do: "wait"; readonly version: string }
  /** Writes the lock, with a new uid; `over` another one whose run has not begun; `refusal`: of what a person asked for by that one. */
  | {
      readonly do: "schedule";
      readonly plan: string;
      readonly reason: Reason;
      readonly over: boolean;
      readonly refusal?: Refusal;
    }
  /** Begins the run of the lock: with the spec, or with what the last run consumed where the spec's change is another plan's. */
  | {
      readonly do: "start";
      readonly plan: string;
      readonly uid: string;
      readonly reason: Reason;
      readonly consumes: "spec" | "started";
    }
  | { readonly do: "continue"; readonly plan: string; readonly uid: string }
  /** Empties the lock; `unbegun`: of a run that never began. */
  | { readonly do: "release"; readonly unbegun: boolean; readonly refusal?: Refusal }
  /** Deletion: the finalizer goes. */
  | { readonly do: "let go" }
  /** Deletion: cleanup failed, and a human is to help. */
  | { readonly do: "stay" };

/** The decision of a pass: what to remember and to close, beside the next thing to do. */
export interface Decision {
  readonly adopt: Adopted | undefined;
  readonly close: readonly Closing[];
  readonly act: Act;
}

/** Decides by what is true now: spec, status, and the versions that both name (5.1). */
export function decide({ instance, version, startedVersion }: Situation): Decision {
  const lock = lockOf(instance.spec);
  const adopt = adopted(instance);
  const started = instance.status?.lastStarted ?? adopt?.lastStarted;
  const close = closings(instance.status, lock);
  const facts: Facts = { instance, version, startedVersion, lock, started };
  const act = instance.metadata.deletionTimestamp === undefined ? live(facts) : dying(facts);
  return { adopt, close: act.do === "wait" ? [] : close, act };
}

interface Facts extends Situation {
  readonly lock: Lock | undefined;
  readonly started: Consumed | undefined;
}

const nameOf = ({ instance: { spec, metadata } }: Facts): string => {
  const { name = "", namespace } = spec?.operatorVersion ?? {};
  return `${namespace || metadata.namespace}/${name}`;
};
const missing = (facts: Facts): Act => ({ do: "wait", version: nameOf(facts) });

/** Cleanup runs once, before the object goes; whatever else ran is given up for it. */
function dying(facts: Facts): Act {
  const { instance, version, lock } = facts;
  if (version === undefined) return missing(facts);
  if (!hasPlan(version, CLEANUP)) return { do: "let go" };
  const entry = entryOf(instance.status, CLEANUP);
  if (lock?.plan !== CLEANUP)
    return entry === undefined || entry.status === undefined || entry.status === "NEVER_RUN"
      ? { do: "schedule", plan: CLEANUP, reason: "cleanup", over: false }
      : { do: entry.status === "COMPLETE" ? "let go" : "stay" };
  if (lock.uid === "") return { do: "schedule", plan: CLEANUP, reason: "cleanup", over: false };
  if (entry?.uid !== lock.uid || entry.status === "NEVER_RUN")
    return { do: "start", plan: CLEANUP, uid: lock.uid, reason: "cleanup", consumes: "spec" };
  if (isRunning(entry.status)) return { do: "continue", plan: CLEANUP, uid: lock.uid };
  return { do: entry.status === "COMPLETE" ? "let go" : "stay" };
}

function live(facts: Facts): Act {
  const { instance, lock } = facts;
  if (lock === undefined) return idle(facts);
  const entry = entryOf(instance.status, lock.plan);
  const isBegun = lock.uid !== "" && entry?.uid === lock.uid && entry.status !== "NEVER_RUN";
  if (isBegun && isTerminal(entry.status)) return { do: "release", unbegun: false };
  // Given up by hand: what runs of it is closed first, so that it never is without an end.
  if (isTerminal(lock.status)) return isBegun ? { do: "rest" } : { do: "release", unbegun: true };
  if (isBegun)
    return facts.startedVersion === undefined && facts.version === undefined
      ? missing(facts)
      : { do: "continue", plan: lock.plan, uid: lock.uid };
  return begin(facts, lock);
}

const choiceOf = ({ instance, started, startedVersion }: Facts, version: Definition): Choice =>
  choose({
    spec: instance.spec,
    namespace: instance.metadata.namespace,
    started,
    version,
    startedVersion,
  });

/** Rules 4 to 7: what admission would have chosen, where it was absent or passed by. */
function idle(facts: Facts): Act {
  if (facts.version === undefined) return missing(facts);
  // A word that is left of an empty lock would count for the next one.
  if (hasResidue(facts.instance)) return { do: "release", unbegun: false };
  const choice = choiceOf(facts, facts.version);
  if (choice.state === "plan")
    return { do: "schedule", plan: choice.plan, reason: choice.reason, over: false };
  return choice.state === "none" ? { do: "rest" } : { do: "rest", refusal: choice.refusal };
}

const hasResidue = ({ spec }: InstanceView): boolean => {
  const { force, status } = spec?.planExecution ?? {};
  return force === true || (status !== "" && isTerminal(status));
};

/** A lock whose run has not begun. */
function begin(facts: Facts, lock: Lock): Act {
  const { instance, version, started, startedVersion } = facts;
  if (version === undefined) return missing(facts);
  const { namespace, name } = instance.metadata;
  const where = `Instance ${namespace}/${name}`;
  if (lock.plan === CLEANUP)
    return {
      do: "release",
      unbegun: true,
      refusal: {
        reason: "CleanupNotAllowed",
        message: `failed to update ${where}: only the controller schedules the '${CLEANUP}' plan when the instance is deleted`,
      },
    };
  const choice = choiceOf(facts, version);
  const start = (reason: Reason, consumes: "spec" | "started"): Act =>
    lock.uid === ""
      ? { do: "schedule", plan: lock.plan, reason, over: false }
      : { do: "start", plan: lock.plan, uid: lock.uid, reason, consumes };
  if (choice.state === "plan" && choice.plan === lock.plan) return start(choice.reason, "spec");
  if (started === undefined && choice.state !== "none")
    return choice.state === "refused" && lock.plan === DEPLOY
      ? { do: "release", unbegun: true, refusal: choice.refusal }
      : givesWay(lock, choice, version);
  const isOurs = lock.uid === scheduledUid(instance, lock.plan, "change");
  if (choice.state === "none" && isOurs) return { do: "release", unbegun: true };
  if (choice.state === "none")
    return hasPlan(version, lock.plan)
      ? start("manual", "spec")
      : { do: "release", unbegun: true, refusal: notFound(lock.plan) };
  if (choice.state === "refused" && choice.refusal.reason === "ConflictingTriggers") {
    // Whoever was told of the conflict and names a plan has resolved it.
    if (isTold(instance, choice.refusal) && hasPlan(version, lock.plan)) return start("manual", "spec");
    if (choice.refusal.plans?.includes(lock.plan))
      return { do: "release", unbegun: true, refusal: choice.refusal };
  }
  // What this system scheduled for a change that is another one by now has no cause any more.
  if (isOurs)
    return choice.state === "plan"
      ? { do: "schedule", plan: choice.plan, reason: choice.reason, over: true }
      : { do: "release", unbegun: true, refusal: choice.refusal };
  // The spec's change belongs to another plan, or to none: this one runs with what was consumed last, and mixes nothing.
  if (startedVersion !== undefined && hasPlan(startedVersion, lock.plan)) return start("manual", "started");
  return givesWay(lock, choice, version);
}

/** The end of a request whose plan cannot begin before what else the spec asks for. It is told: the request goes with its lock. */
function givesWay(lock: Lock, choice: Exclude<Choice, { state: "none" }>, version: Definition): Act {
  const asked = `plan ${lock.plan} was asked for${lock.uid === "" ? "" : ` with uid ${lock.uid}`}, and is not begun`;
  const why =
    choice.state === "refused"
      ? choice.refusal.message
      : `plan ${choice.plan} comes first, ask again once it has ended`;
  const refusal: Refusal = hasPlan(version, lock.plan)
    ? { reason: "PlanNotBegun", message: `${asked}: ${why}` }
    : notFound(lock.plan);
  return choice.state === "refused"
    ? { do: "release", unbegun: true, refusal }
    : { do: "schedule", plan: choice.plan, reason: choice.reason, over: true, refusal };
}

const notFound = (plan: string): Refusal => ({
  reason: "PlanNotFound",
  message: `plan ${plan} does not exist`,
});

const isTold = ({ status }: InstanceView, refusal: Refusal): boolean =>
  status?.conditions?.some(
    ({ type, status: said, reason, message }) =>
      type === "PlanScheduled" &&
      said === "False" &&
      reason === refusal.reason &&
      message === refusal.message,
  ) === true;
