import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { bury, type Identity, newIdentity } from "./identity.ts";
import type { InstanceTable } from "./instance-table.ts";
import type { Transaction, Writer } from "./writer.ts";

interface InstanceParts {
  readonly table: InstanceTable;
  readonly writer: () => Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMilliseconds: number;
  /** The number of leases that hang on it. */
  readonly running: () => number;
  /** Another process has given back what this one held. */
  readonly lost: () => void;
}

/** This opening of the bus as a holder of leases: all of them last as long as it is renewed. */
export class Instance {
  readonly identity: Identity = newIdentity();
  readonly #parts: InstanceParts;
  #id = 0;
  #until = 0;
  #cancel: (() => void) | undefined;

  constructor(parts: InstanceParts) {
    this.#parts = parts;
  }

  /** The number of its row; 0 until it is registered. */
  get id(): number {
    return this.#id;
  }

  get registered(): boolean {
    return this.#id !== 0;
  }

  /** True where a lease that was taken under this number still holds. */
  holds(owner: number): boolean {
    return owner === this.#id && this.#parts.clock.now() < this.#until;
  }

  register(transaction: Transaction): number {
    const until = this.#parts.clock.now() + this.#parts.leaseMilliseconds;
    const id = this.#parts.table.add(this.identity, until);
    transaction.owner = id;
    transaction.afterCommit.push(() => {
      this.#id = id;
      this.#until = until;
    });
    return id;
  }

  /**
   * The number to take items under. At rest nothing is renewed, so the time may be nearly over, or another process may have
   * struck this one off.
   */
  ownerFor(transaction: Transaction): number {
    const { clock, leaseMilliseconds } = this.#parts;
    if (transaction.owner !== undefined) return transaction.owner;
    return this.#until - clock.now() < leaseMilliseconds / 2 ? this.#renew(transaction) : this.#id;
  }

  keepRenewing(): void {
    if (this.#cancel !== undefined) return;
    this.#cancel = this.#parts.clock.after(this.#parts.leaseMilliseconds / 3, () => {
      this.#cancel = undefined;
      if (this.#parts.running() === 0) return;
      this.#parts
        .writer()
        .submit((transaction) => this.#renew(transaction))
        .catch((thrown) =>
          this.#parts.log.error({ error: messageOf(thrown) }, "leases could not be renewed"),
        );
      this.keepRenewing();
    });
  }

  /** No longer a holder of leases; the next consumer registers it anew. */
  leave(transaction: Transaction): void {
    if (this.#id !== 0) this.#parts.table.remove(this.#id);
    transaction.afterCommit.push(() => this.#forget());
  }

  /** This opening of the bus is over, in whatever way. */
  close(): void {
    this.#forget();
    bury(this.identity);
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#id = 0;
  }

  #renew(transaction: Transaction): number {
    const until = this.#parts.clock.now() + this.#parts.leaseMilliseconds;
    if (!this.#parts.table.renew(this.#id, until)) {
      transaction.afterCommit.push(() => this.#parts.lost());
      return this.register(transaction);
    }
    transaction.owner = this.#id;
    transaction.afterCommit.push(() => {
      this.#until = until;
    });
    return this.#id;
  }
}
