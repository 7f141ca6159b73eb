import type { Envelope } from "../../../events/index.ts";
import type { WaitedObject } from "../contract.ts";
import { newlyFollowed } from "../followed.ts";
import type { Cause, NewItem, WorkKey } from "../item.ts";
import { keyName, objectName } from "../key-name.ts";
import { enqueue, type KeyState, type Running } from "../key-state.ts";
import { sameWaits } from "../same-waits.ts";
import { waitCause, waitedObjectOf } from "../wait-cause.ts";
import { type LoadedKey, standing } from "./key-table.ts";
import { type LiveKeys, laneOf } from "./live-keys.ts";
import { type Timer, type TimerChange, type Timers, timerName } from "./timers.ts";
import type { Transaction } from "./writer.ts";

const sameTimers = (a: KeyState, b: KeyState): boolean => {
  if (a.net !== b.net) return false;
  if (a.deadlines === b.deadlines) return true;
  const names = Object.keys(a.deadlines);
  return (
    names.length === Object.keys(b.deadlines).length &&
    names.every((name) => a.deadlines[name] === b.deadlines[name])
  );
};

/** The functions whose items are taken: all that run here, or those of some names; never those that are left alone. */
export interface Taken {
  readonly names: ReadonlySet<string> | undefined;
  readonly left: ReadonlySet<string>;
}

/** The keys with what hangs on them: their timers, what they wait for, their place in the lane. */
export class KeyStore {
  readonly #live: LiveKeys;
  readonly #timers: Timers;
  readonly #followed: (objects: readonly WaitedObject[]) => void;
  readonly #isKnown: (functionName: string) => boolean;
  #seq = 0;

  /**
   * @param followed called once a key waits durably for objects that no watch list covers
   * @param isKnown true for a function that runs here
   */
  constructor(
    live: LiveKeys,
    timers: Timers,
    followed: (objects: readonly WaitedObject[]) => void,
    isKnown: (functionName: string) => boolean,
  ) {
    this.#live = live;
    this.#timers = timers;
    this.#followed = followed;
    this.#isKnown = isKnown;
  }

  /** Numbers that were given out before. */
  passNumber(number: number): void {
    this.#seq = Math.max(this.#seq, number);
  }

  /** A number that rises, over all processes that had the bus as far as their clocks agree: a place in the lane, a token. */
  nextNumber(now: number): number {
    this.#seq = Math.max(this.#seq + 1, now * 1000);
    return this.#seq;
  }

  /** A key as the transaction sees it. */
  load(transaction: Transaction, key: WorkKey): LoadedKey {
    return transaction.keys.get(keyName(key))?.key ?? this.#live.load(key);
  }

  /** A key as it stands. */
  peek(key: WorkKey): LoadedKey {
    return this.#live.load(key);
  }

  /** The keys in the dead letters. */
  dead(): readonly LoadedKey[] {
    return this.#live.dead();
  }

  /** Sets a key's new state, and brings its timers in line with it. */
  change(transaction: Transaction, key: LoadedKey, state: KeyState, now: number, traceparent?: string): void {
    if (state === key.state) return;
    const { waiting } = state;
    const seq = waiting !== undefined && key.state.waiting === undefined ? this.nextNumber(now) : key.seq;
    transaction.keys.set(keyName(key), { key: { ...key, seq, state }, at: now });
    if (!sameTimers(key.state, state)) this.#setTimers(transaction, key, state, now, traceparent);
    if (!sameWaits(key.state.waits, state.waits)) {
      const told = newlyFollowed(state.waits, key.state.waits);
      if (told.length > 0) transaction.afterCommit.push(() => this.#followed(told));
    }
    if (waiting === undefined || state.running !== undefined) return;
    if (waiting.notBefore > now) transaction.movedDue = true;
    else transaction.madeReady = true;
  }

  /**
   * The items that may be taken now: from lane 0 on those of both lanes, urgent ones first; first come first in each.
   * @param news true where only what this transaction changed can be ready
   */
  ready(
    transaction: Transaction,
    lane: 0 | 1,
    limit: number,
    of: Taken,
    news: boolean,
  ): readonly LoadedKey[] {
    const isWanted = (name: string): boolean =>
      (of.names === undefined ? this.#isKnown(name) : of.names.has(name)) && !of.left.has(name);
    const changed: LoadedKey[] = [];
    for (const { key, at } of transaction.keys.values())
      if (standing(key.state, at) === 1 && laneOf(key) >= lane && isWanted(key.function)) changed.push(key);
    const isChanged = (key: LoadedKey): boolean => transaction.keys.has(keyName(key));
    const before = news
      ? []
      : ([0, 1] as const)
          .filter((each) => each >= lane)
          .flatMap((each) => this.#live.heads(each, limit, isWanted, isChanged));
    return [...changed, ...before].sort((a, b) => laneOf(a) - laneOf(b) || a.seq - b.seq).slice(0, limit);
  }

  enqueue(transaction: Transaction, item: NewItem, now: number): void {
    if (typeof item.function !== "string" || typeof item.key !== "string")
      throw new TypeError(`An item needs a function and a key, not ${item.function} and ${item.key}.`);
    const key = this.load(transaction, item);
    this.change(transaction, key, enqueue(key.state, item, now), now);
  }

  /** The event's object may be what keys wait for (B11): those that the router did not wake already are woken now. */
  enqueueWaiting(
    transaction: Transaction,
    event: Envelope,
    routed: readonly NewItem[],
    now: number,
    isNews: (item: NewItem) => boolean,
  ): readonly NewItem[] {
    const waited = waitedObjectOf(event);
    if (waited === undefined) return [];
    const items: NewItem[] = [];
    for (const waiter of this.#waitersFor(transaction, waited)) {
      const key = this.load(transaction, waiter);
      if (
        !key.state.waits.some((wait) => objectName(wait) === objectName(waited)) ||
        routed.some((item) => item.function === key.function && item.key === key.key && item.cause.revives)
      )
        continue;
      const item: NewItem = { function: key.function, key: key.key, ...waitCause(event) };
      if (!isNews(item)) continue;
      this.change(transaction, key, enqueue(key.state, item, now), now);
      items.push(item);
    }
    return items;
  }

  /** Delayed items become ready and timers fire: each is enqueued first, then its number is deleted (B7). */
  fire(transaction: Transaction, now: number): void {
    transaction.movedDue = true;
    if (this.#live.ripen(now)) {
      transaction.madeReady = true;
      transaction.ripened = true;
    }
    for (const timer of this.#timers.due(now, transaction.timers)) {
      const key = this.load(transaction, timer);
      const { [timer.name]: _, ...others } = key.state.deadlines;
      const rest =
        timer.sort === "net" ? { ...key.state, net: undefined } : { ...key.state, deadlines: others };
      this.change(transaction, key, enqueue(rest, itemOf(timer, now), now), now);
      const { function: name, key: of, sort, name: called } = timer;
      const cleared: TimerChange = { function: name, key: of, sort, name: called };
      transaction.timers.set(timerName(cleared), cleared);
    }
  }

  /** True where a key waits for the object. */
  isAwaited(object: WaitedObject): boolean {
    return this.#live.isAwaited(object);
  }

  /** The objects that keys wait for and that no watch list covers. */
  followed(): readonly WaitedObject[] {
    return this.#live.waits.followed();
  }

  /** The keys that run, as the transaction sees them. */
  *running(
    transaction: Transaction,
  ): Iterable<LoadedKey & { readonly state: { readonly running: Running } }> {
    for (const live of [...this.#live.running()]) {
      const key = this.load(transaction, live);
      const { running } = key.state;
      if (running !== undefined) yield { ...key, state: { ...key.state, running } };
    }
  }

  /** The time at which something is due next, in milliseconds since the epoch. */
  nextDue(): number {
    return Math.min(this.#timers.next(), this.#live.nextDue());
  }

  *#waitersFor(transaction: Transaction, object: WaitedObject): Iterable<WorkKey> {
    yield* [...this.#live.waits.waitingFor(object)];
    const name = objectName(object);
    for (const { key } of [...transaction.keys.values()])
      if (
        key.state.waits.some((wait) => objectName(wait) === name) &&
        !this.#live.load(key).state.waits.some((wait) => objectName(wait) === name)
      )
        yield key;
  }

  #setTimers(
    transaction: Transaction,
    { function: name, key, state: before }: LoadedKey,
    state: KeyState,
    now: number,
    traceparent: string | undefined,
  ): void {
    const set = (sort: Timer["sort"], called: string, due: number | undefined): void => {
      const of = { function: name, key, sort, name: called };
      const change = due === undefined ? of : { ...of, due, number: this.nextNumber(now), traceparent };
      transaction.movedDue = true;
      transaction.timers.set(timerName(change), change);
    };
    if (before.net !== state.net) set("net", "net", state.net);
    if (before.deadlines === state.deadlines) return;
    for (const called of Object.keys(before.deadlines))
      if (state.deadlines[called] === undefined) set("deadline", called, undefined);
    for (const [called, due] of Object.entries(state.deadlines))
      if (before.deadlines[called] !== due) set("deadline", called, Date.parse(due));
  }
}

function itemOf(timer: Timer, now: number): NewItem {
  const cause: Cause = {
    sort: timer.sort,
    eventId: `timer/${timer.number}`,
    type: "timer.due",
    timer: timer.name,
    dueAt: new Date(timer.due).toISOString(),
    revives: false,
    at: new Date(now).toISOString(),
    traceparent: timer.traceparent,
  };
  return { function: timer.function, key: timer.key, lane: timer.sort === "net" ? "sweep" : "urgent", cause };
}
