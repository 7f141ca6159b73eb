import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Log } from "../../shared/log/log.ts";

/** A beat a minute: an alarm that looks every five minutes misses none by chance. */
const BEAT_MILLISECONDS = 60_000;

export interface HeartbeatParts {
  /** True where this process leads and follows the cluster now: else nobody may believe that somebody does. */
  readonly alive: () => boolean;
  /** Sends one beat; may fail. */
  readonly send: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Tells a queue once a minute that the watcher leads and follows, so that its silence can be seen from outside the cluster. A beat
 * that cannot be sent is logged once and left out: silence is what the alarm is about.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #cancel: (() => void) | undefined;
  #isFailing = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#next();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#sending;
  }

  #next(): void {
    this.#cancel = this.#parts.clock.after(BEAT_MILLISECONDS, () => {
      this.#next();
      this.#sending = this.#beat();
    });
  }

  async #beat(): Promise<void> {
    const { alive, send, log } = this.#parts;
    if (!alive()) return;
    try {
      await send();
      this.#isFailing = false;
    } catch (thrown) {
      if (!this.#isFailing)
        log.warn(
          { error: messageOf(thrown) },
          "the heartbeat cannot be sent: an alarm will tell that it is missing",
        );
      this.#isFailing = true;
    }
  }
}
