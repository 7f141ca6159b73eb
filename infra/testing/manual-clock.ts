import type { Clock } from "../../shared/clock/clock.ts";

interface Alarm {
  readonly due: number;
  readonly ring: () => void;
}

/** A clock for tests: time passes only in `advance`. */
export class ManualClock implements Clock {
  #now: number;
  #alarms: Alarm[] = [];
  readonly #watchers = new Set<() => void>();
  /** Milliseconds since the epoch. */
  constructor(now = Date.parse("2026-01-01T00:00:00Z")) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** The number of sleeps and callbacks that are set. */
  get alarms(): number {
    return this.#alarms.length;
  }

  /** The time of the next alarm; undefined where none is set. */
  get next(): number | undefined {
    return this.#alarms.reduce<number | undefined>(
      (least, alarm) => (least === undefined || alarm.due < least ? alarm.due : least),
      undefined,
    );
  }

  after(milliseconds: number, callback: () => void): () => void {
    const alarm: Alarm = { due: this.#now + milliseconds, ring: callback };
    this.#alarms.push(alarm);
    for (const watcher of this.#watchers) watcher();
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.after(milliseconds, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Lets time pass and rings the alarms that fall due, in order; one that is set meanwhile and falls due as well rings too. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = this.#alarms.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      this.#now = Math.max(this.#now, next.due);
      next.ring();
    }
    this.#now = end;
  }

  /** Resolves once an alarm is set that falls due within `milliseconds` from now. */
  armed(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#alarms.some(({ due }) => due <= this.#now + milliseconds)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}
