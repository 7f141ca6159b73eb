import type { Acknowledger, Delivery } from "./delivery.ts";
import type { StateRecord } from "./store.ts";

/** What came for one key and is not accounted for in its state yet. */
export class Inbox {
  readonly #parts: {
    readonly acknowledge: Acknowledger;
    /** Gives an item to the host that runs its key. False: that host does not run it. */
    readonly delegate: (delivery: Delivery, owner: string) => Promise<boolean>;
  };
  /** By subject: a newer message of a subject holds what the older one held. */
  readonly #deliveries = new Map<string, Delivery>();

  constructor(parts: {
    readonly acknowledge: Acknowledger;
    readonly delegate: (delivery: Delivery, owner: string) => Promise<boolean>;
  }) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#deliveries.size === 0;
  }

  /** Whether the server said that something of the key is due. */
  get isHinted(): boolean {
    return this.values().some(({ sort }) => sort === "due");
  }

  add(delivery: Delivery): void {
    const before = this.#deliveries.get(delivery.subject);
    if (before !== undefined && before.seq > delivery.seq) return;
    // The same one again: its time ran out while it stood here. The newer delivery is the one that can be acknowledged.
    this.#deliveries.set(delivery.subject, delivery);
    if (before !== undefined && before.ack !== delivery.ack && before.seq !== delivery.seq)
      this.#parts.acknowledge.done(before);
  }

  /** All that is here now. */
  values(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  /** Takes these out, where nothing newer took their place. */
  remove(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries)
      if (this.#deliveries.get(delivery.subject) === delivery) this.#deliveries.delete(delivery.subject);
  }

  clear(): void {
    this.#deliveries.clear();
  }

  /** Everything goes back to the bus, to be given out again after so long. */
  giveBack(milliseconds?: number): void {
    for (const delivery of this.#deliveries.values()) this.#parts.acknowledge.back(delivery, milliseconds);
    this.#deliveries.clear();
  }

  /** Hints whose record is no longer the one that stands are of the past. False where nothing is left. */
  dropStaleHints(record: StateRecord | undefined): boolean {
    for (const [subject, delivery] of this.#deliveries) {
      if (delivery.sort !== "due" || delivery.recordId === record?.id) continue;
      this.#parts.acknowledge.done(delivery);
      this.#deliveries.delete(subject);
    }
    return !this.isEmpty;
  }

  /** True where all items are with the owner of the key, or wait. */
  async delegate(owner: string): Promise<boolean> {
    const { delegate, acknowledge } = this.#parts;
    for (const delivery of this.values()) {
      if (delivery.sort === "due") acknowledge.done(delivery);
      else if (!(await delegate(delivery, owner))) return false;
      this.remove([delivery]);
    }
    return true;
  }
}
