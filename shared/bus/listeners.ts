import { messageOf } from "../errors.ts";
import type { Log } from "../log/log.ts";
import type { BusListener, WaitedObject } from "./contract.ts";

/** The listeners to events and runs in this process: an error of one of them stops neither the bus nor the others. */
export class Listeners {
  readonly #listeners = new Set<BusListener>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns ends it */
  add(listener: BusListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** True where somebody hears of events. */
  get hearEvents(): boolean {
    for (const { published } of this.#listeners) if (published !== undefined) return true;
    return false;
  }

  readonly published: NonNullable<BusListener["published"]> = (event, items) =>
    this.#tell((listener) => listener.published?.(event, items));

  readonly ran: NonNullable<BusListener["ran"]> = (run) => this.#tell((listener) => listener.ran?.(run));

  readonly waits = (objects: readonly WaitedObject[] | undefined): void =>
    this.#tell((listener) => listener.waits?.(objects));

  readonly replaced: NonNullable<BusListener["replaced"]> = () =>
    this.#tell((listener) => listener.replaced?.());

  #tell(call: (listener: BusListener) => void): void {
    for (const listener of this.#listeners)
      try {
        call(listener);
      } catch (thrown) {
        this.#log.error({ error: messageOf(thrown) }, "a listener of the bus threw");
      }
  }
}
