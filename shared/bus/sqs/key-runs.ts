import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log/log.ts";
import { bounded } from "../bounded.ts";
import type { Failed, Finished, Parked, Work } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";
import { arrive, fail, finish, giveBack, type KeyState, park, type Running, take } from "../key-state.ts";
import type { RetryPolicy } from "../retry.ts";
import { lostRun } from "../run-of.ts";
import type { RunRecord } from "../run-record.ts";
import { runSafely } from "../run-safely.ts";
import { addedWaits, isNews, missedItem, subjectOfWait } from "../told-during.ts";
import { isEcho, isSuspect, mergeWaiting, type Waiting, withEarlier } from "../waiting.ts";
import { type Holding, leaseOf } from "./leases.ts";
import {
  type Delivery,
  deathsOf,
  deduplicationIdOf,
  MAXIMUM_BYTES,
  messageOf,
  type WorkMessage,
} from "./message.ts";
import type { Outbox } from "./outbox.ts";
import type { Outgoing } from "./queues.ts";
import { freshRecord, isAnnounced, isOvertaken, numbered } from "./record.ts";
import type { KeyRecords } from "./records.ts";
import type { KeyRecord, StateStore, StoredKey } from "./store.ts";

/** A delivery that was read. */
export interface Arrival {
  readonly delivery: Delivery;
  readonly work: WorkMessage;
}

export interface KeyRunParts {
  readonly store: StateStore;
  readonly records: KeyRecords;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly historyMilliseconds: number;
  readonly ran: (run: RunRecord) => void;
}

/** A key that was taken to be run. */
interface Taken {
  readonly stored: StoredKey;
  readonly state: KeyState & { readonly running: Running };
  readonly era: number | undefined;
  readonly counted: { readonly message: string; readonly receives: number };
  /** True where a message of it was delivered before: another run of the key may not know that it lost it. */
  readonly cameAgain: boolean;
  readonly holding: Holding;
}

/** The difference that two hosts' clocks may have before an event during a run is taken for older. */
const CLOCKS_DIFFER_MILLISECONDS = 60_000;

const unknownKey: StoredKey = { record: freshRecord, version: 0 };

/** Runs one key for the messages of it that arrived together (B2 to B6). */
export class KeyRuns {
  readonly #parts: KeyRunParts;
  readonly #running = new Set<string>();

  constructor(parts: KeyRunParts) {
    this.#parts = parts;
  }

  /** True where this process runs the key. */
  isRunning(key: WorkKey): boolean {
    return this.#running.has(keyName(key));
  }

  /**
   * Runs the newest message of one key, with the causes of all.
   * @returns true where all of it is durable, so that the messages may be forgotten
   */
  async run(key: WorkKey, arrivals: readonly Arrival[], holding: Holding, work: Work): Promise<boolean> {
    const taken = await this.#take(key, arrivals, holding);
    if (taken === undefined) return true;
    const name = keyName(key);
    this.#running.add(name);
    try {
      const { item } = taken.state.running;
      const ending = holding.held() ? await runSafely(work, leaseOf(item, holding), this.#parts) : undefined;
      if (ending === undefined || ending.state === "lost" || !holding.held()) return false;
      const ended = await this.#end(key, taken, ending);
      this.#parts.log.debug(
        { function: item.function, key: item.key, state: ended ? ending.state : "lost" },
        "a run ended",
      );
      return ended;
    } finally {
      this.#running.delete(name);
    }
  }

  async #take(key: WorkKey, arrivals: readonly Arrival[], holding: Holding): Promise<Taken | undefined> {
    const { store, records, clock, policy } = this.#parts;
    let stored = (await store.load(key)) ?? unknownKey;
    const now = clock.now();
    const { record } = stored;
    const told = arrivals.flatMap(({ work }) => work.waiting ?? []);
    const eras = arrivals.flatMap(({ work }) => work.era ?? []);
    const news = told.length === 0 ? undefined : told.reduce(mergeWaiting);
    const echo =
      news !== undefined &&
      eras.every((era) => era === record.era) &&
      eras.length > 0 &&
      isEcho(news, record.echoes);
    let state: KeyState = record;
    if (news !== undefined && !echo) {
      state = arrive(state, news, now);
      if (state.dead !== undefined) return undefined;
      // It is out of the dead letters from now on.
      if (record.dead !== undefined) stored = await records.revive(key, stored);
    } else if (state.waiting === undefined || !isAnnounced(record, state.waiting.notBefore, now))
      return undefined;
    if (state.waiting === undefined || state.dead !== undefined) return undefined;
    return this.#attempt(
      key,
      { ...state, waiting: state.waiting },
      stored,
      arrivals,
      eras,
      policy,
      now,
      holding,
    );
  }

  /** Counts the attempt, and buries what has killed its hosts too often while it ran alone (B5). */
  async #attempt(
    key: WorkKey,
    state: KeyState & { readonly waiting: Waiting },
    stored: StoredKey,
    arrivals: readonly Arrival[],
    eras: readonly number[],
    policy: RetryPolicy,
    now: number,
    holding: Holding,
  ): Promise<Taken | undefined> {
    const counts = arrivals.map(({ delivery: { id, receives } }) => ({
      message: id,
      receives,
      new: receives - (stored.record.counted?.message === id ? stored.record.counted.receives : 0),
    }));
    const most = counts.reduce((a, b) => (b.new > a.new ? b : a));
    // All deliveries but this one ended with the death of their host: no run said how it ended.
    const died = most.new > 1;
    const { alone } = stored.record;
    // Of the others nobody knows what ran beside them.
    const charged =
      alone !== undefined &&
      counts.some(({ message, receives }) => message === alone.message && receives > alone.receives);
    const attempts = state.attempts + (charged ? 1 : 0);
    const deaths = deathsOf(arrivals);
    const waiting = deaths === 0 ? state.waiting : { ...state.waiting, deaths };
    const taken: Taken = {
      stored,
      state: take(
        { ...state, waiting, running: undefined, attempts },
        key,
        { owner: 0, token: 0, now },
        policy,
      ),
      era: eras.length === 0 ? stored.record.era : Math.max(...eras),
      counted: { message: most.message, receives: most.receives },
      cameAgain: arrivals.some(({ delivery }) => delivery.receives > 1),
      holding,
    };
    if (!charged || attempts < policy.maximumAttempts) {
      if (died) await this.#recordDeath(taken, charged, now);
      if (!isSuspect({ deaths })) return taken;
      return { ...taken, stored: await this.#markAlone(key, taken, attempts) };
    }
    const counted = { ...taken, state: { ...taken.state, attempts } };
    const bury = (state: KeyState): KeyState => giveBack(state, "died alone", now, policy);
    const run = lostRun(taken.state.running, bury(counted.state).dead, now);
    await this.#settle(key, counted, bury, [], run, []);
    return undefined;
  }

  /** The run of a host that died told nothing: that it was is seen by the message's return. */
  async #recordDeath({ state: { running } }: Taken, charged: boolean, now: number): Promise<void> {
    const { store, historyMilliseconds, ran } = this.#parts;
    const item = { ...running.item, attempt: running.item.attempt - (charged ? 1 : 0) };
    const run = lostRun({ ...running, item }, undefined, now);
    await store.recordRun(run, now, now + historyMilliseconds);
    ran(run);
  }

  /** Marks a suspect's run as alone: if this delivery comes again, that run is what ended. */
  async #markAlone(key: WorkKey, { stored, counted, holding }: Taken, attempts: number): Promise<StoredKey> {
    const { store, records } = this.#parts;
    await records.change(key, stored, (record) =>
      !holding.held() || isOvertaken(record, stored.record)
        ? record
        : { ...record, attempts, alone: counted },
    );
    const marked = await store.load(key);
    return marked === undefined || isOvertaken(marked.record, stored.record) ? stored : marked;
  }

  /** False where the key is another run's by now: nothing of this one is recorded. */
  async #end(key: WorkKey, taken: Taken, ended: Finished | Failed | Parked): Promise<boolean> {
    const { clock, policy, random } = this.#parts;
    const now = clock.now();
    const { record } = taken.stored;
    const earlier = record.era === taken.era ? record.echoes : [];
    const ending = { ...ended, echoes: withEarlier(earlier, ended) };
    if (ending.state === "finished") {
      const items = ending.enqueue.map(
        (item, index): Outgoing => ({
          work: messageOf(item, now, taken.era),
          deduplicationId: deduplicationIdOf(item, "enqueued", ending.run.id, index),
        }),
      );
      const end = (state: KeyState): KeyState => finish(state, ending, now);
      const isSettled = await this.#settle(key, taken, end, ending.echoes, ending.run, items);
      // A further pass reads all of it anyway.
      if (isSettled && !ending.again) await this.#lookForMissed(taken, ending);
      return isSettled;
    }
    if (ending.state === "parked") {
      const run: RunRecord = { ...ending.run, outcome: "away", error: ending.error };
      return this.#settle(key, taken, (state) => park(state, ending, now), ending.echoes, run, []);
    }
    const chance = random();
    const end = (state: KeyState) => fail(state, ending, now, policy, chance);
    const { outcome } = end(taken.state);
    const run: RunRecord = { ...ending.run, outcome, error: ending.error };
    return this.#settle(key, taken, (state) => end(state).state, ending.echoes, run, []);
  }

  /** Wakes the run by events that came while it ran, about objects that it waits for from now on. */
  async #lookForMissed({ stored, state: { running }, era }: Taken, ending: Finished): Promise<void> {
    const { store, outbox, clock } = this.#parts;
    const since = running.takenAt - CLOCKS_DIFFER_MILLISECONDS;
    const missed = await Promise.all(
      addedWaits(ending, stored.record.waits).map(async (wait) => {
        const told = await store.toldSince(subjectOfWait(wait), since);
        return told !== undefined && isNews(told, ending) ? [missedItem(running.item, told)] : [];
      }),
    );
    await outbox.send(
      missed.flat().map((item) => ({
        work: messageOf(item, clock.now(), era),
        deduplicationId: deduplicationIdOf(item, "missed", ending.run.id, item.cause.eventId),
      })),
    );
  }

  /**
   * Makes the end of a run durable: first what is sent, then the record that no longer owes it, then the history.
   * @returns false where another run has the key by now, and the record is its own
   */
  async #settle(
    key: WorkKey,
    taken: Taken,
    end: (state: KeyState) => KeyState,
    echoes: KeyRecord["echoes"],
    run: RunRecord,
    items: readonly Outgoing[],
  ): Promise<boolean> {
    const { store, records, outbox, clock, historyMilliseconds, ran } = this.#parts;
    const now = clock.now();
    const { waiting: next } = end(taken.state);
    const again: Outgoing[] =
      next === undefined || next.notBefore > now
        ? []
        : [
            {
              work: {
                function: key.function,
                key: key.key,
                waiting: bounded(next, MAXIMUM_BYTES),
                era: taken.era,
              },
              deduplicationId: deduplicationIdOf(key, "again", run.id),
            },
          ];
    await outbox.send([...again, ...items]);
    let overtaken = false;
    await records.change(key, taken.stored, (record) => {
      // Asked at each try: its host may have stood still since it looked last.
      overtaken = !taken.holding.held() || isOvertaken(record, taken.stored.record);
      if (overtaken) return record;
      // Timers may have fired meanwhile; the rest of a record is the run's alone.
      const { running, attempts } = taken.state;
      const {
        waiting,
        running: _,
        ...ended
      } = end({ ...record, dead: undefined, waiting: undefined, running, attempts });
      const after: KeyRecord = {
        ...ended,
        waiting:
          waiting === undefined || waiting.notBefore <= now ? undefined : bounded(waiting, MAXIMUM_BYTES),
        echoes,
        era: taken.era,
        alarm: record.alarm,
        counted: ended.attempts === 0 ? undefined : taken.counted,
        alone: undefined,
      };
      return numbered(after, record, now, taken.cameAgain);
    });
    if (overtaken) return false;
    await store.recordRun(run, now, now + historyMilliseconds);
    ran(run);
    return true;
  }
}
