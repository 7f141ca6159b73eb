import type { Failed, Finished, Parked, WaitedObject } from "./contract.ts";
import { type Dead, subjectsOf, takesOut } from "./dead.ts";
import { type Cause, inheritedSignature, type NewItem, type WorkItem } from "./item.ts";
import { type RetryPolicy, retryDelay } from "./retry.ts";
import { isEcho, isSuspect, mergeWaiting, type Waiting, waitingOf } from "./waiting.ts";

/** The run of a key, and its number: a run with a lower number has lost it. */
export interface Running {
  readonly item: WorkItem;
  readonly owner: number;
  readonly token: number;
  readonly takenAt: number;
  /** True where its host ran nothing else when this was written. */
  readonly alone?: boolean | undefined;
}

/** All that the bus knows of one (F, K). Every change of it is one of the pure functions below. */
export interface KeyState {
  readonly waiting?: Waiting | undefined;
  readonly running?: Running | undefined;
  /** Attempts since the last success: counted when an item is taken, so that those which killed their host count. */
  readonly attempts: number;
  readonly dead?: Dead | undefined;
  readonly waits: readonly WaitedObject[];
  /** Name → RFC 3339. */
  readonly deadlines: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly net?: number | undefined;
}

export const freshKey: KeyState = { attempts: 0, waits: [], deadlines: {} };

/** True where nothing is left to remember. */
export const isForgettable = (state: KeyState): boolean =>
  state.waiting === undefined &&
  state.running === undefined &&
  state.attempts === 0 &&
  state.dead === undefined &&
  state.waits.length === 0 &&
  state.net === undefined &&
  Object.keys(state.deadlines).length === 0;

/** Back from the dead letters: attempts count from nothing, and a failed sweep still owes what it owed. */
const revive = (state: KeyState, now: number): KeyState => {
  const sweep = state.dead?.sweep;
  if (sweep === undefined) return { ...state, dead: undefined, attempts: 0 };
  const owed: Waiting = {
    lane: "sweep",
    causes: [],
    causesIncomplete: true,
    sweep,
    notBefore: 0,
    enqueuedAt: now,
  };
  return {
    ...state,
    dead: undefined,
    attempts: 0,
    waiting: state.waiting === undefined ? owed : mergeWaiting(owed, state.waiting),
  };
};

/** An item arrives. On a dead key only what takes it out counts; the dead letter stays otherwise. */
export function enqueue(state: KeyState, item: NewItem, now: number): KeyState {
  if (state.dead !== undefined) {
    if (item.sweep === undefined && !takesOut(state.dead, item.cause)) return state;
    return enqueue(revive(state, now), item, now);
  }
  return { ...state, waiting: mergeWaiting(state.waiting, waitingOf(item, now)) };
}

/** The waiting item is handed out. */
export function take(
  state: KeyState,
  key: { readonly function: string; readonly key: string },
  holder: { readonly owner: number; readonly token: number; readonly now: number },
  policy: RetryPolicy,
): KeyState & { readonly running: Running } {
  const { waiting } = state;
  if (waiting === undefined || state.running !== undefined)
    throw new Error(`${key.function} ${key.key} has nothing to take`);
  const attempt = state.attempts + 1;
  const { lane, causes, causesIncomplete, enqueuedAt, sweep, deaths } = waiting;
  const item: WorkItem = {
    function: key.function,
    key: key.key,
    lane,
    causes,
    causesIncomplete,
    enqueuedAt,
    attempt,
    lastAttempt: attempt >= policy.maximumAttempts,
    sweep,
    ...(deaths !== undefined && { deaths }),
  };
  return {
    ...state,
    waiting: undefined,
    attempts: attempt,
    running: { item, owner: holder.owner, token: holder.token, takenAt: holder.now },
  };
}

const withoutEcho = (state: KeyState, ended: Finished | Failed | Parked): KeyState =>
  state.waiting !== undefined && isEcho(state.waiting, ended.echoes)
    ? { ...state, waiting: undefined }
    : state;

const iso = (time: number): string => new Date(time).toISOString();

/** The run ended well. Its items for other keys are not part of this key's state. */
export function finish(state: KeyState, finished: Finished, now: number): KeyState {
  const { running, ...rest } = withoutEcho(state, finished);
  const ended: KeyState = {
    ...rest,
    attempts: 0,
    waits: finished.waits,
    deadlines: finished.deadlines ?? rest.deadlines,
    net: finished.net,
  };
  if (!finished.again || running === undefined) return ended;
  return enqueue(ended, againItem(running.item, finished, now), now);
}

/** The pass more that a run asked for. */
export function againItem(item: WorkItem, { run: { id, traceparent } }: Finished, now: number): NewItem {
  const at = iso(now);
  const cause: Cause = {
    sort: "again",
    eventId: id,
    type: "again",
    revives: false,
    at,
    traceparent,
    ...inheritedSignature(item.causes),
  };
  return { ...item, cause };
}

/** Adds an item that waited elsewhere, with all its causes. On a dead key only a cause that takes it out counts. */
export function arrive(state: KeyState, waiting: Waiting, now: number): KeyState {
  const { dead } = state;
  if (dead === undefined) return { ...state, waiting: mergeWaiting(state.waiting, waiting) };
  if (waiting.sweep === undefined && !waiting.causes.some((cause) => takesOut(dead, cause))) return state;
  const revived = revive(state, now);
  return { ...revived, waiting: mergeWaiting(revived.waiting, waiting) };
}

function die(state: KeyState, dead: Dead, now: number): KeyState {
  const { waiting } = state;
  const buried: KeyState = { ...state, running: undefined, waiting: undefined, dead };
  return waiting === undefined ? buried : arrive(buried, waiting, now);
}

/** The run failed: a retry that is a delayed item, or the dead letters. */
export function fail(
  state: KeyState,
  failed: Failed,
  now: number,
  policy: RetryPolicy,
  random: number,
): { readonly state: KeyState; readonly outcome: "retry" | "dead" } {
  const { running, ...rest } = withoutEcho(state, failed);
  if (running === undefined) throw new Error("a key that does not run cannot fail");
  const { item } = running;
  if (!failed.retryable || item.attempt >= policy.maximumAttempts) {
    const causes = item.causes.map((cause) => cause.eventId);
    const { error, subjects } = failed;
    const dead: Dead = { error, attempts: item.attempt, causes, at: iso(now), subjects, sweep: item.sweep };
    return { state: die(rest, dead, now), outcome: "dead" };
  }
  const notBefore = now + retryDelay(policy, item.attempt, random, failed.retryAfterMilliseconds);
  const { id, traceparent } = failed.run;
  const at = iso(now);
  const cause: Cause = {
    sort: "retry",
    eventId: id,
    type: "timer.due",
    timer: "retry",
    dueAt: iso(notBefore),
    revives: false,
    at,
    traceparent,
    ...inheritedSignature(item.causes),
  };
  const retry = waitingOf({ ...item, cause, notBefore }, now);
  // The retry is the older of the two: what came during the run is looked at once, at once.
  return {
    state: { ...rest, waiting: rest.waiting === undefined ? retry : mergeWaiting(retry, rest.waiting) },
    outcome: "retry",
  };
}

/** Nobody is kept waiting longer by what was away: whoever takes the key then looks with a connection of its own. */
const LONGEST_PARKING = 60_000;

/** Parks a run that needs a connection which is away: the item waits a while as it was, and no attempt is counted. */
export function park(state: KeyState, parked: Parked, now: number): KeyState {
  const { running, ...rest } = withoutEcho(state, parked);
  if (running === undefined) throw new Error("a key that does not run cannot be parked");
  const { lane, causes, causesIncomplete, sweep, enqueuedAt, deaths } = running.item;
  const notBefore = now + Math.min(Math.max(0, parked.milliseconds), LONGEST_PARKING);
  const { behind } = parked;
  const waiting: Waiting = { lane, causes, causesIncomplete, sweep, enqueuedAt, notBefore, behind, deaths };
  return {
    ...rest,
    attempts: Math.max(0, rest.attempts - 1),
    waiting: rest.waiting === undefined ? waiting : mergeWaiting(waiting, rest.waiting),
  };
}

/**
 * The reason why a run came to no end: its host stopped in order; or it died (or lost the key) while it ran this key alone, which
 * certainly ended it; or while it ran others too, and any of them may have.
 */
export type Interruption = "stopped" | "died alone" | "died in company";

/**
 * The item returns unfinished. A death counts as an attempt where the key ran alone, so that an item which kills every host ends in the
 * dead letters, and nothing that ran beside it does. From the second death on it is a suspect (`isSuspect`), and waits a while.
 * @param random a number from 0 up to 1, for the jitter of the wait
 */
export function giveBack(
  state: KeyState,
  how: Interruption,
  now: number,
  policy: RetryPolicy,
  random = 0,
): KeyState {
  const { running, ...rest } = state;
  if (running === undefined) return state;
  const { item } = running;
  const charged = how === "died alone";
  if (charged && rest.attempts >= policy.maximumAttempts) {
    const causes = item.causes.map((cause) => cause.eventId);
    const message = `The last ${rest.attempts} processes that ran this key alone died or lost it before they were done; look into their logs, then redrive it.`;
    const error = { code: "BUS_HOST_DIED", message };
    const dead: Dead = {
      error,
      attempts: rest.attempts,
      causes,
      at: iso(now),
      subjects: subjectsOf(item.causes),
      sweep: item.sweep,
    };
    return die(rest, dead, now);
  }
  const deaths = (item.deaths ?? 0) + (how === "stopped" ? 0 : 1);
  const waits = how !== "stopped" && isSuspect({ deaths });
  const notBefore = waits ? now + retryDelay(policy, deaths - 1, random) : 0;
  const { lane, causes, causesIncomplete, sweep, enqueuedAt } = item;
  const returned: Waiting = {
    lane,
    causes,
    causesIncomplete,
    sweep,
    enqueuedAt,
    notBefore,
    ...(deaths > 0 && { deaths }),
  };
  return {
    ...rest,
    attempts: charged ? rest.attempts : Math.max(0, rest.attempts - 1),
    waiting: rest.waiting === undefined ? returned : mergeWaiting(returned, rest.waiting),
  };
}
