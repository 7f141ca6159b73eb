import type { Envelope, EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import type { RefusedEvent, Route } from "../contract.ts";
import type { NewItem } from "../item.ts";
import { type Accepted, digestOf, judge, type Refused, recordedEventOf } from "../judge.ts";
import { objectName } from "../key-name.ts";
import { eraOf, waitCause, waitedObjectOf } from "../wait-cause.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { deduplicationIdOf, messageOf } from "./message.ts";
import type { Outbox } from "./outbox.ts";
import type { Outgoing } from "./queues.ts";
import type { StateStore } from "./store.ts";

export interface PublisherParts {
  readonly store: StateStore;
  readonly letters: DeadLetters;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly route: Route;
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  readonly historyMilliseconds: number;
  readonly published: (event: Envelope, items: readonly NewItem[]) => void;
}

/** Events come in here: checked, routed, and durable with all the items that they lead to (B1). */
export class Publisher {
  readonly #parts: PublisherParts;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  async publish(events: readonly unknown[]): Promise<{ readonly refused: readonly RefusedEvent[] }> {
    const { store, letters, outbox, clock, route, types, historyMilliseconds, published } = this.#parts;
    const accepted: Accepted[] = [];
    const refused: Refused[] = [];
    for (const [index, input] of events.entries()) {
      const judged = judge(input, index, types(), route);
      if ("refused" in judged) refused.push(judged);
      else accepted.push(judged);
    }
    const now = clock.now();
    await Promise.all([
      // Before it asks who waits: whoever comes to wait later finds the event there.
      store.recordEvents(
        accepted.map(({ event }) => recordedEventOf(event)),
        now + historyMilliseconds,
      ),
      ...refused.map((one) => letters.refuse(one, now)),
    ]);
    const routed = await Promise.all(
      accepted.map(async (one) => ({ ...one, items: await this.#itemsOf(one) })),
    );
    await outbox.send(
      routed.flatMap(({ event, items }) => {
        const digest = digestOf(event);
        return items.map((item) => outgoing(item, event, digest, now));
      }),
    );
    for (const { event, items } of routed) published(event, items);
    return { refused: refused.map((one) => one.refused) };
  }

  /** Publishes what was refused before. False where it is refused again: it is kept already. */
  async publishAgain(input: unknown): Promise<boolean> {
    if ("refused" in judge(input, 0, this.#parts.types(), this.#parts.route)) return false;
    return (await this.publish([input])).refused.length === 0;
  }

  /** Items without an event of their own. */
  async enqueue(items: readonly NewItem[]): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.outbox.send(
      items.map((item) => ({
        work: messageOf(item, now),
        deduplicationId: deduplicationIdOf(item, "item", item),
      })),
    );
  }

  /** The items of the router, and of the keys that wait for the event's object (B11). */
  async #itemsOf({ event, items }: Accepted): Promise<readonly NewItem[]> {
    const waited = waitedObjectOf(event);
    if (waited === undefined) return items;
    const { store } = this.#parts;
    const noted = await store.waitingFor(waited);
    const found = await Promise.all(
      noted.map(async (key): Promise<readonly NewItem[]> => {
        if (
          items.some((item) => item.function === key.function && item.key === key.key && item.cause.revives)
        )
          return [];
        const stored = await store.load(key);
        if (stored?.record.waits.some((one) => objectName(one) === objectName(waited)) !== true) return [];
        return [{ function: key.function, key: key.key, ...waitCause(event) }];
      }),
    );
    return [...items, ...found.flat()];
  }
}

const outgoing = (item: NewItem, event: Envelope, digest: string, now: number): Outgoing => ({
  work: messageOf(item, now, eraOf(event)),
  // The same id with another body says something new.
  deduplicationId: deduplicationIdOf(item, "event", event.id, digest, item.cause.sort, item.sweep?.wake),
});
