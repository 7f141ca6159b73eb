import type { Envelope, EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { RefusedEvent, Route } from "../contract.ts";
import type { NewItem } from "../item.ts";
import { type Accepted, digestOf, judge, type Refused, recordedEventOf } from "../judge.ts";
import type { MemoryLine } from "../memory.ts";
import { isOwnEvent } from "../own-events.ts";
import { eraOf } from "../wait-cause.ts";
import type { EchoMemory } from "./echo-memory.ts";
import { letterOf } from "./refused-table.ts";
import type { KeyStore } from "./store.ts";
import type { Transaction, Writer } from "./writer.ts";

/** The time for which a published event is known again. This saves work when a sender retries; nothing leans on it (rule 5). */
const KNOWN_MILLISECONDS = 120_000;
const KNOWN_EVENTS = 20_000;

export interface PublisherParts {
  readonly store: KeyStore;
  readonly echoes: EchoMemory;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly route: Route;
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  readonly published: (event: Envelope, items: readonly NewItem[]) => void;
}

/** Events come in here: checked, routed, and made durable with all the items that they lead to (B1). */
export class Publisher {
  readonly #parts: PublisherParts;
  /** Digests by event id, oldest first. */
  readonly #known = new Map<string, { readonly digest: string; readonly at: number }>();

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  async publish(
    events: readonly unknown[],
    line?: MemoryLine,
  ): Promise<{ readonly refused: readonly RefusedEvent[] }> {
    const accepted: Accepted[] = [];
    const refused: Refused[] = [];
    for (const [index, input] of events.entries()) {
      const judged = this.#judge(input, index);
      if ("refused" in judged) refused.push(judged);
      else accepted.push(judged);
    }
    const lines = line !== undefined && refused.length === 0 ? [line] : [];
    if (events.length > 0 || lines.length > 0)
      await this.#parts.writer.submit((transaction) => {
        this.#write(transaction, accepted, refused);
        transaction.lines.push(...lines);
      });
    return { refused: refused.map((each) => each.refused) };
  }

  /** Publishes an event's text; what is no JSON is refused again. */
  async publishText(text: string): Promise<{ readonly refused: readonly RefusedEvent[] }> {
    let input: unknown;
    try {
      input = JSON.parse(text);
    } catch (thrown) {
      return { refused: [{ index: 0, id: "", issues: [messageOf(thrown)] }] };
    }
    const judged = this.#judge(input, 0);
    return "refused" in judged ? { refused: [judged.refused] } : this.publish([input]);
  }

  #judge(input: unknown, index: number): Accepted | Refused {
    return judge(input, index, this.#parts.types(), this.#parts.route);
  }

  #write(transaction: Transaction, accepted: readonly Accepted[], refused: readonly Refused[]): void {
    const { store, echoes, clock, published } = this.#parts;
    const now = clock.now();
    for (const { refused: letter, text } of refused)
      transaction.refused.set(letter.id, letterOf(letter, text, now));
    for (const { event, items } of accepted) {
      // The watcher beside tells a change once: it repeats itself only where nothing of what it told stands.
      const digest = isOwnEvent(event) ? undefined : digestOf(event);
      if (digest !== undefined && this.#isKnown(event.id, digest, now)) continue;
      transaction.events.push({ event: recordedEventOf(event), at: now });
      const era = eraOf(event);
      if (era !== undefined) echoes.begin(era);
      const news = items.filter((item) => !echoes.knows(item));
      for (const item of news) store.enqueue(transaction, item, now);
      const waiting = store.enqueueWaiting(transaction, event, items, now, (item) => !echoes.knows(item));
      transaction.afterCommit.push(() => {
        if (digest !== undefined) this.#remember(event.id, digest, now);
        published(event, waiting.length === 0 ? news : [...news, ...waiting]);
      });
    }
  }

  #isKnown(id: string, digest: string, now: number): boolean {
    const known = this.#known.get(id);
    return known !== undefined && known.digest === digest && now - known.at < KNOWN_MILLISECONDS;
  }

  #remember(id: string, digest: string, now: number): void {
    this.#known.delete(id);
    this.#known.set(id, { digest, at: now });
    for (const [oldest, { at }] of this.#known) {
      if (this.#known.size <= KNOWN_EVENTS && now - at < KNOWN_MILLISECONDS) break;
      this.#known.delete(oldest);
    }
  }
}
