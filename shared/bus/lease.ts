import type { Lease } from "./contract.ts";
import { BusError } from "./errors.ts";
import type { WorkItem } from "./item.ts";

/** One item in the hands of a run. Once lost it stays lost. */
export class HeldLease implements Lease {
  readonly item: WorkItem;
  readonly owner: number;
  /** The number under which the key is held: whoever takes it later has a higher one. */
  readonly token: number;
  readonly ahead: unknown;
  readonly #controller = new AbortController();
  readonly #stillOurs: () => boolean;

  constructor(
    item: WorkItem,
    holder: { readonly owner: number; readonly token: number },
    stillOurs: () => boolean,
    ahead?: unknown,
  ) {
    this.item = item;
    this.ahead = ahead;
    this.owner = holder.owner;
    this.token = holder.token;
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
    const { function: name, key } = this.item;
    this.#controller.abort(
      new BusError(
        "BUS_LEASE_LOST",
        `The lease of ${name} on ${key} is lost: ${why}; the key will be run again.`,
      ),
    );
  }
}
