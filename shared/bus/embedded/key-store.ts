import type { Envelope } from "../../../events/index.ts";
import type { WaitedObject } from "../contract.ts";
import type { Cause, NewItem, WorkKey } from "../item.ts";
import { enqueue, type KeyState } from "../key-state.ts";
import { waitCause, waitedObjectOf } from "../wait-cause.ts";
import type { KeyTable, LoadedKey } from "./key-table.ts";
import type { Timer, TimerTable } from "./timer-table.ts";
import type { WaitTable } from "./wait-table.ts";
import type { Transaction } from "./writer.ts";

/** How many timers fire in one transaction at most. */
const FIRE_AT_ONCE = 500;

const sameWaits = (a: readonly WaitedObject[], b: readonly WaitedObject[]): boolean =>
  a === b || (a.length === 0 && b.length === 0) || JSON.stringify(a) === JSON.stringify(b);

/** The keys with what hangs on them: their timers, what they wait for, their place in the lane. All inside a transaction. */
export class KeyStore {
  readonly keys: KeyTable;
  readonly timers: TimerTable;
  readonly #waits: WaitTable;
  #seq: number;

  constructor(keys: KeyTable, timers: TimerTable, waits: WaitTable) {
    this.keys = keys;
    this.timers = timers;
    this.#waits = waits;
    this.#seq = keys.lastSeq();
  }

  /** A number that rises, over all processes that share the file as far as their clocks agree: a place in the lane, a token. */
  nextNumber(now: number): number {
    this.#seq = Math.max(this.#seq + 1, now * 1000);
    return this.#seq;
  }

  /** Writes a key's new state, and brings timers and waits in line with it. */
  change(transaction: Transaction, key: LoadedKey, state: KeyState, now: number, traceparent?: string): void {
    if (state === key.state) return;
    const { waiting } = state;
    const seq = waiting !== undefined && key.state.waiting === undefined ? this.nextNumber(now) : key.seq;
    const id = this.keys.save(key, state, seq, now);
    this.#setTimers(transaction, key, id, state, traceparent);
    if (!sameWaits(key.state.waits, state.waits)) this.#waits.replace(id === 0 ? key.id : id, state.waits);
    if (waiting === undefined || state.running !== undefined) return;
    if (waiting.notBefore > now) transaction.movedDue = true;
    else transaction.madeReady = true;
  }

  enqueue(transaction: Transaction, item: NewItem, now: number): void {
    const key = this.keys.load(item);
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
    for (const id of this.#waits.waitingFor(waited)) {
      const key = this.keys.find(id);
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
    if (this.keys.ripen(now) > 0) transaction.madeReady = true;
    for (const timer of this.timers.due(now, FIRE_AT_ONCE)) {
      const key = this.keys.find(timer.keyId);
      if (key !== undefined) {
        const { [timer.name]: _, ...others } = key.state.deadlines;
        const rest =
          timer.sort === "net" ? { ...key.state, net: undefined } : { ...key.state, deadlines: others };
        this.change(transaction, key, enqueue(rest, itemOf(timer, key, now), now), now);
      }
      this.timers.delete(timer.number);
    }
  }

  /** When something is due next, in milliseconds since the epoch. */
  nextDue(): number {
    return Math.min(
      this.timers.next() ?? Number.POSITIVE_INFINITY,
      this.keys.nextDue() ?? Number.POSITIVE_INFINITY,
    );
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
