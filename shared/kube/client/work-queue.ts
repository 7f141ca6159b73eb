import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { KubeError } from "../errors.ts";

const FIRST_RETRY_MILLISECONDS = 20;
const LAST_RETRY_MILLISECONDS = 30_000;

export interface WorkQueueOptions {
  /** Brings what the key stands for where it should be. What it throws is logged and tried again after a back-off. */
  readonly work: (key: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** Keys at once, default 8: an API server does not get faster beyond. */
  readonly concurrency?: number;
}

/** Keys to look at: each waits once, never runs twice at a time, and runs again when it was added meanwhile. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #concurrency: number;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #alarms = new Map<
    string,
    { readonly due: number; readonly cancel: () => void; readonly retry: boolean }
  >();
  #idlers: (() => void)[] = [];
  #stopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#concurrency = options.concurrency ?? 8;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#waiting.add(key);
    this.#pump();
  }

  /** Adds the key at a time (milliseconds since the epoch), unless it is due earlier anyway. */
  addAt(key: string, due: number): void {
    this.#alarm(key, due, false);
  }

  /** Resolves when nothing waits, runs or is to be tried again; what is merely due later does not count. */
  idle(): Promise<void> {
    return this.#busy() ? new Promise((resolve) => this.#idlers.push(resolve)) : Promise.resolve();
  }

  /** Drops what waits and resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    for (const { cancel } of this.#alarms.values()) cancel();
    this.#alarms.clear();
    this.#settle();
    await this.idle();
  }

  #alarm(key: string, due: number, retry: boolean): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    const present = this.#alarms.get(key);
    if (present !== undefined && present.due <= due) return;
    present?.cancel();
    const cancel = clock.after(Math.max(0, due - clock.now()), () => {
      this.#alarms.delete(key);
      this.add(key);
    });
    this.#alarms.set(key, { due, cancel, retry: retry || present?.retry === true });
  }

  #pump(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    const { work, log, clock } = this.#options;
    try {
      await work(key);
      this.#failures.delete(key);
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      const wait = Math.min(LAST_RETRY_MILLISECONDS, FIRST_RETRY_MILLISECONDS * 2 ** (failures - 1));
      // A stale write is the ordinary way to learn of a newer one.
      const level = error instanceof KubeError && error.kind === "stale" ? "debug" : "warn";
      if (!this.#stopped) log[level]({ key, wait, error: messageOf(error) }, "failed, will be tried again");
      this.#alarm(key, clock.now() + wait, true);
    }
    this.#running.delete(key);
    this.#pump();
    this.#settle();
  }

  #busy(): boolean {
    return (
      this.#waiting.size + this.#running.size > 0 || [...this.#alarms.values()].some(({ retry }) => retry)
    );
  }

  #settle(): void {
    if (this.#busy()) return;
    const idlers = this.#idlers;
    this.#idlers = [];
    for (const resolve of idlers) resolve();
  }
}
