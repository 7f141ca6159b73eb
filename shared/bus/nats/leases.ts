import { type Clock, systemClock } from "../../clock/clock.ts";
import { pause } from "./pause.ts";
import type { StateRecord, StateStore } from "./store.ts";
import { Unsure } from "./wire.ts";

/** The part of the lease that a run uses: the server counts it in whole seconds, half a second more or less. */
const SAFE_PART = 0.8;
const PAUSE_MILLISECONDS = 100;

/** A key's record as this host writes it, and how long it holds the key by its last write. */
export class HeldRecord {
  readonly #states: StateStore;
  readonly #clock: Clock;
  readonly #leaseMilliseconds: number;
  #seq = 0;
  /** The end of the lease, by both clocks: one may stand still while the machine sleeps, the other may be set. */
  #until = { monotonic: 0, wall: 0 };
  #writtenAt = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    readonly states: StateStore;
    readonly clock: Clock;
    readonly leaseMilliseconds: number;
  }) {
    this.#states = parts.states;
    this.#clock = parts.clock;
    this.#leaseMilliseconds = parts.leaseMilliseconds;
  }

  /** The version that the next write must find: the fencing token of a run. */
  get seq(): number {
    return this.#seq;
  }

  /** The next write must find another version: the one that was read. */
  expect(seq: number): void {
    this.#seq = seq;
  }

  holds(): boolean {
    return performance.now() < this.#until.monotonic && systemClock.now() < this.#until.wall;
  }

  /** Milliseconds since it was written last. */
  get age(): number {
    return performance.now() - this.#writtenAt;
  }

  /**
   * Writes the record. One write at a time: a renewal and an end must not overtake each other.
   * @param giveUp when it ends to try, by the monotonic clock; else with the lease
   * @returns false where another version stands there, and the key is not ours
   */
  write(record: StateRecord, giveUp?: number): Promise<boolean> {
    const written = this.#writing.then(() => this.#write(record, giveUp));
    // Whoever asked for the write hears of its failure; the next one only waits.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(record: StateRecord, giveUp = this.#until.monotonic): Promise<boolean> {
    for (;;) {
      const sent = { monotonic: performance.now(), wall: systemClock.now() };
      const held = (seq: number): true => {
        this.#seq = seq;
        this.#writtenAt = sent.monotonic;
        const safe = this.#leaseMilliseconds * SAFE_PART;
        this.#until = { monotonic: sent.monotonic + safe, wall: sent.wall + safe };
        return true;
      };
      try {
        const written = await this.#states.put(record, this.#seq, this.#clock.now());
        if (written.state === "stored") return held(written.seq);
        const stands = await this.#states.get(record);
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
