import { statSync } from "node:fs";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { BusError } from "../errors.ts";
import type { Database } from "./database.ts";

const PROBE_MILLISECONDS = 1_000;
/** How long it is believed that the file still lies where it was opened. */
const PLACE_MILLISECONDS = 3_000;
/** Enough for some hundred items, so that a disk with a few free pages does not count as well. */
const PROBE_BYTES = 262_144;

const MOVED =
  "was removed or replaced while it was in use: nothing more is taken. Start this process again; everything is looked at once more.";

/** Which file lies there; undefined where none does. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}

/** Whether the bus can make things durable (B10). After a failure it tries by itself until it can again. */
export class Health {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #database: Database;
  readonly #probe: () => void;
  readonly #recovered: () => void;
  /** Which file was opened; undefined in memory. */
  readonly #opened: string | undefined;
  #cancel: (() => void) | undefined;
  #isDamaged = false;
  #isInPlace = true;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, clock: Clock, log: Log, recovered: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#database = database;
    this.#recovered = recovered;
    this.#opened = database.inMemory ? undefined : fileAt(database.file);
    const fill = database.prepare("INSERT INTO probe (content) VALUES (zeroblob(?))");
    const empty = database.prepare("DELETE FROM probe");
    this.#probe = () => {
      // A damaged file takes writes where it is whole: only a look at all of it says that it works again.
      if (this.#isDamaged) database.quickCheck();
      database.transaction(() => fill.run(PROBE_BYTES));
      database.transaction(() => empty.run());
    };
  }

  get ready(): boolean {
    return this.#cancel === undefined && this.#database.isOpen && this.#looksInPlace();
  }

  /** @throws BusError `BUS_MOVED`: what is written now would be seen by nobody who opens the file */
  check(): void {
    if (this.#looksInPlace()) return;
    throw new BusError("BUS_MOVED", `${this.#database.file} ${MOVED}`);
  }

  #looksInPlace(): boolean {
    const now = this.#clock.now();
    if (this.#opened === undefined || Math.abs(now - this.#lookedAt) < PLACE_MILLISECONDS)
      return this.#isInPlace;
    this.#lookedAt = now;
    const isInPlace = fileAt(this.#database.file) === this.#opened;
    if (isInPlace !== this.#isInPlace) {
      if (isInPlace) this.#log.info({}, "the file of the bus lies in its place again");
      else this.#log.error({ code: "BUS_MOVED" }, `${this.#database.file} ${MOVED}`);
    }
    this.#isInPlace = isInPlace;
    return isInPlace;
  }

  /** A write failed. Only what the medium did counts; a fault of the caller's does not. */
  failed(thrown: unknown): void {
    if (!(thrown instanceof BusError) || thrown.code === "BUS_CLOSED" || thrown.code === "BUS_MOVED") return;
    if (thrown.code === "BUS_CORRUPT") this.#isDamaged = true;
    if (this.#cancel !== undefined) return;
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
      this.#isDamaged = false;
      this.stop();
      this.#log.info({}, "the bus works again");
      this.#recovered();
    });
  }
}
