import type { JetStreamManager } from "@nats-io/jetstream";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Names } from "./names.ts";
import type { NatsOptions } from "./options.ts";
import { pause } from "./pause.ts";
import { ensureStreams, madeAt } from "./streams.ts";

/** Doubts come in heaps: what was looked at is good for so long. */
const LOOKED_MILLISECONDS = 1_000;
const AGAIN_MILLISECONDS = 1_000;
/**
 * The pause between two looks without a doubt. The loss of a stream that only others write shows in nothing that this process
 * does: a watcher writes no state, and a process that misses it may not make it.
 */
const LOOK_MILLISECONDS = 15_000;

/** Names what the server keeps: another text where a stream was lost and made anew. @throws BusError */
export async function storeIdOf(manager: JetStreamManager, names: Names): Promise<string> {
  return (await madeAt(manager, [names.work, names.state, names.waits])).join(" ");
}

export interface HealthParts {
  readonly manager: JetStreamManager;
  readonly names: Names;
  readonly options: NatsOptions;
  readonly log: Log;
  /** The store id of the streams that this process began with. */
  readonly storeId: string;
  /** Called when all streams are there, and some of them are others than before. */
  readonly replaced: () => void;
}

/**
 * The health of the streams: is what is sent kept, and does the server still keep what it kept? A stream that is gone is made
 * anew, where this process may; then all that was remembered of it is wrong.
 */
export class Health {
  /** True where the server can be reached. */
  connected = true;
  /** True where all streams were there, and took the last message. */
  durable = true;
  readonly #parts: HealthParts;
  #storeId: string;
  #looking = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  readonly #look: NodeJS.Timeout;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    this.#storeId = parts.storeId;
    this.#look = setInterval(() => this.doubt(), LOOK_MILLISECONDS).unref();
  }

  /** Something failed that fails without streams. */
  doubt(): void {
    if (this.#looking || this.#closed || performance.now() - this.#lookedAt < LOOKED_MILLISECONDS) return;
    this.#looking = true;
    void this.#lookUntilWhole().finally(() => {
      this.#looking = false;
      this.#lookedAt = performance.now();
    });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#look);
  }

  async #lookUntilWhole(): Promise<void> {
    const { manager, names, options, log, replaced } = this.#parts;
    for (let told = false; !this.#closed; told = true)
      try {
        await ensureStreams(manager, names, options);
        const storeId = await storeIdOf(manager, names);
        if (this.#closed) return;
        if (storeId !== this.#storeId) {
          this.#storeId = storeId;
          log.warn({}, "the server lost the streams of the bus: they were created again, empty");
          replaced();
        }
        this.durable = true;
        return;
      } catch (thrown) {
        if (this.#closed) return;
        this.durable = false;
        log[told ? "debug" : "warn"](
          { error: messageOf(thrown) },
          "the streams of the bus could not be checked: trying again",
        );
        await pause(AGAIN_MILLISECONDS);
      }
  }
}
