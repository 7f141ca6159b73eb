import type { Lease } from "./contract.ts";
import { BusError } from "./errors.ts";
import type { WorkItem } from "./item.ts";

/** A run's hold on its key. Once lost it stays lost. */
export class Held {
  readonly #what: string;
  readonly #controller = new AbortController();
  readonly #stillOurs: () => boolean;

  /** @param what in words, after "The lease of" */
  constructor(what: string, stillOurs: () => boolean) {
    this.#what = what;
    this.#stillOurs = stillOurs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  held(): boolean {
    if (!this.signal.aborted && !this.#stillOurs()) this.lose("its time ran out before it was renewed");
    return !this.signal.aborted;
  }

  lose(why: string): void {
    if (this.signal.aborted) return;
    this.#controller.abort(
      new BusError(
        "BUS_LEASE_LOST",
        `The lease of ${this.#what} is lost: ${why}; the key will be run again.`,
      ),
    );
  }
}

/** One item in the hands of a run. */
export class HeldLease extends Held implements Lease {
  readonly item: WorkItem;
  readonly owner: number;
  /** The number under which the key is held: whoever takes it later has a higher one. */
  readonly token: number;
  readonly ahead: unknown;

  constructor(
    item: WorkItem,
    holder: { readonly owner: number; readonly token: number },
    stillOurs: () => boolean,
    ahead?: unknown,
  ) {
    super(`${item.function} on ${item.key}`, stillOurs);
    this.item = item;
    this.ahead = ahead;
    this.owner = holder.owner;
    this.token = holder.token;
  }
}
