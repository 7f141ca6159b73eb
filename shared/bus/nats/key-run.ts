import { type Clock, systemClock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Failed, Finished, Lost, Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { WorkItem, WorkKey } from "../item.ts";
import { againItem, arrive, fail, finish, freshKey, giveBack, type KeyState, take } from "../key-state.ts";
import { HeldLease } from "../lease.ts";
import type { RetryPolicy } from "../retry.ts";
import { lostRun, threwRun } from "../run-of.ts";
import type { RunRecord } from "../run-record.ts";
import { isEcho, type Waiting } from "../waiting.ts";
import type { Acknowledger, Delivery } from "./delivery.ts";
import type { HistoryWriter } from "./history.ts";
import type { LastKnown } from "./last-known.ts";
import { pause } from "./pause.ts";
import { dueOf, echoesOf, type KnownState, type StateRecord, type StateStore } from "./state-store.ts";
import { fireTimers } from "./timers.ts";
import { unique } from "./unique.ts";
import { VERSION } from "./version.ts";
import type { WaitIndex } from "./wait-index.ts";
import { Unsure } from "./wire.ts";
import { newsOf, objectIn, type WorkStore } from "./work-store.ts";

/** What all runs of a host stand on. */
export interface RunParts {
  /** This host, new with every process. */
  readonly host: string;
  readonly states: StateStore;
  readonly work: WorkStore;
  readonly waits: WaitIndex;
  readonly history: HistoryWriter;
  readonly acknowledge: Acknowledger;
  readonly known: LastKnown;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly leaseMilliseconds: number;
  readonly ran: (run: RunRecord) => void;
  /** Gives an item to the host that runs its key. False: that host does not run it. */
  readonly delegate: (delivery: Delivery, owner: string) => Promise<boolean>;
  /** Look at the key at this time, if this host still lives: sooner than the server's hint. */
  readonly wakeAt: (key: WorkKey, recordId: string, due: number) => void;
}

/** Whoever took the item: its slots and its function. */
export interface Taker {
  readonly work: Work;
  readonly stopping: boolean;
  /** The run no longer has its key. */
  gone(run: KeyRun): void;
}

/** How much of the lease a run uses: the server counts it in whole seconds, half a second more or less. */
const SAFE_PART = 0.8;
/** When a lease is renewed. */
const RENEW_PART = 0.3;
/**
 * How old what was begun ahead may be when the key is taken. The record of a run lives longer than this, so that of a run that
 * another host had meanwhile would have been met.
 */
const AHEAD_MILLISECONDS = 1_000;
/** For how long it tries to take a key before it gives the item back. */
const BEGIN_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 100;
/** How long an item waits that nobody could take now. */
const AGAIN_MILLISECONDS = 2_000;
const WRITE_AGAIN_MILLISECONDS = 1_000;

interface Begun {
  readonly item: WorkItem;
}

/**
 * One key in this host's hands, from the first item to the release. What comes for the key meanwhile is put in `inbox`.
 * The state is what NATS holds; every change of it is a pure function, written by compare-and-set.
 */
export class KeyRun {
  readonly key: WorkKey;
  readonly taker: Taker;
  readonly #parts: RunParts;
  /** By subject: a newer message of a subject holds what the older one held. */
  readonly #inbox = new Map<string, Delivery>();
  /** What the present run was begun for. */
  #held: Delivery[] = [];
  #state: KeyState = freshKey;
  #covered: Record<string, number> = {};
  #inherited = false;
  #seq = 0;
  /** Until when the lease holds, by both clocks: one may stand still while the machine sleeps, the other may be set. */
  #until = { monotonic: 0, wall: 0 };
  #writtenAt = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #lease: HeldLease | undefined;
  /** Its last word is being written: a renewal would come after it. */
  #ending = false;

  constructor(parts: RunParts, key: WorkKey, taker: Taker) {
    this.#parts = parts;
    this.key = { function: key.function, key: key.key };
    this.taker = taker;
  }

  add(delivery: Delivery): void {
    const { acknowledge } = this.#parts;
    const before = this.#inbox.get(delivery.subject);
    if (before !== undefined && before.seq > delivery.seq) return;
    // The same one again: its time ran out while it stood here. The newer delivery is the one that can be acknowledged.
    this.#inbox.set(delivery.subject, delivery);
    if (before !== undefined && before.ack !== delivery.ack && before.seq !== delivery.seq)
      acknowledge.done(before);
  }

  get idle(): boolean {
    return this.#inbox.size === 0;
  }

  get runs(): boolean {
    return this.#lease !== undefined;
  }

  /** Runs the key until nothing is left to do for it here. Never rejects. */
  async live(): Promise<void> {
    const { log, acknowledge } = this.#parts;
    while (this.#inbox.size > 0) {
      try {
        let begun = await this.#begin();
        while (begun !== undefined) begun = await this.#run(begun);
      } catch (thrown) {
        const { function: name, key } = this.key;
        log.warn(
          { function: name, key, error: messageOf(thrown) },
          "a key could not be run; its item goes back",
        );
        for (const delivery of this.#inbox.values()) acknowledge.back(delivery, AGAIN_MILLISECONDS);
        this.#inbox.clear();
        for (const delivery of this.#held) acknowledge.back(delivery, AGAIN_MILLISECONDS);
        this.#held = [];
        this.#lease?.lose("the bus failed");
      } finally {
        this.#lease = undefined;
      }
      if (this.taker.stopping) {
        for (const delivery of this.#inbox.values()) acknowledge.back(delivery);
        this.#inbox.clear();
      }
    }
  }

  /** Called now and then while it runs. */
  async renew(): Promise<void> {
    const { leaseMilliseconds, acknowledge } = this.#parts;
    const lease = this.#lease;
    if (lease === undefined || this.#ending) return;
    if (performance.now() - this.#writtenAt < leaseMilliseconds * RENEW_PART) return;
    if (lease.held() && !(await this.#write(this.#record())))
      lease.lose("another host has taken the key over, or NATS does not answer");
    if (this.#lease !== lease) return;
    if (!lease.held()) this.#lost();
    else for (const delivery of [...this.#held, ...this.#inbox.values()]) acknowledge.working(delivery);
  }

  /** Gives the key back unfinished: its host stops. */
  async giveBack(): Promise<void> {
    const { acknowledge, clock, policy, known, log } = this.#parts;
    const lease = this.#lease;
    if (lease === undefined) return;
    this.#lease = undefined;
    const held = lease.held();
    lease.lose("its host was told to stop");
    const deliveries = [...this.#held, ...this.#inbox.values()];
    this.#held = [];
    this.#inbox.clear();
    if (held) {
      this.#state = giveBack(this.#state, false, clock.now(), policy);
      known.forget(this.key);
      await this.#write(this.#record()).catch((thrown: unknown) => {
        // Its lease ends, and then it is run elsewhere; the attempt counts.
        log.warn(
          { function: this.key.function, key: this.key.key, error: messageOf(thrown) },
          "a key could not be given back",
        );
      });
    }
    for (const delivery of deliveries) acknowledge.back(delivery);
  }

  /** As the death of the process. */
  abandon(): void {
    this.#lease?.lose("its process died");
    this.#lease = undefined;
    this.#inbox.clear();
    this.#held = [];
  }

  /** Takes the key where there is something to do for it and nobody runs it. */
  async #begin(): Promise<Begun | undefined> {
    const { states, clock, policy, known, acknowledge, history, ran } = this.#parts;
    const giveUp = performance.now() + BEGIN_MILLISECONDS;
    let base = known.of(this.key);
    // What was read, and not only remembered, may be decided on without a write.
    let read = false;
    const load = async (): Promise<void> => {
      for (;;)
        try {
          base = await states.get(this.key);
          read = true;
          return;
        } catch (thrown) {
          if (!(thrown instanceof Unsure) || performance.now() > giveUp) throw thrown;
          await pause(PAUSE_MILLISECONDS);
        }
    };
    if (base === undefined && [...this.#inbox.values()].every(({ sort }) => sort === "due")) await load();
    let first = true;
    for (;;) {
      const now = clock.now();
      if (read && !this.#dropStaleHints(base?.record)) return undefined;
      let state = base?.record.state ?? freshKey;
      let lost: RunRecord | undefined;
      let inherited = base?.record.inherited ?? false;
      const covered: Record<string, number> = { ...base?.record.covered };
      if (base !== undefined && state.running !== undefined) {
        if (!read) {
          await load();
          continue;
        }
        const mine = base.record.owner === this.#parts.host;
        if (!mine && !this.#mayTakeOver(base)) {
          if (await this.#delegateAll(base.record.owner ?? "")) return undefined;
          await load();
          continue;
        }
        const { running } = state;
        state = giveBack(state, !mine, now, policy);
        if (!mine) lost = lostRun(running, state.dead, now);
        inherited = true;
      }
      state = fireTimers(state, base?.record.id ?? "", now);
      if (inherited) state = await this.#takeUnseen(state, covered, now);
      const echoes = base === undefined ? [] : echoesOf(base.record, now);
      const taken: Delivery[] = [];
      for (const delivery of this.#inbox.values()) {
        taken.push(delivery);
        const news = this.#newsOf(delivery, covered);
        if (news === undefined || (isEcho(news, echoes) && state.waiting === undefined)) continue;
        state = arrive(state, news, now);
      }
      for (const delivery of taken)
        if (delivery.message !== undefined)
          covered[delivery.sort] = Math.max(covered[delivery.sort] ?? 0, delivery.seq);
      const runs = state.waiting !== undefined && state.waiting.notBefore <= now;
      if (!runs && !read) {
        await load();
        continue;
      }
      this.#seq = base?.seq ?? 0;
      this.#covered = covered;
      this.#inherited = inherited;
      this.#state = runs ? take(state, this.key, { owner: 0, token: this.#seq, now }, policy) : state;
      const record = this.#record(runs ? undefined : base?.record);
      const unchanged = !runs && state === base?.record.state;
      const keeps = unchanged && !this.#isHinted();
      // Once: whoever met another host's run may have read before it ended.
      const ahead = first && runs ? this.#ahead(taken) : undefined;
      first = false;
      if (!keeps && !(await this.#write(record, giveUp))) {
        if (performance.now() > giveUp) throw new Unsure("the taking of a key");
        await load();
        continue;
      }
      for (const delivery of taken) this.#inbox.delete(delivery.subject);
      if (lost !== undefined) {
        const died = lost;
        void history.run(died).then(() => ran(died));
      }
      if (!runs) {
        for (const delivery of taken) acknowledge.done(delivery);
        if (!keeps) this.#remember(record);
        return undefined;
      }
      this.#held = taken;
      return this.#begun(ahead?.());
    }
  }

  /** Gives what was begun for the run while its key was being taken, where that did not take long. */
  #ahead(taken: readonly Delivery[]): (() => unknown) | undefined {
    const item = this.#state.running?.item;
    const { ahead } = this.taker.work;
    if (item === undefined || ahead === undefined) return undefined;
    const began = performance.now();
    // Whether it is in the version that counts is for the run to see.
    const told = taken
      .toSorted((one, other) => other.seq - one.seq)
      .map(({ message }) => message && objectIn(message))
      .find((object) => object !== undefined);
    const what = ahead(item, told);
    return () => (performance.now() - began < AHEAD_MILLISECONDS ? what : undefined);
  }

  #begun(ahead?: unknown): Begun | undefined {
    const item = this.#state.running?.item;
    if (item === undefined) return undefined;
    this.#lease = new HeldLease(
      item,
      { owner: 0, token: this.#seq },
      () => performance.now() < this.#until.monotonic && systemClock.now() < this.#until.wall,
      ahead,
    );
    return { item };
  }

  async #run({ item }: Begun): Promise<Begun | undefined> {
    const { clock, log } = this.#parts;
    const lease = this.#lease;
    if (lease === undefined) return undefined;
    const startedAt = clock.now();
    let ending: Finished | Failed | Lost;
    try {
      ending = await this.taker.work(lease);
    } catch (thrown) {
      const error = { code: "BUS_WORK_THREW", message: messageOf(thrown) };
      log.error({ function: item.function, key: item.key, error: error.message }, "a run threw");
      const run = threwRun(item, error, startedAt, clock.now());
      ending = { state: "failed", error, retryable: true, echoes: [], subjects: {}, run };
    }
    // Given back meanwhile.
    if (this.#lease !== lease) return undefined;
    return this.#end(lease, ending);
  }

  async #end(lease: HeldLease, ending: Finished | Failed | Lost): Promise<Begun | undefined> {
    const { clock, policy, random, work, history, acknowledge, log, ran } = this.#parts;
    const { running, ...before } = this.#state;
    if (running === undefined) return undefined;
    let end = ending;
    for (;;) {
      if (!lease.held() || this.#lease !== lease) return this.#lost();
      const now = clock.now();
      const taken = [...this.#inbox.values()];
      const covered = { ...this.#covered };
      let state: KeyState = { ...before, running };
      for (const delivery of taken) {
        const news = this.#newsOf(delivery, covered);
        if (news !== undefined) state = arrive(state, news, now);
      }
      for (const delivery of taken)
        if (delivery.message !== undefined)
          covered[delivery.sort] = Math.max(covered[delivery.sort] ?? 0, delivery.seq);
      // What fell due during the run is news too, whatever the ending says of later.
      state = fireTimers(state, `${this.#seq}`, now);
      let run: RunRecord | undefined;
      try {
        if (end.state === "finished") {
          // Alone it goes to the end of the queue; with something that waits it is one run.
          const later = end.again && state.waiting === undefined;
          // First, and not beside the others: it goes before them in the queue.
          if (later) await work.enqueue([againItem(running.item, end, now)]);
          if (end.enqueue.length > 0) await work.enqueue(end.enqueue);
          if (!lease.held()) return this.#lost();
          if (!sameWaits(end.waits, state.waits)) await this.#setWaits(end.waits);
          state = finish(state, later ? { ...end, again: false } : end, now);
          run = end.run;
        } else if (end.state === "failed") {
          const failed = fail(state, end, now, policy, random());
          state = failed.state;
          run = { ...end.run, outcome: failed.outcome, error: end.error };
        } else state = giveBack(state, !this.taker.stopping, now, policy);
        state = fireTimers(state, `${this.#seq}`, now);
      } catch (thrown) {
        log.error(
          { function: this.key.function, key: this.key.key, error: messageOf(thrown) },
          "the end of a run could not be written",
        );
        // What cannot be written whatever the state of the bus must not be tried for ever: the item is run again.
        if (!(thrown instanceof BusError)) end = { state: "lost" };
        await pause(WRITE_AGAIN_MILLISECONDS);
        continue;
      }
      const runsOn = state.waiting !== undefined && state.waiting.notBefore <= now && !this.taker.stopping;
      this.#covered = covered;
      this.#state = runsOn ? take(state, this.key, { owner: 0, token: this.#seq, now }, policy) : state;
      const echoes = end.state === "lost" ? undefined : end.echoes;
      const record = { ...this.#record(), ...(!runsOn && echoes !== undefined && { echoes, endedAt: now }) };
      const recorded = run === undefined ? undefined : history.run(run);
      this.#ending = true;
      const written = await this.#write(record);
      this.#ending = false;
      if (!written) {
        lease.lose("another host has taken the key over, or NATS does not answer");
        return this.#lost();
      }
      await recorded;
      for (const delivery of this.#held) acknowledge.done(delivery);
      for (const delivery of taken)
        if (this.#inbox.get(delivery.subject) === delivery) this.#inbox.delete(delivery.subject);
      if (run !== undefined) ran(run);
      if (runsOn) {
        this.#held = taken;
        return this.#begun();
      }
      for (const delivery of taken) acknowledge.done(delivery);
      this.#held = [];
      this.#lease = undefined;
      this.#inherited = false;
      this.#remember(record);
      return undefined;
    }
  }

  /** Somebody else has it, or will: nothing is acknowledged, nothing written. */
  #lost(): undefined {
    const { acknowledge, known } = this.#parts;
    known.forget(this.key);
    this.taker.gone(this);
    for (const delivery of this.#inbox.values()) acknowledge.back(delivery, AGAIN_MILLISECONDS);
    this.#inbox.clear();
    this.#held = [];
    this.#lease = undefined;
    return undefined;
  }

  /** What a delivery tells that the state does not account for. */
  #newsOf(delivery: Delivery, covered: Readonly<Record<string, number>>): Waiting | undefined {
    const { message, seq, sort } = delivery;
    return message === undefined ? undefined : newsOf(message, seq, covered[sort] ?? 0);
  }

  /** After a host died: what it had in its hands, and what came since, is read where it is kept. */
  async #takeUnseen(state: KeyState, covered: Record<string, number>, now: number): Promise<KeyState> {
    let merged = state;
    for (const lane of ["urgent", "sweep"] as const) {
      const found = await this.#parts.work.waiting(this.key, lane);
      if (found === undefined) continue;
      const news = newsOf(found.message, found.seq, covered[lane] ?? 0);
      if (news !== undefined) merged = arrive(merged, news, now);
      covered[lane] = Math.max(covered[lane] ?? 0, found.seq);
    }
    return merged;
  }

  /** Hints whose record is no longer the one that stands are of the past. False where nothing is left. */
  #dropStaleHints(record: StateRecord | undefined): boolean {
    for (const [subject, delivery] of this.#inbox) {
      if (delivery.sort !== "due" || delivery.recordId === record?.id) continue;
      this.#parts.acknowledge.done(delivery);
      this.#inbox.delete(subject);
    }
    return this.#inbox.size > 0;
  }

  #isHinted(): boolean {
    return [...this.#inbox.values()].some(({ sort }) => sort === "due");
  }

  /** The server says that its lease is over, or this host has seen it stand still for longer than any lease. */
  #mayTakeOver(base: KnownState): boolean {
    return (
      [...this.#inbox.values()].some(({ sort, recordId }) => sort === "due" && recordId === base.record.id) ||
      this.#parts.known.standsStill(this.key, base.seq, this.#parts.leaseMilliseconds)
    );
  }

  /** True where all items are with the owner, or wait. */
  async #delegateAll(owner: string): Promise<boolean> {
    const { delegate, acknowledge } = this.#parts;
    for (const [subject, delivery] of [...this.#inbox]) {
      if (delivery.sort === "due") acknowledge.done(delivery);
      else if (!(await delegate(delivery, owner))) return false;
      if (this.#inbox.get(subject) === delivery) this.#inbox.delete(subject);
    }
    return true;
  }

  #record(before?: StateRecord): StateRecord {
    const state = this.#state;
    return {
      version: VERSION,
      id: unique(),
      ...this.key,
      ...(state.running !== undefined && { owner: this.#parts.host }),
      state,
      covered: this.#covered,
      ...(this.#inherited && { inherited: true }),
      ...(before?.echoes !== undefined && { echoes: before.echoes, endedAt: before.endedAt }),
    };
  }

  /** Remembers what stands now, and looks at it again when it is due. */
  #remember(record: StateRecord): void {
    const { known, wakeAt } = this.#parts;
    known.set(this.key, { seq: this.#seq, record });
    const due = dueOf(record.state);
    if (due !== undefined) wakeAt(this.key, record.id, due);
  }

  async #setWaits(waits: Finished["waits"]): Promise<void> {
    await this.#parts.waits.set(this.key, waits);
  }

  /** One write at a time: a renewal and an end must not overtake each other. */
  #write(record: StateRecord, giveUp?: number): Promise<boolean> {
    const written = this.#writing.then(() => this.#writeNow(record, giveUp));
    // Whoever asked for the write hears of its failure; the next one only waits.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** False where another version stands there: the key is not ours. */
  async #writeNow(record: StateRecord, giveUp = this.#until.monotonic): Promise<boolean> {
    const { states, clock, leaseMilliseconds } = this.#parts;
    for (;;) {
      const sent = { monotonic: performance.now(), wall: systemClock.now() };
      const held = (seq: number): true => {
        this.#seq = seq;
        this.#writtenAt = sent.monotonic;
        const safe = leaseMilliseconds * SAFE_PART;
        this.#until = { monotonic: sent.monotonic + safe, wall: sent.wall + safe };
        return true;
      };
      try {
        const written = await states.put(record, this.#seq, clock.now());
        if (written.state === "stored") return held(written.seq);
        const stands = await states.get(this.key);
        // An answer was lost, and the write stands.
        if (stands?.record.id === record.id) return held(stands.seq);
        if (written.last === undefined || (stands?.seq ?? 0) >= written.last || stands === undefined)
          return false;
      } catch (thrown) {
        if (!(thrown instanceof Unsure)) throw thrown;
      }
      if (performance.now() > giveUp) return false;
      await pause(PAUSE_MILLISECONDS);
    }
  }
}

const sameWaits = (one: Finished["waits"], other: Finished["waits"]): boolean =>
  one.length === other.length && JSON.stringify(one) === JSON.stringify(other);
