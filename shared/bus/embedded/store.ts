import type { Envelope } from "../../../events/index.ts";
import type { WaitedObject } from "../contract.ts";
import { newlyFollowed } from "../followed.ts";
import type { Cause, NewItem, WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";
import { enqueue, type KeyState } from "../key-state.ts";
import { sameWaits } from "../same-waits.ts";
import { waitCause, waitedObjectOf } from "../wait-cause.ts";
import { type KeyTable, type LoadedKey, standing } from "./key-table.ts";
import type { Timer, TimerTable } from "./timers.ts";
import type { WaitTable } from "./wait-table.ts";
import type { Transaction } from "./writer.ts";

/** The most timers that fire in one transaction. */
const FIRE_AT_ONCE = 500;

const laneOf = ({ state }: LoadedKey): 0 | 1 => (state.waiting?.lane === "sweep" ? 1 : 0);

const sameTimers = (a: KeyState, b: KeyState): boolean => {
  if (a.net !== b.net) return false;
  if (a.deadlines === b.deadlines) return true;
  const names = Object.keys(a.deadlines);
  return (
    names.length === Object.keys(b.deadlines).length &&
    names.every((name) => a.deadlines[name] === b.deadlines[name])
  );
};

/** The functions whose items are taken: all, or those of some names, also as a JSON list; never those that are left alone. */
export interface Taken {
  readonly names: ReadonlySet<string> | undefined;
  readonly text: string | undefined;
  readonly left: ReadonlySet<string>;
}

/** The keys with what hangs on them: their timers, what they wait for, their place in the lane. All inside a transaction. */
export class KeyStore {
  readonly keys: KeyTable;
  readonly timers: TimerTable;
  readonly #waits: WaitTable;
  readonly #writtenByOthers: () => number;
  readonly #followed: (objects: readonly WaitedObject[]) => void;
  /** The keys that this process runs, by name: their end needs no look into the table. */
  readonly #running = new Map<string, LoadedKey>();
  #others: number;
  #seq: number;

  /**
   * @param writtenByOthers a number that changes when another process has written to the file
   * @param followed called once a key waits durably for objects that no watch list covers
   */
  constructor(
    keys: KeyTable,
    timers: TimerTable,
    waits: WaitTable,
    writtenByOthers: () => number,
    followed: (objects: readonly WaitedObject[]) => void,
  ) {
    this.keys = keys;
    this.timers = timers;
    this.#waits = waits;
    this.#writtenByOthers = writtenByOthers;
    this.#followed = followed;
    this.#others = writtenByOthers();
    this.#seq = keys.lastSeq();
  }

  /** A number that rises, over all processes that share the file as far as their clocks agree: a place in the lane, a token. */
  nextNumber(now: number): number {
    this.#seq = Math.max(this.#seq + 1, now * 1000);
    return this.#seq;
  }

  /** A key as the transaction sees it. */
  load(transaction: Transaction, key: WorkKey): LoadedKey {
    return transaction.keys.get(keyName(key))?.key ?? this.#kept(key) ?? this.keys.load(key);
  }

  /**
   * Sets a key's new state, and brings timers and waits in line with it. Its row is written once, at the end: what arrives is
   * mostly handed out in the same transaction.
   */
  change(transaction: Transaction, key: LoadedKey, state: KeyState, now: number, traceparent?: string): void {
    if (state === key.state) return;
    const { waiting } = state;
    const seq = waiting !== undefined && key.state.waiting === undefined ? this.nextNumber(now) : key.seq;
    const changed = { ...key, seq, state };
    transaction.keys.set(keyName(key), { key: changed, at: now, written: false });
    const waits = !sameWaits(key.state.waits, state.waits);
    if (waits || !sameTimers(key.state, state)) {
      const { id } = this.#write(transaction, changed, now);
      this.#setTimers(transaction, key, id, state, traceparent);
      if (waits) {
        this.#waits.replace(id === 0 ? key.id : id, state.waits);
        const told = newlyFollowed(state.waits, key.state.waits);
        if (told.length > 0) transaction.afterCommit.push(() => this.#followed(told));
      }
    }
    if (waiting === undefined || state.running !== undefined) return;
    if (waiting.notBefore > now) transaction.movedDue = true;
    else transaction.madeReady = true;
  }

  /** Writes what the transaction has changed and not written yet. */
  flush(transaction: Transaction): void {
    for (const { key, at, written } of transaction.keys.values())
      if (!written) this.#write(transaction, key, at);
  }

  /** Settles the transaction. Call it once nothing more is changed. */
  settle(transaction: Transaction): void {
    if (transaction.keys.size === 0) return;
    this.flush(transaction);
    transaction.afterCommit.push(() => {
      for (const [name, { key }] of transaction.keys)
        if (key.state.running === undefined) this.#running.delete(name);
        else this.#running.set(name, key);
    });
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
    if (!news) {
      this.flush(transaction);
      const left = of.left.size === 0 ? undefined : JSON.stringify([...of.left]);
      return this.keys.ready(lane, limit, { wanted: of.text, left });
    }
    const ready: LoadedKey[] = [];
    for (const { key, at } of transaction.keys.values())
      if (
        standing(key.state, at) === 1 &&
        laneOf(key) >= lane &&
        (of.names === undefined || of.names.has(key.function)) &&
        !of.left.has(key.function)
      )
        ready.push(key);
    return ready.sort((a, b) => laneOf(a) - laneOf(b) || a.seq - b.seq).slice(0, limit);
  }

  enqueue(transaction: Transaction, item: NewItem, now: number): void {
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
    const waiters = this.#waits.waitingFor(waited);
    if (waiters.length > 0) this.flush(transaction);
    for (const id of waiters) {
      const row = this.keys.find(id);
      const key = row && this.load(transaction, row);
      if (
        key === undefined ||
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
    this.flush(transaction);
    if (this.keys.ripen(now) > 0) {
      transaction.madeReady = true;
      transaction.ripened = true;
    }
    for (const timer of this.timers.due(now, FIRE_AT_ONCE)) {
      const row = this.keys.find(timer.keyId);
      if (row !== undefined) {
        const key = this.load(transaction, row);
        const { [timer.name]: _, ...others } = key.state.deadlines;
        const rest =
          timer.sort === "net" ? { ...key.state, net: undefined } : { ...key.state, deadlines: others };
        this.change(transaction, key, enqueue(rest, itemOf(timer, key, now), now), now);
      }
      this.timers.delete(timer.number);
    }
  }

  /** True where a key waits for the object. */
  isAwaited(object: WaitedObject): boolean {
    return this.#waits.waitingFor(object).length > 0;
  }

  /** The objects that keys wait for and that no watch list covers. */
  followed(): readonly WaitedObject[] {
    return this.#waits.followed();
  }

  /** Keys that some process holds, as the transaction sees them. */
  ownedBy(transaction: Transaction, owner: number): readonly LoadedKey[] {
    this.flush(transaction);
    return this.keys.ownedBy(owner);
  }

  /** The time at which something is due next, in milliseconds since the epoch. */
  nextDue(): number {
    return Math.min(
      this.timers.next() ?? Number.POSITIVE_INFINITY,
      this.keys.nextDue() ?? Number.POSITIVE_INFINITY,
    );
  }

  #write(transaction: Transaction, key: LoadedKey, at: number): LoadedKey {
    const id = this.keys.save(key, key.state, key.seq, at);
    const written = id === key.id ? key : { ...key, id };
    transaction.keys.set(keyName(key), { key: written, at, written: true });
    return written;
  }

  /** A key that this process runs, as it was written; unless another process has written to the file since. */
  #kept(key: WorkKey): LoadedKey | undefined {
    if (this.#running.size === 0) return undefined;
    const others = this.#writtenByOthers();
    if (others !== this.#others) this.#running.clear();
    this.#others = others;
    return this.#running.get(keyName(key));
  }

  #setTimers(
    transaction: Transaction,
    key: LoadedKey,
    id: number,
    state: KeyState,
    traceparent: string | undefined,
  ): void {
    const before = key.state;
    if (before.net !== state.net) {
      transaction.movedDue = true;
      if (state.net === undefined) this.timers.clear(key.id, "net", "net");
      else this.timers.set(id, "net", "net", state.net, traceparent);
    }
    if (before.deadlines === state.deadlines) return;
    for (const name of Object.keys(before.deadlines))
      if (state.deadlines[name] === undefined) {
        transaction.movedDue = true;
        this.timers.clear(key.id, "deadline", name);
      }
    for (const [name, due] of Object.entries(state.deadlines))
      if (before.deadlines[name] !== due) {
        transaction.movedDue = true;
        this.timers.set(id, "deadline", name, Date.parse(due), traceparent);
      }
  }
}

function itemOf(timer: Timer, key: WorkKey, now: number): NewItem {
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
  return { function: key.function, key: key.key, lane: timer.sort === "net" ? "sweep" : "urgent", cause };
}
