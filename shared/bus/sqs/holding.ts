import type { Clock } from "../../clock/clock.ts";
import type { Lease } from "../contract.ts";
import { BusError } from "../errors.ts";
import type { WorkItem } from "../item.ts";

/** Messages of one key in this process's hands: nobody else gets any of that group while they are out. */
export class Holding {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #until: number;

  /** @param until milliseconds since the epoch: from then on another host may have them */
  constructor(clock: Clock, until: number) {
    this.#clock = clock;
    this.#until = until;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Once lost it stays lost. */
  held(): boolean {
    if (!this.signal.aborted && this.#clock.now() >= this.#until)
      this.lose("its time ran out before it was renewed");
    return !this.signal.aborted;
  }

  renewed(until: number): void {
    if (this.held()) this.#until = until;
  }

  lose(why: string): void {
    if (this.signal.aborted) return;
    this.#controller.abort(
      new BusError("BUS_LEASE_LOST", `The lease of a message is lost: ${why}; its key will be run again.`),
    );
  }
}

export const leaseOf = (item: WorkItem, holding: Holding): Lease => ({
  item,
  signal: holding.signal,
  held: () => holding.held(),
});
