import type { Clock } from "../../clock/clock.ts";

/**
 * The longest wait in one piece: what is farther is waited for in steps. Timers overflow at 24.8 days, and stand still while
 * the machine sleeps: a deadline must not be late by more than a step then.
 */
const STEP_MILLISECONDS = 60_000;

/** One timer for the next thing that is due, however far away. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #cancel: (() => void) | undefined;
  #at = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at this time (milliseconds since the epoch), and not at the one that was set before. */
  set(at: number): void {
    if (at === this.#at) return;
    this.stop();
    this.#at = at;
    if (at !== Number.POSITIVE_INFINITY) this.#wait();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#at = Number.POSITIVE_INFINITY;
  }

  #wait(): void {
    const left = Math.max(0, this.#at - this.#clock.now());
    this.#cancel = this.#clock.after(Math.min(left, STEP_MILLISECONDS), () => {
      if (this.#clock.now() < this.#at) return this.#wait();
      this.stop();
      this.#ring();
    });
  }
}
