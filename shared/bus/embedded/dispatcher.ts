import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Consumer, Finished, RunEnding, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import { fail, finish, giveBack, type Interruption, park, take } from "../key-state.ts";
import { HeldLease } from "../lease.ts";
import type { RetryPolicy } from "../retry.ts";
import { lostRun } from "../run-of.ts";
import type { RunRecord } from "../run-record.ts";
import { runSafely } from "../run-safely.ts";
import { addedWaits, isNews, missedItem, subjectOfWait } from "../told-during.ts";
import { isSuspect } from "../waiting.ts";
import { EmbeddedConsumer } from "./consumer.ts";
import type { EchoMemory } from "./echo-memory.ts";
import type { HistoryTable } from "./history.ts";
import type { LoadedKey } from "./key-table.ts";
import type { Instance } from "./leases.ts";
import { pick, sweepMayCome } from "./pick.ts";
import type { KeyStore } from "./store.ts";
import { isFull, type SweepPart, smallerPart, stillToSend, withSweep } from "./sweep-part.ts";
import type { Transaction, Writer } from "./writer.ts";

/** The pause before the end of a run is written again. */
const ACKNOWLEDGE_AGAIN_MILLISECONDS = 1_000;

export interface DispatcherParts {
  readonly store: KeyStore;
  readonly history: HistoryTable;
  readonly echoes: EchoMemory;
  readonly writer: Writer;
  readonly instance: Instance;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly ran: (run: RunRecord) => void;
  /** The first consumer came, or the last one went. */
  readonly consumed: (byAny: boolean) => Promise<void>;
  /** Lays the reserve of the file down in a transaction. @throws BusError `BUS_FULL` */
  readonly reserve: () => void;
}

/** Hands out items and takes their endings (B3 to B6). */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #consumers = new Set<EmbeddedConsumer>();
  /** The position of the events when a run began. */
  readonly #began = new WeakMap<HeldLease, number>();
  /** The consumer whose suspect waits until nothing runs: meanwhile no other takes anything. */
  #standsBackFor: EmbeddedConsumer | undefined;
  #closed = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
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
      if (!this.#parts.instance.registered) continue;
      if (transaction.takesSuspect || this.#runsSuspect(transaction)) continue;
      const free = consumer.parallel - heldBy(consumer, transaction);
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

  /** Items of processes that are gone go back; what ran alone pays for the death (B5). */
  giveBackOf(transaction: Transaction, owner: number, now: number): void {
    const { store, history, policy, random, ran } = this.#parts;
    const owned = store.ownedBy(transaction, owner);
    const how = owned.length === 1 ? "died alone" : "died in company";
    for (const key of owned) {
      if (key.state.running === undefined) continue;
      const state = giveBack(key.state, how, now, policy, random());
      store.change(transaction, key, state, now);
      const run = lostRun(key.state.running, state.dead, now);
      history.recordRun(run, now);
      transaction.afterCommit.push(() => ran(run));
    }
  }

  /** Every lease is lost: another process has given them back, or this one closes. */
  loseAll(why: string): void {
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
  }

  /** Ends as if the process had died: nothing is written any more. */
  abandon(): void {
    this.#closed = true;
    this.loseAll("its process died");
    this.#consumers.clear();
    this.#standsBackFor = undefined;
  }

  #takeFor(consumer: EmbeddedConsumer, free: number, transaction: Transaction, news: boolean): void {
    const { store, clock, instance, policy, echoes, history } = this.#parts;
    const { left } = consumer;
    if (left === "all") return;
    const wanted = { ...consumer.functions, left };
    const heads = store.ready(transaction, 0, free, wanted, news);
    const urgent = heads.filter(({ state }) => state.waiting?.lane === "urgent");
    const sweep =
      urgent.length === free && sweepMayCome(urgent.length, free, consumer.taken)
        ? store.ready(transaction, 1, free, wanted, news)
        : heads.slice(urgent.length);
    const wishes = pick(urgent, sweep, free, consumer.taken);
    const suspect = wishes.find(({ state }) => state.waiting !== undefined && isSuspect(state.waiting));
    // What must run alone is taken once nothing else runs; meanwhile nothing new begins.
    const waitsForOthers = suspect !== undefined && !this.#isIdle(transaction);
    const picked = suspect === undefined ? wishes : waitsForOthers ? [] : [suspect];
    const now = clock.now();
    // Whoever takes less than it has room for has taken all; the next item that becomes ready says so.
    const hungry = wishes.length === free || suspect !== undefined;
    transaction.taken += picked.length;
    transaction.takesSuspect ||= suspect !== undefined;
    const owner = picked.length > 0 ? instance.ownerFor(transaction) : instance.id;
    const leases = picked.map((key) => {
      const state = take(key.state, key, { owner, token: store.nextNumber(now), now }, policy);
      store.change(transaction, key, state, now);
      return new HeldLease(state.running.item, state.running, () => instance.holds(state.running.owner));
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
        this.#began.set(lease, began);
        consumer.leases.add(lease);
        void this.#run(consumer, lease);
      }
      if (leases.length > 0) instance.keepRenewing();
    });
  }

  async #run(consumer: EmbeddedConsumer, lease: HeldLease): Promise<void> {
    const ending = await runSafely(consumer.work, lease, this.#parts);
    // What was stopped meanwhile was given back already.
    if (consumer.leases.has(lease)) await this.#acknowledge(consumer, lease, ending);
  }

  async #acknowledge(consumer: EmbeddedConsumer, lease: HeldLease, ending: RunEnding): Promise<void> {
    const { writer, log, clock } = this.#parts;
    let end = ending;
    let part: SweepPart | undefined;
    while (!this.#closed) {
      try {
        await writer.submit((transaction) => {
          transaction.ended.add(lease);
          this.#end(transaction, lease, lease.held() ? end : { state: "lost" }, consumer, part);
          transaction.afterCommit.unshift(() => consumer.ended(lease));
        });
        return;
      } catch (thrown) {
        if (this.#closed) return;
        const less = isFull(thrown) ? smallerPart(lease.item, ending, part, thrown) : undefined;
        if (less !== undefined) {
          if (part === undefined)
            log.warn(
              { function: lease.item.function, key: lease.item.key, error: messageOf(thrown) },
              "a sweep found more than the bus has room for; it goes on once some of it is gone",
            );
          part = less;
          end = less.parked;
          continue;
        }
        log.error(
          { function: lease.item.function, key: lease.item.key, error: messageOf(thrown) },
          "the end of a run could not be written",
        );
        // What cannot be written whatever the state of the disk must not be tried for ever: the item is run again.
        if (!(thrown instanceof BusError)) end = { state: "lost" };
        await clock.sleep(ACKNOWLEDGE_AGAIN_MILLISECONDS);
      }
    }
  }

  #end(
    transaction: Transaction,
    lease: HeldLease,
    ending: RunEnding,
    consumer: EmbeddedConsumer,
    part?: SweepPart,
  ): void {
    const { store, clock, policy, random, echoes, reserve } = this.#parts;
    const now = clock.now();
    const key = store.load(transaction, lease.item);
    if (!holds(key, lease)) return;
    if (ending.state !== "lost")
      transaction.afterCommit.push(() => echoes.remember(lease.item, ending.echoes));
    switch (ending.state) {
      case "lost":
        store.change(
          transaction,
          key,
          giveBack(key.state, this.#interruption(consumer), now, policy, random()),
          now,
        );
        return;
      case "finished":
        store.change(transaction, key, finish(key.state, ending, now), now, ending.run.traceparent);
        for (const item of stillToSend(lease.item, ending)) store.enqueue(transaction, item, now);
        this.#lookForMissed(transaction, lease, ending, key, now);
        this.#record(transaction, ending.run, now);
        return;
      case "parked":
        store.change(
          transaction,
          key,
          park(part === undefined ? key.state : withSweep(key.state, part.sweep), ending, now),
          now,
          ending.run.traceparent,
        );
        if (part !== undefined && part.items.length > 0) {
          for (const item of part.items) store.enqueue(transaction, item, now);
          store.flush(transaction);
          reserve();
        }
        this.#record(transaction, { ...ending.run, outcome: "away", error: ending.error }, now);
        return;
      case "failed": {
        const { state, outcome } = fail(key.state, ending, now, policy, random());
        store.change(transaction, key, state, now, ending.run.traceparent);
        this.#record(transaction, { ...ending.run, outcome, error: ending.error }, now);
      }
    }
  }

  /** Wakes the run by events that came while it ran, about objects that it waits for from now on. */
  #lookForMissed(
    transaction: Transaction,
    lease: HeldLease,
    ending: Finished,
    { state: { waits } }: LoadedKey,
    now: number,
  ): void {
    const { store, history } = this.#parts;
    const began = this.#began.get(lease) ?? 0;
    for (const wait of addedWaits(ending, waits)) {
      const told = history.toldSince(began, subjectOfWait(wait));
      if (told !== undefined && isNews(told, ending))
        store.enqueue(transaction, missedItem(lease.item, told), now);
    }
  }

  /** The interruption of a run whose consumer still lives. */
  #interruption(consumer: EmbeddedConsumer): Interruption {
    if (consumer.stopping) return "stopped";
    return this.running === 1 ? "died alone" : "died in company";
  }

  #record(transaction: Transaction, run: RunRecord, now: number): void {
    this.#parts.history.recordRun(run, now);
    this.#parts.history.prune(now);
    transaction.afterCommit.push(() => this.#parts.ran(run));
  }

  async #stop(consumer: EmbeddedConsumer): Promise<void> {
    const { writer, store, clock, policy, log } = this.#parts;
    const leases = [...consumer.leases];
    for (const lease of leases) lease.lose("its host was told to stop");
    const returned = (transaction: Transaction): void => {
      const now = clock.now();
      for (const lease of leases) {
        const key = store.load(transaction, lease.item);
        if (holds(key, lease))
          store.change(transaction, key, giveBack(key.state, "stopped", now, policy), now);
      }
    };
    if (leases.length > 0 && !this.#closed)
      // Whoever opens the file next finds them without an owner and gives them back.
      await writer
        .submit(returned)
        .catch((thrown) => log.error({ error: messageOf(thrown) }, "items could not be given back"));
    for (const lease of leases) consumer.ended(lease);
    this.#consumers.delete(consumer);
    if (this.#standsBackFor === consumer) {
      this.#standsBackFor = undefined;
      this.wake();
    }
    if (this.#consumers.size === 0 && !this.#closed) await this.#parts.consumed(false);
  }
}

function heldBy({ leases }: EmbeddedConsumer, { ended }: Transaction): number {
  let held = 0;
  for (const lease of leases) if (!ended.has(lease)) held += 1;
  return held;
}

const holds = (key: LoadedKey, lease: HeldLease): boolean =>
  key.state.running?.owner === lease.owner && key.state.running.token === lease.token;
