import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { BusError } from "../errors.ts";
import type { Database } from "./database.ts";

const PROBE_MILLISECONDS = 1_000;
/** Enough for some hundred items, so that a disk with a few free pages does not count as well. */
const PROBE_BYTES = 262_144;

/** Whether the bus can make things durable (B10). After a failure it tries by itself until it can again. */
export class Health {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #database: Database;
  readonly #probe: () => void;
  readonly #recovered: () => void;
  #cancel: (() => void) | undefined;

  constructor(database: Database, clock: Clock, log: Log, recovered: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#database = database;
    this.#recovered = recovered;
    const fill = database.prepare("INSERT INTO probe (content) VALUES (zeroblob(?))");
    const empty = database.prepare("DELETE FROM probe");
    this.#probe = () => {
      database.transaction(() => fill.run(PROBE_BYTES));
      database.transaction(() => empty.run());
    };
  }

  get ready(): boolean {
    return this.#cancel === undefined && this.#database.isOpen;
  }

  /** A write failed. Only what the medium did counts; a fault of the caller's does not. */
  failed(thrown: unknown): void {
    if (!(thrown instanceof BusError) || thrown.code === "BUS_CLOSED" || this.#cancel !== undefined) return;
    this.#log.error({ code: thrown.code, error: thrown.message }, "the bus cannot make anything durable");
    this.#again();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #again(): void {
    this.#cancel = this.#clock.after(PROBE_MILLISECONDS, () => {
      if (!this.#database.isOpen) return this.stop();
      try {
        this.#probe();
      } catch (thrown) {
        this.#log.debug({ error: messageOf(thrown) }, "the bus still cannot make anything durable");
        return this.#again();
      }
      this.stop();
      this.#log.info({}, "the bus works again");
      this.#recovered();
    });
  }
}
