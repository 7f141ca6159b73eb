import type { Clock } from "../../clock/clock.ts";
import type { WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";
import type { Reminder } from "./delivery.ts";

/** The time ahead up to which this host rings by itself; later timers are left to the server's hint. */
const SOON_MILLISECONDS = 60_000;
const MOST_ALARMS = 10_000;

/** The timers of keys that this host left, so that a retry is in time; the server's hint is for when it dies. */
export class Alarms {
  readonly #clock: Clock;
  readonly #due: (reminder: Reminder) => void;
  readonly #alarms = new Map<string, () => void>();
  #closed = false;

  constructor(clock: Clock, due: (reminder: Reminder) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Looks at the key at this time, in place of when it was to be looked at before. */
  set(key: WorkKey, recordId: string, due: number): void {
    const name = keyName(key);
    this.#alarms.get(name)?.();
    this.#alarms.delete(name);
    const milliseconds = Math.max(0, due - this.#clock.now());
    if (milliseconds > SOON_MILLISECONDS || this.#alarms.size >= MOST_ALARMS || this.#closed) return;
    this.#alarms.set(
      name,
      this.#clock.after(milliseconds, () => {
        this.#alarms.delete(name);
        this.#due({ key, sort: "due", recordId });
      }),
    );
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }
}
