import type { Clock } from "../../clock/clock.ts";
import type { Consumer, Work } from "../contract.ts";
import type { HeldLease } from "../lease.ts";

/** The options of one `consume`, and the items that it holds. */
export class EmbeddedConsumer implements Consumer {
  readonly #parallel: number;
  #lent = 0;
  /** The functions that it runs; undefined for all that are known. */
  readonly names: ReadonlySet<string> | undefined;
  /** The functions whose items it leaves alone now. */
  left: "all" | ReadonlySet<string> = new Set();
  readonly work: Work;
  readonly leases = new Set<HeldLease>();
  /** True where something may be ready for it. */
  hungry = true;
  stopping = false;
  /** The number of items that it has taken: it decides who is next. */
  taken = 0;
  readonly #clock: Clock;
  readonly #giveBack: (consumer: EmbeddedConsumer) => Promise<void>;
  readonly #wake: () => void;
  readonly #waiters = new Set<() => void>();
  #stopped: Promise<void> | undefined;

  constructor(
    options: { readonly parallel: number; readonly functions?: readonly string[] | undefined },
    work: Work,
    parts: {
      readonly clock: Clock;
      readonly giveBack: (consumer: EmbeddedConsumer) => Promise<void>;
      readonly wake: () => void;
    },
  ) {
    this.#parallel = options.parallel;
    const { functions } = options;
    this.names = functions && new Set(functions);
    this.work = work;
    this.#clock = parts.clock;
    this.#giveBack = parts.giveBack;
    this.#wake = parts.wake;
  }

  leave(functions: "all" | readonly string[]): void {
    this.left = functions === "all" ? functions : new Set(functions);
    this.#wake();
  }

  lend(places: number): void {
    this.#lent = places;
    this.#wake();
  }

  /** The number of items that it may hold at once now. */
  get places(): number {
    return this.#parallel + this.#lent;
  }

  ended(lease: HeldLease): void {
    this.leases.delete(lease);
    if (this.leases.size > 0) return;
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }

  stop(milliseconds?: number): Promise<void> {
    this.stopping = true;
    if (milliseconds !== undefined && this.leases.size > 0) this.#shorten(milliseconds);
    this.#stopped ??= this.#idle().then(() => this.#giveBack(this));
    return this.#stopped;
  }

  #idle(): Promise<void> {
    if (this.leases.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add(resolve));
  }

  /** Waits no longer than this for what runs; a second, shorter `stop` counts too. */
  #shorten(milliseconds: number): void {
    const cut = (): void => {
      for (const waiter of this.#waiters) waiter();
      this.#waiters.clear();
    };
    if (milliseconds <= 0) queueMicrotask(cut);
    else this.#waiters.add(this.#clock.after(milliseconds, cut));
  }
}
