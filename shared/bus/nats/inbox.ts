import { type Acknowledger, type Arrival, isOfServer } from "./delivery.ts";
import type { OtherHosts } from "./other-hosts.ts";
import type { StateRecord } from "./store.ts";

export interface InboxParts {
  readonly acknowledge: Acknowledger;
  readonly others: OtherHosts;
}

/** The arrivals for one key that are not accounted for in its state yet. */
export class Inbox {
  readonly #parts: InboxParts;
  /** The arrivals by subject: a newer message of a subject holds the older one's content. */
  readonly #arrivals = new Map<string, Arrival>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#arrivals.size === 0;
  }

  /** True where something of the key is said to be due. */
  get isHinted(): boolean {
    return this.values().some(({ sort }) => sort === "due");
  }

  add(arrival: Arrival): void {
    const subject = subjectOf(arrival);
    const before = this.#arrivals.get(subject);
    const newer = before !== undefined && isOfServer(before) && isOfServer(arrival);
    if (newer && before.seq > arrival.seq) return;
    // The same one again: its time ran out while it stood here. The newer delivery is the one that can be acknowledged.
    this.#arrivals.set(subject, arrival);
    if (newer && before.ack !== arrival.ack && before.seq !== arrival.seq)
      this.#parts.acknowledge.done(before);
  }

  /** All that is here now. */
  values(): readonly Arrival[] {
    return [...this.#arrivals.values()];
  }

  /** Takes these out, where nothing newer took their place. */
  remove(arrivals: readonly Arrival[]): void {
    for (const arrival of arrivals) {
      const subject = subjectOf(arrival);
      if (this.#arrivals.get(subject) === arrival) this.#arrivals.delete(subject);
    }
  }

  clear(): void {
    this.#arrivals.clear();
  }

  /** Everything goes back to the bus, to be given out again after so long. */
  giveBack(milliseconds?: number): void {
    for (const arrival of this.values()) this.#parts.acknowledge.back(arrival, milliseconds);
    this.#arrivals.clear();
  }

  /** Hints whose record is no longer the one that stands are of the past. False where nothing is left. */
  dropStaleHints(record: StateRecord | undefined): boolean {
    for (const [subject, arrival] of this.#arrivals) {
      if (arrival.sort !== "due" || arrival.recordId === record?.id) continue;
      this.#parts.acknowledge.done(arrival);
      this.#arrivals.delete(subject);
    }
    return !this.isEmpty;
  }

  /** True where all items are with the owner of the key, or wait. */
  async delegate(owner: string): Promise<boolean> {
    const { others, acknowledge } = this.#parts;
    for (const arrival of this.values()) {
      if (arrival.sort === "due") acknowledge.done(arrival);
      else if (!(await others.give(arrival, owner))) return false;
      this.remove([arrival]);
    }
    return true;
  }
}

/** No subject of the server is empty. */
const subjectOf = (arrival: Arrival): string => (isOfServer(arrival) ? arrival.subject : "");
