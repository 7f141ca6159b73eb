import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Consumer, Failed, Finished, Lost, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import { fail, finish, giveBack, take } from "../key-state.ts";
import { HeldLease } from "../lease.ts";
import type { RetryPolicy } from "../retry.ts";
import { lostRun, threwRun } from "../run-of.ts";
import type { RunRecord } from "../run-record.ts";
import { EmbeddedConsumer } from "./consumer.ts";
import type { EchoMemory } from "./echo-memory.ts";
import type { HistoryTable } from "./history.ts";
import type { Instance } from "./instance.ts";
import type { KeyStore } from "./key-store.ts";
import type { LoadedKey } from "./key-table.ts";
import { pick, sweepMayCome } from "./pick.ts";
import type { Transaction, Writer } from "./writer.ts";

/** How long it waits before it tries again to write the end of a run. */
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
}

/** Hands out items and takes their endings (B3 to B6). */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #consumers = new Set<EmbeddedConsumer>();
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

  /** In a transaction, after its operations: what is ready goes to whoever has room. */
  takeReady(transaction: Transaction): void {
    for (const consumer of this.#consumers) {
      // Whoever was not hungry has taken all that was ready before.
      const news = !consumer.hungry && !transaction.ripened;
      if (transaction.madeReady) consumer.hungry = true;
      if (!consumer.hungry || consumer.stopping || !this.#parts.instance.registered) continue;
      let held = 0;
      for (const lease of consumer.leases) if (!transaction.ended.has(lease)) held += 1;
      const free = consumer.parallel - held;
      if (free > 0) this.#takeFor(consumer, free, transaction, news);
    }
  }

  /** Items of processes that are gone go back; each attempt counts (B5). */
  giveBackOf(transaction: Transaction, owner: number, now: number): void {
    const { store, history, policy, ran } = this.#parts;
    for (const key of store.ownedBy(transaction, owner)) {
      if (key.state.running === undefined) continue;
      const state = giveBack(key.state, true, now, policy);
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

  /** As if the process had died: nothing is written any more. */
  abandon(): void {
    this.#closed = true;
    this.loseAll("its process died");
    this.#consumers.clear();
  }

  #takeFor(consumer: EmbeddedConsumer, free: number, transaction: Transaction, news: boolean): void {
    const { store, clock, instance, policy, echoes } = this.#parts;
    const heads = store.ready(transaction, 0, free, consumer.functions, news);
    const urgent = heads.filter(({ state }) => state.waiting?.lane === "urgent");
    const sweep =
      urgent.length === free && sweepMayCome(urgent.length, free, consumer.taken)
        ? store.ready(transaction, 1, free, consumer.functions, news)
        : heads.slice(urgent.length);
    const picked = pick(urgent, sweep, free, consumer.taken);
    const now = clock.now();
    // Whoever takes less than it has room for has taken all; the next item that becomes ready says so.
    const hungry = picked.length === free;
    const owner = picked.length > 0 ? instance.ownerFor(transaction) : instance.id;
    const leases = picked.map((key) => {
      const state = take(key.state, key, { owner, token: store.nextNumber(now), now }, policy);
      store.change(transaction, key, state, now);
      return new HeldLease(state.running.item, state.running, () => instance.holds(state.running.owner));
    });
    transaction.afterCommit.push(() => {
      consumer.hungry = hungry;
      consumer.taken += leases.length;
      for (const lease of leases) {
        // Here, not in the transaction: the same one may have ended the key's run before.
        echoes.forget(lease.item);
        consumer.leases.add(lease);
        void this.#run(consumer, lease);
      }
      if (leases.length > 0) instance.keepRenewing();
    });
  }

  async #run(consumer: EmbeddedConsumer, lease: HeldLease): Promise<void> {
    const startedAt = this.#parts.clock.now();
    let ending: Finished | Failed | Lost;
    try {
      ending = await consumer.work(lease);
    } catch (thrown) {
      const error = { code: "BUS_WORK_THREW", message: messageOf(thrown) };
      this.#parts.log.error(
        { function: lease.item.function, key: lease.item.key, error: error.message },
        "a run threw",
      );
      const run = threwRun(lease.item, error, startedAt, this.#parts.clock.now());
      ending = { state: "failed", error, retryable: true, echoes: [], subjects: {}, run };
    }
    // What was stopped meanwhile was given back already.
    if (consumer.leases.has(lease)) await this.#acknowledge(consumer, lease, ending);
  }

  async #acknowledge(
    consumer: EmbeddedConsumer,
    lease: HeldLease,
    ending: Finished | Failed | Lost,
  ): Promise<void> {
    const { writer, log, clock } = this.#parts;
    let end = ending;
    while (!this.#closed) {
      try {
        await writer.submit((transaction) => {
          transaction.ended.add(lease);
          this.#end(transaction, lease, lease.held() ? end : { state: "lost" }, consumer);
          transaction.afterCommit.unshift(() => consumer.ended(lease));
        });
        return;
      } catch (thrown) {
        if (this.#closed) return;
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
    ending: Finished | Failed | Lost,
    consumer: EmbeddedConsumer,
  ): void {
    const { store, clock, policy, random, echoes } = this.#parts;
    const now = clock.now();
    const key = store.load(transaction, lease.item);
    if (!holds(key, lease)) return;
    if (ending.state !== "lost")
      transaction.afterCommit.push(() => echoes.remember(lease.item, ending.echoes));
    switch (ending.state) {
      case "lost":
        store.change(transaction, key, giveBack(key.state, !consumer.stopping, now, policy), now);
        return;
      case "finished":
        store.change(transaction, key, finish(key.state, ending, now), now, ending.run.traceparent);
        for (const item of ending.enqueue) store.enqueue(transaction, item, now);
        this.#record(transaction, ending.run, now);
        return;
      case "failed": {
        const { state, outcome } = fail(key.state, ending, now, policy, random());
        store.change(transaction, key, state, now, ending.run.traceparent);
        this.#record(transaction, { ...ending.run, outcome, error: ending.error }, now);
      }
    }
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
        if (holds(key, lease)) store.change(transaction, key, giveBack(key.state, false, now, policy), now);
      }
    };
    if (leases.length > 0 && !this.#closed)
      // Whoever opens the file next finds them without an owner and gives them back.
      await writer
        .submit(returned)
        .catch((thrown) => log.error({ error: messageOf(thrown) }, "items could not be given back"));
    for (const lease of leases) consumer.ended(lease);
    this.#consumers.delete(consumer);
    if (this.#consumers.size === 0 && !this.#closed) await this.#parts.consumed(false);
  }
}

const holds = (key: LoadedKey, lease: HeldLease): boolean =>
  key.state.running?.owner === lease.owner && key.state.running.token === lease.token;
