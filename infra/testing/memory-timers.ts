import type { DistantTimer, DistantTimers } from "../../shared/bus/sqs/distant-timers.ts";
import type { Clock } from "../../shared/clock/clock.ts";

/** The pause between two looks: as punctual as EventBridge Scheduler, which also looks once a minute. */
const LOOK_MILLISECONDS = 60_000;

/** Distant timers in memory. */
export class MemoryTimers implements DistantTimers {
  readonly #timers = new Map<string, DistantTimer>();
  readonly #clock: Clock;
  readonly #send: (body: string) => Promise<void>;
  #cancel: (() => void) | undefined;

  /** @param send puts a message on the timer queue */
  constructor(clock: Clock, send: (body: string) => Promise<void>) {
    this.#clock = clock;
    this.#send = send;
  }

  get size(): number {
    return this.#timers.size;
  }

  async set(timer: DistantTimer): Promise<void> {
    this.#timers.set(timer.name, timer);
    this.#cancel ??= this.#clock.after(LOOK_MILLISECONDS, () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#cancel = undefined;
    const due = [...this.#timers.values()].filter(({ at }) => at <= this.#clock.now());
    for (const timer of due) this.#timers.delete(timer.name);
    if (this.#timers.size > 0) this.#cancel = this.#clock.after(LOOK_MILLISECONDS, () => void this.#look());
    for (const { body } of due) await this.#send(body);
  }
}
