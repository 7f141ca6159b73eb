import type { Clock } from "../../clock/clock.ts";
import type { WorkKey } from "../item.ts";
import type { Waiting } from "../waiting.ts";
import type { DistantTimers } from "./distant-timers.ts";
import { bodyOf, deduplicationIdOf, groupOf, type TimerMessage } from "./message.ts";
import { type Delayed, MAXIMUM_DELAY_SECONDS, type Outgoing, type Queues } from "./queues.ts";

/** Timers farther ahead go to the port; nearer ones hop on the timer queue. */
const DISTANT_MILLISECONDS = 3_600_000;
/** The port may be late by a minute: its message comes earlier and takes the rest as a hop. */
const AHEAD_MILLISECONDS = 120_000;
/** The time for which work of the slow lane is held back before the queue's length is asked again. */
const HOLD_BACK_SECONDS = 5;
/** Work of the slow lane that waited for so long goes on however long the queue is: it is never starved (B8). */
const STARVED_MILLISECONDS = 10 * 60_000;
/** The time for which a queue's length is believed. */
const BELIEVED_MILLISECONDS = 1_000;

export interface OutboxParts {
  readonly queues: Queues;
  readonly distant: DistantTimers | undefined;
  readonly clock: Clock;
  /** Messages of the slow lane are held back while more than this wait. */
  readonly shortQueue: number;
  /** Something was sent: who polls in this process looks at once. */
  readonly sent: () => void;
}

const secondsUntil = (at: number, now: number): number =>
  Math.min(MAXIMUM_DELAY_SECONDS, Math.max(0, Math.ceil((at - now) / 1000)));

/** Everything that is sent goes through here: at once, or by way of the timer queue. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #lengths = new Map<string, { waiting: number; readonly at: number }>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when all is durable. What is not due yet, and what the slow lane holds back while the queue is long, travels on the
   * timer queue meanwhile.
   */
  async send(messages: readonly Outgoing[]): Promise<void> {
    if (messages.length === 0) return;
    const { queues, clock, sent } = this.#parts;
    const now = clock.now();
    const direct: Outgoing[] = [];
    const delayed: Delayed[] = [];
    for (const message of messages) {
      const later = await this.#laterThan(message, now);
      if (later === undefined) direct.push(due(message));
      else
        delayed.push({
          message: { sort: "work", at: later, ...message },
          delaySeconds: secondsUntil(later, now),
        });
    }
    await Promise.all([queues.send(direct), queues.delay(delayed)]);
    sent();
  }

  /** Sends the one timer message of a key on its way. */
  async alarm({ function: name, key }: WorkKey, at: number): Promise<void> {
    const { queues, distant, clock } = this.#parts;
    const now = clock.now();
    const message: TimerMessage = { sort: "alarm", function: name, key, at };
    if (distant !== undefined && at - now > DISTANT_MILLISECONDS)
      // A name for each time: what replaced an earlier one would be lost with a record that is then not written.
      await distant.set({
        name: `${groupOf(message).slice(0, 50)}-${at.toString(36)}`,
        at: at - AHEAD_MILLISECONDS,
        body: bodyOf(message),
      });
    else await queues.delay([{ message, delaySeconds: secondsUntil(at, now) }]);
  }

  /** One hop more for work that is not due yet. */
  async hop(message: TimerMessage): Promise<void> {
    await this.#parts.queues.delay([
      { message, delaySeconds: secondsUntil(message.at, this.#parts.clock.now()) },
    ]);
  }

  /** The time at which it may go on; undefined for at once. */
  async #laterThan({ work }: Outgoing, now: number): Promise<number | undefined> {
    const { waiting } = work;
    if (waiting === undefined) return undefined;
    if (waiting.notBefore > now) return waiting.notBefore;
    if (waiting.lane === "urgent" || now - waiting.enqueuedAt >= STARVED_MILLISECONDS) return undefined;
    const url = this.#parts.queues.of(work.function);
    const length = await this.#lengthOf(url, now);
    length.waiting += 1;
    // What is far behind comes later, so that it does not ask in vain.
    const turns = Math.floor((length.waiting - 1) / this.#parts.shortQueue);
    return turns === 0 ? undefined : now + turns * HOLD_BACK_SECONDS * 1000;
  }

  async #lengthOf(url: string, now: number): Promise<{ waiting: number }> {
    const known = this.#lengths.get(url);
    if (known !== undefined && now - known.at < BELIEVED_MILLISECONDS) return known;
    const { waiting } = await this.#parts.queues.depth(url);
    const asked = { waiting, at: now };
    this.#lengths.set(url, asked);
    return asked;
  }
}

const due = ({ work, deduplicationId }: Outgoing): Outgoing =>
  work.waiting === undefined || work.waiting.notBefore === 0
    ? { work, deduplicationId }
    : { work: { ...work, waiting: { ...work.waiting, notBefore: 0 } }, deduplicationId };

/** "Look at this key": its record says why. */
export const nudge = (key: WorkKey, retry: Pick<Waiting, "notBefore" | "deaths"> | undefined): Outgoing => ({
  work: { function: key.function, key: key.key, deaths: retry?.deaths },
  deduplicationId: deduplicationIdOf(key, "nudge", retry?.notBefore),
});
