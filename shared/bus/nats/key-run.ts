import { messageOf } from "../../errors.ts";
import type { Echo, RunEnding } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { WorkKey } from "../item.ts";
import { freshKey, giveBack, type Interruption, type KeyState, take } from "../key-state.ts";
import { HeldLease } from "../lease.ts";
import { lostRun } from "../run-of.ts";
import type { RunRecord } from "../run-record.ts";
import { runSafely } from "../run-safely.ts";
import { withEarlier } from "../waiting.ts";
import { beginAhead } from "./ahead.ts";
import type { Arrival } from "./delivery.ts";
import { isDue, mustBeAlone, outcomeOf } from "./ending.ts";
import { Inbox } from "./inbox.ts";
import { HeldRecord } from "./leases.ts";
import { pause } from "./pause.ts";
import type { RunParts, Taker } from "./run-parts.ts";
import { dueOf, echoesOf, type KnownState, type StateRecord } from "./store.ts";
import { fireTimers } from "./timers.ts";
import { unique } from "./unique.ts";
import { accountFor, takeUnseen } from "./unseen.ts";
import { VERSION } from "./version.ts";
import { Unsure } from "./wire.ts";

/** The part of a lease after which it is renewed. */
const RENEW_PART = 0.3;
/** For how long it tries to take a key before it gives the item back. */
const BEGIN_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 100;
/** The time that an item waits which nobody could take now. */
const AGAIN_MILLISECONDS = 2_000;
const WRITE_AGAIN_MILLISECONDS = 1_000;

/**
 * One key in this host's hands, from the first item to the release. What comes for the key meanwhile is put in `inbox`.
 * The state is what NATS holds; every change of it is a pure function, written by compare-and-set.
 */
export class KeyRun {
  readonly key: WorkKey;
  readonly #taker: Taker;
  readonly #parts: RunParts;
  readonly #inbox: Inbox;
  /** The arrivals for which the present run was begun. */
  #held: readonly Arrival[] = [];
  #state: KeyState = freshKey;
  #covered: Record<string, number> = {};
  #inherited = false;
  /** The echoes of its runs so far. */
  #echoes: readonly Echo[] = [];
  readonly #stands: HeldRecord;
  #lease: HeldLease | undefined;
  /** Nothing else runs in this host until it has ended. */
  #solitary = false;
  /** The last word of its record about runs beside it. */
  #saidAlone = false;
  #gone = false;
  /** True while its last word is written: a renewal would come after it. */
  #ending = false;

  constructor(parts: RunParts, key: WorkKey, taker: Taker) {
    this.#parts = parts;
    this.#inbox = new Inbox(parts);
    this.#stands = new HeldRecord(parts);
    this.key = { function: key.function, key: key.key };
    this.#taker = taker;
  }

  add(arrival: Arrival): void {
    this.#inbox.add(arrival);
  }

  /** It no longer has its key, though its work may not have ended yet. */
  get isGone(): boolean {
    return this.#gone;
  }

  get runs(): boolean {
    return this.#lease !== undefined;
  }

  /** Runs the key until nothing is left to do for it here, or it makes room for what must be alone. Never rejects. */
  async live(): Promise<void> {
    const { log, acknowledge, solitude } = this.#parts;
    while (!this.#inbox.isEmpty) {
      try {
        let begun = await this.#begin();
        while (begun) begun = await this.#run();
      } catch (thrown) {
        const { function: name, key } = this.key;
        log.warn(
          { function: name, key, error: messageOf(thrown) },
          "a key could not be run; its item goes back",
        );
        this.#inbox.giveBack(AGAIN_MILLISECONDS);
        for (const delivery of this.#held) acknowledge.back(delivery, AGAIN_MILLISECONDS);
        this.#held = [];
        this.#lease?.lose("the bus failed");
      } finally {
        this.#lease = undefined;
      }
      if (this.#taker.stopping.aborted || solitude.closed) this.#inbox.giveBack();
    }
  }

  /** Called now and then while it runs. */
  async renew(): Promise<void> {
    const { leaseMilliseconds, acknowledge } = this.#parts;
    const lease = this.#lease;
    if (lease === undefined || this.#ending) return;
    const joined = this.#saidAlone && !this.#parts.solitude.isAlone(this);
    if (!joined && this.#stands.age < leaseMilliseconds * RENEW_PART) return;
    if (lease.held() && !(await this.#stands.write(this.#record())))
      lease.lose("another host has taken the key over, or NATS does not answer");
    if (this.#lease !== lease) return;
    if (!lease.held()) this.#lost();
    else for (const delivery of [...this.#held, ...this.#inbox.values()]) acknowledge.working(delivery);
  }

  /** Gives the key back unfinished: its host stops. */
  async giveBack(): Promise<void> {
    const { acknowledge, clock, policy, known, log } = this.#parts;
    const lease = this.#lease;
    this.#gone = true;
    if (lease === undefined) return;
    this.#lease = undefined;
    const held = lease.held();
    lease.lose("its host was told to stop");
    const deliveries = [...this.#held, ...this.#inbox.values()];
    this.#held = [];
    this.#inbox.clear();
    if (held) {
      this.#state = giveBack(this.#state, "stopped", clock.now(), policy);
      known.forget(this.key);
      await this.#stands.write(this.#record()).catch((thrown: unknown) => {
        // Its lease ends, and then it is run elsewhere; the attempt counts.
        log.warn(
          { function: this.key.function, key: this.key.key, error: messageOf(thrown) },
          "a key could not be given back",
        );
      });
    }
    for (const delivery of deliveries) acknowledge.back(delivery);
  }

  /** Ends as the death of the process would end it. */
  abandon(): void {
    this.#lease?.lose("its process died");
    this.#lease = undefined;
    this.#inbox.clear();
    this.#held = [];
  }

  /** Takes the key where there is something to do for it and nobody runs it. */
  async #begin(): Promise<boolean> {
    const { states, clock, policy, known, acknowledge, history, ran, random, solitude } = this.#parts;
    let giveUp = performance.now() + BEGIN_MILLISECONDS;
    let base = known.of(this.key);
    const remembered = base?.seq ?? 0;
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
    if (base === undefined && this.#inbox.values().every(({ sort }) => sort === "due")) await load();
    else if (!known.trusts(this.key)) {
      await load();
      known.proved(this.key, (base?.seq ?? 0) === remembered);
    }
    let first = true;
    for (;;) {
      const now = clock.now();
      if (read && !this.#inbox.dropStaleHints(base?.record)) return false;
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
          if (await this.#inbox.delegate(base.record.owner ?? "")) return false;
          await load();
          continue;
        }
        const { running } = state;
        const how = mine ? "stopped" : running.alone === true ? "died alone" : "died in company";
        state = giveBack(state, how, now, policy, random());
        if (!mine) lost = lostRun(running, state.dead, now);
        inherited = true;
      }
      state = fireTimers(state, base?.record.id ?? "", now);
      if (inherited) state = await takeUnseen(this.key, this.#parts.work, state, covered, now);
      const echoes = base === undefined ? [] : echoesOf(base.record, now);
      const taken = this.#inbox.values();
      state = accountFor(state, taken, covered, now, echoes);
      const runs = isDue(state, now);
      if (runs) this.#echoes = echoes;
      if (!runs && !read) {
        await load();
        continue;
      }
      if (runs && !this.#solitary && mustBeAlone(state)) {
        await solitude.enter(this);
        this.#solitary = true;
        if (this.#taker.stopping.aborted) return false;
        // Meanwhile another host may have run it.
        giveUp = performance.now() + BEGIN_MILLISECONDS;
        await load();
        continue;
      }
      this.#stands.expect(base?.seq ?? 0);
      this.#covered = covered;
      this.#inherited = inherited;
      this.#state = runs ? take(state, this.key, { owner: 0, token: this.#stands.seq, now }, policy) : state;
      const record = this.#record(runs ? undefined : base?.record);
      const unchanged = !runs && state === base?.record.state;
      const keeps = unchanged && !this.#inbox.isHinted;
      // Once: whoever met another host's run may have read before it ended.
      const ahead = first && runs ? beginAhead(this.#state.running?.item, this.#taker.work) : undefined;
      first = false;
      const written = keeps || (await this.#stands.write(record, giveUp));
      if (!read) known.proved(this.key, written);
      if (!written) {
        if (performance.now() > giveUp) throw new Unsure("the taking of a key");
        await load();
        continue;
      }
      this.#inbox.remove(taken);
      if (lost !== undefined) {
        const died = lost;
        void history.run(died).then(() => ran(died));
      }
      if (!runs) {
        for (const delivery of taken) acknowledge.done(delivery);
        if (!keeps) this.#remember(record);
        return false;
      }
      this.#held = taken;
      return this.#begun(ahead?.());
    }
  }

  #begun(ahead?: unknown): boolean {
    const item = this.#state.running?.item;
    if (item === undefined) return false;
    this.#lease = new HeldLease(
      item,
      { owner: 0, token: this.#stands.seq },
      () => this.#stands.holds(),
      ahead,
    );
    return true;
  }

  async #run(): Promise<boolean> {
    const lease = this.#lease;
    if (lease === undefined) return false;
    const ending = await runSafely(this.#taker.work, lease, this.#parts);
    // Given back meanwhile.
    if (this.#lease !== lease) return false;
    return this.#end(lease, ending);
  }

  async #end(lease: HeldLease, ending: RunEnding): Promise<boolean> {
    const { clock, policy, history, acknowledge, log, ran, solitude } = this.#parts;
    const { running, ...before } = this.#state;
    if (running === undefined) return false;
    const { waits } = before;
    let end = ending;
    let { item } = running;
    for (;;) {
      if (!lease.held() || this.#lease !== lease) return this.#lost();
      if (end.state !== "lost") end = { ...end, echoes: withEarlier(this.#echoes, end) };
      const now = clock.now();
      const taken = this.#inbox.values();
      const covered = { ...this.#covered };
      let state = accountFor({ ...before, running: { ...running, item } }, taken, covered, now);
      // What fell due during the run is news too, whatever the ending says of later.
      state = fireTimers(state, `${this.#stands.seq}`, now);
      let run: RunRecord | undefined;
      try {
        const { key } = this;
        const how = this.#interruption();
        const ended = { key, lease, running, item, state, ending: end, waits, how, now };
        const outcome = await outcomeOf(this.#parts, ended);
        if (outcome.of === "nothing") return this.#lost();
        if (outcome.of === "noRoom") {
          ({ item, ending: end } = outcome);
          continue;
        }
        ({ run } = outcome);
        state = fireTimers(outcome.state, `${this.#stands.seq}`, now);
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
      // Where a run must be alone here the others make room; what came for this key waits in its record.
      const mayRunOn = !this.#taker.stopping.aborted && !solitude.closed && !mustBeAlone(state);
      const runsOn = isDue(state, now) && mayRunOn;
      this.#covered = covered;
      this.#state = runsOn
        ? take(state, this.key, { owner: 0, token: this.#stands.seq, now }, policy)
        : state;
      if (end.state !== "lost") this.#echoes = end.echoes;
      const told = end.state !== "lost" && !runsOn && { echoes: end.echoes, endedAt: now };
      const record = { ...this.#record(), ...told };
      const recorded = run === undefined ? undefined : history.run(run);
      this.#ending = true;
      const written = await this.#stands.write(record);
      this.#ending = false;
      if (!written) {
        lease.lose("another host has taken the key over, or NATS does not answer");
        return this.#lost();
      }
      await recorded;
      for (const delivery of this.#held) acknowledge.done(delivery);
      this.#inbox.remove(taken);
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
      return false;
    }
  }

  #interruption(): Interruption {
    if (this.#taker.stopping.aborted) return "stopped";
    return this.#parts.solitude.isAlone(this) ? "died alone" : "died in company";
  }

  /** Somebody else has it, or will: nothing is acknowledged, nothing written. */
  #lost(): false {
    const { known } = this.#parts;
    known.forget(this.key);
    this.#gone = true;
    this.#inbox.giveBack(AGAIN_MILLISECONDS);
    this.#held = [];
    this.#lease = undefined;
    return false;
  }

  /** The server says that its lease is over, or this host has seen it stand still for longer than any lease. */
  #mayTakeOver(base: KnownState): boolean {
    return (
      this.#inbox.values().some((arrival) => arrival.sort === "due" && arrival.recordId === base.record.id) ||
      this.#parts.known.standsStill(this.key, base.seq, this.#parts.leaseMilliseconds)
    );
  }

  #record(before?: StateRecord): StateRecord {
    const { running, ...rest } = this.#state;
    const { host, solitude } = this.#parts;
    const owned = running && { ...running, alone: solitude.isAlone(this) };
    this.#saidAlone = owned?.alone === true;
    return {
      version: VERSION,
      id: unique(),
      ...this.key,
      ...(owned !== undefined && { owner: host }),
      state: owned === undefined ? rest : { ...rest, running: owned },
      covered: this.#covered,
      ...(this.#inherited && { inherited: true }),
      ...(before?.echoes !== undefined && { echoes: before.echoes, endedAt: before.endedAt }),
    };
  }

  /** Remembers what stands now, and looks at it again when it is due. */
  #remember(record: StateRecord): void {
    const { known, alarms } = this.#parts;
    known.set(this.key, { seq: this.#stands.seq, record });
    const due = dueOf(record.state);
    if (due !== undefined) alarms.set(this.key, record.id, due);
  }
}
