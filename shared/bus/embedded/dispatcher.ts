import type { Lane } from "../../../events/index.ts";
import { messageOf } from "../../errors.ts";
import type { Consumer, Work } from "../contract.ts";
import { take } from "../key-state.ts";
import { HeldLease } from "../lease.ts";
import { sweepPlaces } from "../sweep-room.ts";
import { isSuspect } from "../waiting.ts";
import { EmbeddedConsumer } from "./consumer.ts";
import { KeyRuns, type KeyRunsParts } from "./key-runs.ts";
import { pick, sweepMayCome } from "./pick.ts";
import type { Transaction } from "./writer.ts";

export interface DispatcherParts extends Omit<KeyRunsParts, "running"> {
  /** The number under which this opening of the bus takes items. */
  readonly owner: number;
  /** The first consumer came, or the last one went. */
  readonly consumed: (byAny: boolean) => Promise<void>;
}

/** Hands out items: what is ready goes to whoever has room (B3). */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #consumers = new Set<EmbeddedConsumer>();
  readonly #runs: KeyRuns;
  /** The consumer whose suspect waits until nothing runs: meanwhile no other takes anything. */
  #standsBackFor: EmbeddedConsumer | undefined;
  #closed = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#runs = new KeyRuns({ ...parts, running: () => this.running });
  }

  /** Items that were taken by processes which had the bus before go back: these are gone. */
  giveBackLost(transaction: Transaction, now: number): void {
    this.#runs.giveBackLost(transaction, this.#parts.owner, now);
  }

  consume(
    options: { readonly parallel: number; readonly functions?: readonly string[] | undefined },
    work: Work,
  ): Consumer {
    const consumer = new EmbeddedConsumer(options, work, {
      clock: this.#parts.clock,
      giveBack: (stopped) => this.#stop(stopped),
      wake: () => this.wake(),
    });
    this.#consumers.add(consumer);
    if (this.#consumers.size === 1) void this.#parts.consumed(true);
    this.wake();
    return consumer;
  }

  /** Something may be ready: look. */
  wake(): void {
    if (this.#consumers.size === 0 || this.#closed) return;
    for (const consumer of this.#consumers) consumer.hungry = true;
    this.#parts.writer
      .submit(() => undefined)
      .catch((thrown) => this.#parts.log.warn({ error: messageOf(thrown) }, "no items can be taken"));
  }

  /** Hands ready items to consumers with room, in a transaction, after its operations. */
  takeReady(transaction: Transaction): void {
    for (const consumer of this.#inTurn()) {
      // Whoever was not hungry has taken all that was ready before.
      const news = !consumer.hungry && !transaction.ripened;
      if (transaction.madeReady) consumer.hungry = true;
      if (!consumer.hungry || consumer.stopping || consumer.left === "all") continue;
      if (transaction.takesSuspect || this.#runsSuspect(transaction)) continue;
      const free = consumer.places - heldBy(consumer, transaction);
      if (free > 0) this.#takeFor(consumer, free, transaction, news);
      else transaction.takesSuspect = consumer === this.#standsBackFor;
    }
  }

  /** First whoever has a suspect that waits: where it still does, the others stand back. */
  #inTurn(): Iterable<EmbeddedConsumer> {
    const first = this.#standsBackFor;
    return first === undefined ? this.#consumers : new Set([first, ...this.#consumers]);
  }

  /** True where something runs beside which nothing may. */
  #runsSuspect(transaction: Transaction): boolean {
    for (const { leases } of this.#consumers)
      for (const lease of leases) if (isSuspect(lease.item) && !transaction.ended.has(lease)) return true;
    return false;
  }

  /** True where this process runs nothing, and takes nothing yet. */
  #isIdle(transaction: Transaction): boolean {
    return (
      transaction.taken === 0 && [...this.#consumers].every((consumer) => heldBy(consumer, transaction) === 0)
    );
  }

  #loseAll(why: string): void {
    for (const consumer of this.#consumers) for (const lease of consumer.leases) lease.lose(why);
  }

  get running(): number {
    let running = 0;
    for (const consumer of this.#consumers) running += consumer.leases.size;
    return running;
  }

  /** Stops every consumer and gives back what still runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop(0)));
    this.#closed = true;
    this.#runs.close();
  }

  /** Ends as if the process had died: nothing is written any more. */
  abandon(): void {
    this.#closed = true;
    this.#runs.close();
    this.#loseAll("its process died");
    this.#consumers.clear();
    this.#standsBackFor = undefined;
  }

  #takeFor(consumer: EmbeddedConsumer, free: number, transaction: Transaction, news: boolean): void {
    const { store, clock, owner, policy, echoes, history } = this.#parts;
    const { left } = consumer;
    if (left === "all") return;
    const wanted = { names: consumer.names, left };
    const heads = store.ready(transaction, 0, free, wanted, news);
    const urgent = heads.filter(({ state }) => state.waiting?.lane === "urgent");
    const sweep =
      urgent.length === free && sweepMayCome(urgent.length, free, consumer.taken)
        ? store.ready(transaction, 1, free, wanted, news)
        : heads.slice(urgent.length);
    const mayTake = sweepPlaces(consumer.places) - heldBy(consumer, transaction, "sweep");
    const sweeps = sweep.slice(0, Math.max(0, mayTake));
    const wishes = pick(urgent, sweeps, free, consumer.taken);
    const suspect = wishes.find(({ state }) => state.waiting !== undefined && isSuspect(state.waiting));
    // What must run alone is taken once nothing else runs; meanwhile nothing new begins.
    const waitsForOthers = suspect !== undefined && !this.#isIdle(transaction);
    const picked = suspect === undefined ? wishes : waitsForOthers ? [] : [suspect];
    const now = clock.now();
    // Whoever takes less than it has room for has taken all; the next item that becomes ready says so.
    const hungry = wishes.length === free || sweeps.length < sweep.length || suspect !== undefined;
    transaction.taken += picked.length;
    transaction.takesSuspect ||= suspect !== undefined;
    const leases = picked.map((key) => {
      const state = take(key.state, key, { owner, token: store.nextNumber(now), now }, policy);
      store.change(transaction, key, state, now);
      return new HeldLease(state.running.item, state.running, () => !this.#closed);
    });
    const began = leases.length > 0 ? history.newestEvent() : 0;
    transaction.afterCommit.push(() => {
      consumer.hungry = hungry;
      if (waitsForOthers) this.#standsBackFor = consumer;
      else if (this.#standsBackFor === consumer) this.#standsBackFor = undefined;
      consumer.taken += leases.length;
      // By turns: what one gives back, another may be able to run.
      if (leases.length > 0 && this.#consumers.size > 1 && this.#consumers.delete(consumer))
        this.#consumers.add(consumer);
      for (const lease of leases) {
        // Here, not in the transaction: the same one may have ended the key's run before.
        echoes.forget(lease.item);
        void this.#runs.begin(consumer, lease, began);
      }
    });
  }

  async #stop(consumer: EmbeddedConsumer): Promise<void> {
    await this.#runs.giveBack(consumer);
    this.#consumers.delete(consumer);
    if (this.#standsBackFor === consumer) {
      this.#standsBackFor = undefined;
      this.wake();
    }
    if (this.#consumers.size === 0 && !this.#closed) await this.#parts.consumed(false);
  }
}

/** The number of items that it holds; of those of one lane, where it is named. */
function heldBy({ leases }: EmbeddedConsumer, { ended }: Transaction, lane?: Lane): number {
  let held = 0;
  for (const lease of leases)
    if (!ended.has(lease) && (lane === undefined || lease.item.lane === lane)) held += 1;
  return held;
}
