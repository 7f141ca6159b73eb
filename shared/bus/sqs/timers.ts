import type { Clock } from "../../clock/clock.ts";
import { messageOf as textOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { BusError } from "../errors.ts";
import type { WorkKey } from "../item.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { type Delivery, deduplicationIdOf, isNewer, readTimer, type TimerMessage } from "./message.ts";
import { nudge, type Outbox } from "./outbox.ts";
import { fireDue, nextDue } from "./record.ts";
import type { KeyRecords } from "./records.ts";
import type { StateStore } from "./store.ts";

/** The work of the timer queue (B7). The table alone says whether a timer still holds; a message is only a reason to look. */
export class Timers {
  readonly #store: StateStore;
  readonly #records: KeyRecords;
  readonly #outbox: Outbox;
  readonly #letters: DeadLetters;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(parts: {
    readonly store: StateStore;
    readonly records: KeyRecords;
    readonly outbox: Outbox;
    readonly letters: DeadLetters;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#store = parts.store;
    this.#records = parts.records;
    this.#outbox = parts.outbox;
    this.#letters = parts.letters;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  /** Returns those that must come again. */
  async fire(deliveries: readonly Delivery[]): Promise<readonly Delivery[]> {
    const failed: Delivery[] = [];
    await Promise.all(
      deliveries.map(async (delivery) => {
        try {
          const message = readTimer(delivery.body);
          if (message === undefined)
            await this.#letters.keepStrange(
              { id: delivery.id, text: delivery.body, where: "the timer queue" },
              this.#clock.now(),
            );
          else await this.#arrived(message);
        } catch (thrown) {
          this.#log.error({ message: delivery.id, error: textOf(thrown) }, "a timer could not fire");
          failed.push(delivery);
        }
      }),
    );
    return failed;
  }

  async #arrived(message: TimerMessage): Promise<void> {
    if (isNewer(message))
      throw new BusError(
        "BUS_NEWER",
        "A newer version of Reveille set this timer: it is left to a host of that version.",
      );
    if (message.sort === "alarm") return this.#ring(message, message.at);
    if (message.at > this.#clock.now()) return this.#outbox.hop(message);
    return this.#outbox.send([{ work: message.work, deduplicationId: message.deduplicationId }]);
  }

  async #ring({ function: name, key: text }: WorkKey, at: number): Promise<void> {
    const key: WorkKey = { function: name, key: text };
    const stored = await this.#store.load(key);
    if (stored === undefined) return;
    await this.#records.change(key, stored, async (record) => {
      const now = this.#clock.now();
      const fired = fireDue(record, now);
      const { waiting } = fired;
      // Enqueued first, then deleted: what is fired twice is known again by its id.
      if (waiting !== undefined && record.dead === undefined)
        await this.#outbox.send([
          {
            work: { ...key, waiting },
            deduplicationId: deduplicationIdOf(
              key,
              "due",
              waiting.causes.map(({ eventId }) => eventId),
            ),
          },
        ]);
      else if (fired.retry) await this.#outbox.send([nudge(key, record.waiting)]);
      // Only the message that the record knows of goes on: of two on their way for one key the other ends here.
      if (record.alarm !== at) return fired.record;
      const next = nextDue(fired.record, now);
      if (next !== undefined) await this.#outbox.alarm(key, next);
      return { ...fired.record, alarm: next };
    });
  }
}
