import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Envelope, EventDefinition } from "../../../events/index.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { RefusedEvent, Route } from "../contract.ts";
import type { NewItem } from "../item.ts";
import { type Accepted, digestOf, judge, type Refused, recordedEventOf } from "../judge.ts";
import { freshKey } from "../key-state.ts";
import { KEPT_CHARACTERS, KeptRefused, REFUSED } from "../refused.ts";
import { waitedObjectOf } from "../wait-cause.ts";
import type { HistoryWriter } from "./history.ts";
import type { StateRecord, StateStore } from "./store.ts";
import { unique } from "./unique.ts";
import { VERSION } from "./version.ts";
import type { WaitIndex } from "./wait-index.ts";
import { isOfOne, type WorkStore } from "./work-store.ts";

/** The time for which a published event is known again. This saves work when a sender retries; nothing leans on it (rule 5). */
const KNOWN_MILLISECONDS = 120_000;
const KNOWN_EVENTS = 20_000;

export interface PublisherParts {
  readonly work: WorkStore;
  readonly states: StateStore;
  readonly waits: WaitIndex;
  readonly history: HistoryWriter;
  readonly clock: Clock;
  readonly route: Route;
  readonly log: Log;
  readonly types: () => ReadonlyMap<string, EventDefinition>;
  readonly published: (event: Envelope, items: readonly NewItem[]) => void;
}

interface Known {
  readonly digest: string;
  readonly at: number;
  readonly durable: Promise<void>;
}

/** Events come in here: checked, routed, and made durable as the items that they lead to (B1). */
export class Publisher {
  readonly #parts: PublisherParts;
  /** The known events by id, oldest first; those that are under way too. */
  readonly #known = new Map<string, Known>();
  readonly #kept: KeptRefused;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
    this.#kept = new KeptRefused(async () => {
      const known: { readonly key: string; readonly at: string }[] = [];
      for await (const { record } of parts.states.list(REFUSED))
        if (record.state.dead !== undefined) known.push({ key: record.key, at: record.state.dead.at });
      return known;
    });
  }

  /** Forgets the durable events, since the store lost them: a sender that repeats one must not be told otherwise. */
  forget(): void {
    this.#known.clear();
  }

  /** @throws BusError where it cannot be made durable now */
  async publish(events: readonly unknown[]): Promise<{ readonly refused: readonly RefusedEvent[] }> {
    const refused: Refused[] = [];
    const sent: Promise<void>[] = [];
    const recorded: Promise<void>[] = [];
    // What is waited for by now is known before this ends. Asked after the items are sent, which somebody waits for, and after the
    // events are in the history: whoever comes to wait later finds them there.
    let waits: Promise<void> | undefined;
    for (const [index, input] of events.entries()) {
      const judged = judge(input, index, this.#parts.types(), this.#parts.route);
      if ("refused" in judged) refused.push(judged);
      else {
        if (waitedObjectOf(judged.event) !== undefined)
          waits ??= nextTurn()
            .then(() => Promise.all(recorded))
            .then(() => this.#parts.waits.caughtUp());
        sent.push(
          this.#once(judged, waits, recorded).catch((thrown: unknown) => {
            if (!isOfOne(thrown)) throw thrown;
            // Of this event alone: its neighbours do not wait for it.
            const alone = {
              refused: { index, id: judged.event.id, issues: [thrown.message] },
              text: JSON.stringify(judged.event),
            };
            refused.push(alone);
            return this.#keep(alone);
          }),
        );
      }
    }
    await settled([
      ...sent,
      ...refused.map((each) => this.#keep(each)),
      ...(waits === undefined ? [] : [waits]),
    ]);
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
    const judged = judge(input, 0, this.#parts.types(), this.#parts.route);
    return "refused" in judged ? { refused: [judged.refused] } : this.publish([input]);
  }

  #once(accepted: Accepted, waits: Promise<void> | undefined, recorded: Promise<void>[]): Promise<void> {
    const { id } = accepted.event;
    const now = this.#parts.clock.now();
    const digest = digestOf(accepted.event);
    const known = this.#known.get(id);
    if (known?.digest === digest && now - known.at < KNOWN_MILLISECONDS) return known.durable;
    const history = this.#parts.history.events([recordedEventOf(accepted.event)]);
    recorded.push(history);
    const durable = this.#send(accepted, digest, waits, history);
    this.#known.delete(id);
    this.#known.set(id, { digest, at: now, durable });
    // What failed is not known: the next try must send it.
    durable.catch(() => {
      if (this.#known.get(id)?.durable === durable) this.#known.delete(id);
    });
    for (const [oldest, { at }] of this.#known) {
      if (this.#known.size <= KNOWN_EVENTS && now - at < KNOWN_MILLISECONDS) break;
      this.#known.delete(oldest);
    }
    return durable;
  }

  async #send(
    { event, items }: Accepted,
    digest: string,
    waits: Promise<void> | undefined,
    recorded: Promise<void>,
  ): Promise<void> {
    const { work, published } = this.#parts;
    const idOf = (item: NewItem): string =>
      hash(
        "sha1",
        `${event.id}\n${digest}\n${item.function}\n${item.key}\n${item.lane}\n${item.cause.sort}`,
        "base64url",
      );
    const waiting = async (): Promise<readonly NewItem[]> => {
      await waits;
      const found = this.#parts.waits.itemsFor(event, items);
      await work.enqueue(found, idOf);
      return found;
    };
    const [found] = await Promise.all([waiting(), work.enqueue(items, idOf), recorded]);
    published(event, found.length === 0 ? items : [...items, ...found]);
  }

  async #keep({ refused: { id, issues }, text }: Refused): Promise<void> {
    const { states, clock, log } = this.#parts;
    const now = clock.now();
    const record: StateRecord = {
      version: VERSION,
      id: unique(),
      function: REFUSED,
      key: id,
      covered: {},
      event: text.slice(0, KEPT_CHARACTERS),
      state: {
        ...freshKey,
        dead: {
          error: { code: "EVENT_REFUSED", message: issues.join("; ") },
          attempts: 0,
          causes: [id],
          at: new Date(now).toISOString(),
          subjects: {},
        },
      },
    };
    await states.put(record, undefined, now);
    try {
      for (const key of await this.#kept.add(id)) await states.put(forgotten(key), undefined, now);
    } catch (thrown) {
      // There may be some more than should be, until they are too old.
      log.warn({ error: messageOf(thrown) }, "refused events that are too many could not be removed");
    }
  }
}

const forgotten = (key: string): StateRecord => ({
  version: VERSION,
  id: unique(),
  function: REFUSED,
  key,
  covered: {},
  state: freshKey,
});

/** All come to their end before the first failure is told, so that a second try does not run beside the first. */
async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises))
    if (result.status === "rejected") throw result.reason;
}
