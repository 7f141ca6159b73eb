import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { type ConnectionState, type ProbePolicy, probed, up } from "./connection-state.ts";

/** Asks a connection how it is: why it cannot be used, or undefined where it can. What it rejects with is a reason too. */
export type Probe = () => Promise<string | undefined>;

/** A connection that is away. */
export interface Away {
  /** The connection's name in the pool. */
  readonly connection: string;
  /** The reason, in words. */
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface ConnectionParts {
  readonly name: string;
  readonly probe: Probe;
  readonly policy: ProbePolicy;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** It went away, or came back. */
  readonly changed: () => void;
  /** True where nothing is wrong with one that is away: it is yet to come. Default: never. */
  readonly isToCome?: () => boolean;
}

/**
 * One connection behind one probe. While it is up it is asked only where something failed, so that it costs nothing at rest; while it
 * is away it is asked again and again until it answers.
 */
export class ProbedConnection {
  readonly name: string;
  readonly #parts: ConnectionParts;
  #state: ConnectionState = up;
  #asking: Promise<void> | undefined;
  #upAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(parts: ConnectionParts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  /** True while a probe is on its way. */
  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** The time at which the last probe that is over began, in milliseconds since the epoch. */
  get askedAt(): number {
    return this.#askedAt;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The reason why it is away, without a request; undefined where it is not known to be. */
  get away(): Away | undefined {
    const state = this.#state;
    if (state.name === "up") return undefined;
    return { connection: this.name, reason: state.reason, since: state.since };
  }

  /**
   * The reason why it is away, by a probe that began after this call; while it is known to be away, by the last probe.
   * @param maximumAge the age in milliseconds up to which a probe that found it there still counts
   */
  async check(maximumAge = 0): Promise<Away | undefined> {
    const { clock } = this.#parts;
    if (this.#state.name === "away") return this.blocked();
    if (maximumAge > 0 && clock.now() - this.#upAt <= maximumAge) return undefined;
    // One that is on its way may have been answered before what failed.
    const before = this.#asking;
    if (before !== undefined) await before;
    if (this.#state.name === "up") await this.#ask();
    return this.away;
  }

  /**
   * The reason why it is known to be away. It is probed only where the time for that has come: timers stand still in a frozen
   * process.
   */
  async blocked(): Promise<Away | undefined> {
    const state = this.#state;
    if (state.name === "away" && this.#parts.clock.now() >= state.next) await this.#ask();
    return this.away;
  }

  /** Probes it now, whenever the next probe would be due: what made it go away may be mended. It makes no later probe rarer. */
  async again(): Promise<Away | undefined> {
    const before = this.#asking;
    if (before !== undefined) await before;
    await this.#ask(true);
    return this.away;
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  #ask(isExtra = false): Promise<void> {
    this.#asking ??= this.#probe(isExtra).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #probe(isExtra: boolean): Promise<void> {
    const { clock, policy, random, probe } = this.#parts;
    const began = clock.now();
    let reason: string | undefined;
    try {
      reason = await probe();
    } catch (thrown) {
      reason = messageOf(thrown);
    }
    if (this.#closed) return;
    const before = this.#state;
    const failures = before.name === "away" && isExtra ? before.failures - 1 : undefined;
    const counted = failures === undefined ? before : { ...before, failures };
    this.#state = probed(counted, reason, clock.now(), policy, random());
    this.#askedAt = began;
    if (this.#state.name === "up") this.#upAt = began;
    this.#cancel?.();
    const { next } = this.#state.name === "away" ? this.#state : { next: undefined };
    if (next !== undefined)
      this.#cancel = clock.after(Math.max(0, next - clock.now()), () => void this.#ask());
    if (before.name === this.#state.name) return;
    this.#tell(before);
    this.#parts.changed();
  }

  #tell(before: ConnectionState): void {
    const { log, clock, isToCome } = this.#parts;
    const connection = this.name;
    if (this.#state.name === "away" && isToCome?.() === true)
      log.info(
        { connection, reason: this.#state.reason },
        "a connection is not there yet: nothing is taken for it until it is",
      );
    else if (this.#state.name === "away")
      log.error(
        { connection, error: this.#state.reason },
        "a connection is away: nothing is taken for it until it answers, and no attempt is counted",
      );
    else if (before.name === "away")
      log.info({ connection, milliseconds: clock.now() - before.since }, "a connection is there again");
  }
}
