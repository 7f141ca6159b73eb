import type { Lease } from "./contract.ts";
import { BusError } from "./errors.ts";
import type { WorkItem } from "./item.ts";

/** A run's hold on its key. Once lost it stays lost. */
export class Held {
  readonly #what: string;
  /** Made when somebody asks for it: nearly no run loses its lease, and a signal costs more than a lease. */
  #controller: AbortController | undefined;
  #lost: BusError | undefined;
  readonly #listeners = new Set<(reason: unknown) => void>();
  readonly #stillOurs: () => boolean;

  /** @param what in words, after "The lease of" */
  constructor(what: string, stillOurs: () => boolean) {
    this.#what = what;
    this.#stillOurs = stillOurs;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#lost !== undefined) this.#controller.abort(this.#lost);
    return this.#controller.signal;
  }

  readonly onLost = (listener: (reason: unknown) => void): (() => void) => {
    if (this.#lost !== undefined) listener(this.#lost);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  held(): boolean {
    if (this.#lost === undefined && !this.#stillOurs()) this.lose("its time ran out before it was renewed");
    return this.#lost === undefined;
  }

  lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = new BusError(
      "BUS_LEASE_LOST",
      `The lease of ${this.#what} is lost: ${why}; the key will be run again.`,
    );
    this.#controller?.abort(this.#lost);
    for (const listener of [...this.#listeners]) listener(this.#lost);
    this.#listeners.clear();
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
