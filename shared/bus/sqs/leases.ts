import type { Clock } from "../../clock/clock.ts";
import type { Lease } from "../contract.ts";
import type { WorkItem } from "../item.ts";
import { Held } from "../lease.ts";

/** Messages of one key in this process's hands: nobody else gets any of that group while they are out. */
export class Holding extends Held {
  #until: number;

  /** @param until milliseconds since the epoch: from then on another host may have them */
  constructor(clock: Clock, until: number) {
    super("a message", () => clock.now() < this.#until);
    this.#until = until;
  }

  renewed(until: number): void {
    if (this.held()) this.#until = until;
  }
}

export const leaseOf = (item: WorkItem, holding: Holding): Lease => ({
  item,
  signal: holding.signal,
  held: () => holding.held(),
});
