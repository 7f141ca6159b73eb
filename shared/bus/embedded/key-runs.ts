import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Finished, RunEnding } from "../contract.ts";
import { BusError } from "../errors.ts";
import { fail, finish, giveBack, type Interruption, park } from "../key-state.ts";
import type { HeldLease } from "../lease.ts";
import type { RetryPolicy } from "../retry.ts";
import { lostRun } from "../run-of.ts";
import type { RunRecord } from "../run-record.ts";
import { runSafely } from "../run-safely.ts";
import { addedWaits, isNews, missedItem, subjectOfWait } from "../told-during.ts";
import type { EmbeddedConsumer } from "./consumer.ts";
import type { EchoMemory } from "./echo-memory.ts";
import type { HistoryTable } from "./history.ts";
import type { LoadedKey } from "./key-table.ts";
import type { KeyStore } from "./store.ts";
import { isFull, type SweepPart, smallerPart, stillToSend, withSweep } from "./sweep-part.ts";
import type { Transaction, Writer } from "./writer.ts";

/** The pause before the end of a run is written again. */
const ACKNOWLEDGE_AGAIN_MILLISECONDS = 1_000;

export interface KeyRunsParts {
  readonly store: KeyStore;
  readonly history: HistoryTable;
  readonly echoes: EchoMemory;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly ran: (run: RunRecord) => void;
  /** The number of keys that this process runs. */
  readonly running: () => number;
}

/** Runs the keys that were handed out, and writes what comes of it (B4 to B6). */
export class KeyRuns {
  readonly #parts: KeyRunsParts;
  /** The position of the events when a run began. */
  readonly #began = new WeakMap<HeldLease, number>();
  #closed = false;

  constructor(parts: KeyRunsParts) {
    this.#parts = parts;
  }

  /**
   * Runs an item for its consumer, until its end stands.
   * @param began where the events stand now
   */
  async begin(consumer: EmbeddedConsumer, lease: HeldLease, began: number): Promise<void> {
    this.#began.set(lease, began);
    consumer.leases.add(lease);
    const ending = await runSafely(consumer.work, lease, this.#parts);
    // What was stopped meanwhile was given back already.
    if (consumer.leases.has(lease)) await this.#acknowledge(consumer, lease, ending);
  }

  /** Items that former owners took go back; what ran alone in its process pays for the death (B5). */
  giveBackLost(transaction: Transaction, owner: number, now: number): void {
    const { store, history, policy, random, ran } = this.#parts;
    const lost = [...store.running(transaction)].filter(({ state }) => state.running.owner !== owner);
    for (const key of lost) {
      const { running } = key.state;
      const beside = lost.filter(({ state }) => state.running.owner === running.owner).length - 1;
      const state = giveBack(
        key.state,
        beside === 0 ? "died alone" : "died in company",
        now,
        policy,
        random(),
      );
      store.change(transaction, key, state, now);
      const run = lostRun(running, state.dead, now);
      transaction.afterCommit.push(() => {
        history.recordRun(run, now);
        ran(run);
      });
    }
  }

  /** Gives back what still runs for a consumer. */
  async giveBack(consumer: EmbeddedConsumer): Promise<void> {
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
  }

  /** Nothing is written any more. */
  close(): void {
    this.#closed = true;
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
    const { store, clock, policy, random, echoes } = this.#parts;
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
          transaction.leavesReserve = true;
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
      const subject = subjectOfWait(wait);
      const beside = transaction.events.findLast(({ event }) => event.subject === subject)?.event;
      const told = beside ?? history.toldSince(began, subject);
      if (told !== undefined && isNews(told, ending))
        store.enqueue(transaction, missedItem(lease.item, told), now);
    }
  }

  /** The interruption of a run whose consumer still lives. */
  #interruption(consumer: EmbeddedConsumer): Interruption {
    if (consumer.stopping) return "stopped";
    return this.#parts.running() === 1 ? "died alone" : "died in company";
  }

  #record(transaction: Transaction, run: RunRecord, now: number): void {
    transaction.afterCommit.push(() => {
      this.#parts.history.recordRun(run, now);
      this.#parts.ran(run);
    });
  }
}

const holds = (key: LoadedKey, lease: HeldLease): boolean =>
  key.state.running?.owner === lease.owner && key.state.running.token === lease.token;
