import type { Clock } from "../../clock/clock.ts";
import { CLOCKS_DIFFER } from "../../clock/time.ts";

/** A delivery is known again for so long, and what happened longer ago is refused: as long as GitHub lets one redeliver. */
const REPLAY_WINDOW = 3 * 24 * 3_600_000;
const MAXIMUM = 20_000;

/** The deliveries that were published lately. Another host or a restart knows none: the events' ids then make twice once. */
export class Replays {
  readonly #clock: Clock;
  readonly #window: number;
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock, windowMilliseconds = REPLAY_WINDOW) {
    this.#clock = clock;
    this.#window = windowMilliseconds;
  }

  /** True where it happened within the window; a delivery without a time counts as well. */
  isTimely(at: string | undefined): boolean {
    if (at === undefined) return true;
    const age = this.#clock.now() - Date.parse(at);
    return age <= this.#window && age >= -CLOCKS_DIFFER;
  }

  knows(ids: readonly string[]): boolean {
    const now = this.#clock.now();
    return ids.some((id) => now - (this.#seen.get(id) ?? Number.NEGATIVE_INFINITY) <= this.#window);
  }

  /** Remembers deliveries. Call it only once all of them are durable: until then their sender must be able to send them again. */
  remember(ids: readonly string[]): void {
    const now = this.#clock.now();
    for (const id of ids) {
      this.#seen.delete(id);
      this.#seen.set(id, now);
    }
    for (const [id, at] of this.#seen) {
      if (this.#seen.size <= MAXIMUM && now - at <= this.#window) return;
      this.#seen.delete(id);
    }
  }
}
