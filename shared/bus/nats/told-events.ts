import type { RecordedEvent } from "../run-record.ts";
import type { Names } from "./names.ts";
import { readable } from "./store.ts";
import { Tail } from "./tail.ts";
import { Forbidden, type Wire } from "./wire.ts";

/** The number of messages that it looks back in the history. */
const REACH = 1_000;
/** The number of objects whose last event is known. */
const OBJECTS = 20_000;

interface Message {
  readonly at: number;
  readonly records: readonly RecordedEvent[];
}
interface Told {
  readonly at: number;
  readonly event: RecordedEvent;
}

/** The last event about each object, as far back as a run can be on its way: read by hosts, when a run begins to wait. */
export class ToldEvents {
  readonly #tail: Tail;
  /** The newest events by subject; the oldest of them comes first. */
  readonly #newest = new Map<string, Told>();
  /** The time from which on nothing is missing, in milliseconds since the epoch. */
  #from = 0;

  constructor(wire: Wire, names: Names) {
    this.#tail = new Tail({
      wire,
      stream: names.history,
      subject: names.events,
      reach: REACH,
      begins: (from, seen) => {
        if (from > seen + 1) this.#from = Number.POSITIVE_INFINITY;
      },
      take: ({ body }) => this.#take(body),
      forgotten: () => {
        this.#newest.clear();
        this.#from = 0;
      },
    });
  }

  /**
   * The newest event about each of these objects since a time (milliseconds since the epoch); undefined where that cannot be
   * known.
   * @throws Unsure, BusError
   */
  async since(time: number, subjects: readonly string[]): Promise<readonly RecordedEvent[] | undefined> {
    try {
      await this.#tail.caughtUp();
    } catch (thrown) {
      // Its user has the rights of an older version.
      if (thrown instanceof Forbidden) return undefined;
      throw thrown;
    }
    if (this.#from > time) return undefined;
    return subjects.flatMap((subject) => {
      const told = this.#newest.get(subject);
      return told !== undefined && told.at >= time ? [told.event] : [];
    });
  }

  #take(body: Uint8Array): void {
    const message = readable(() => JSON.parse(new TextDecoder().decode(body)) as Partial<Message>);
    if (typeof message?.at !== "number" || !Array.isArray(message.records)) return;
    const { at, records } = message as Message;
    this.#from = Math.min(this.#from, at);
    for (const event of records) {
      const { subject, uid } = event ?? {};
      if (subject === undefined || uid === undefined) continue;
      this.#newest.delete(subject);
      this.#newest.set(subject, { at, event });
    }
    for (const [oldest, told] of this.#newest) {
      if (this.#newest.size <= OBJECTS) break;
      this.#newest.delete(oldest);
      this.#from = Math.max(this.#from, told.at + 1);
    }
  }
}
