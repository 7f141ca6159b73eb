import { statSync } from "node:fs";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { BusError } from "../errors.ts";
import type { Database, Statement } from "./database.ts";

const PROBE_MILLISECONDS = 1_000;
/** The time for which it is believed that the file still lies where it was opened. */
const PLACE_MILLISECONDS = 3_000;
/** Kept free for those who make room: enough for some hundred items. */
export const RESERVE_BYTES = 262_144;
/** Free beside the reserve before more is taken from outside, so that a few free pages do not count as room. */
const ROOM_BYTES = 262_144;

const MOVED =
  "was removed or replaced while in use: the bus takes nothing more. Start this process again; every key is resynced.";

/** The identity of the file at that path; undefined where there is none. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}

export interface HealthParts {
  /** Called when consumers are to look: it works again, or there is a little room. */
  readonly wake: () => void;
  /** Deletes what work goes before, in a transaction; called again and again while there is no room. */
  readonly spare: () => void;
  /** Brings the file up to date. @throws BusError */
  readonly settle: () => void;
}

/**
 * The health of the bus: can it make things durable (B10)? After a failure it tries by itself until it can again. A reserve lies
 * in the file: when there is no other space left, nothing more is taken from outside, and running and taken work uses the reserve
 * until there is room.
 */
export class Health {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #database: Database;
  readonly #probe: () => void;
  readonly #fill: Statement;
  readonly #empty: Statement;
  readonly #reserved: Statement;
  readonly #parts: HealthParts;
  /** The identity of the file that was opened; undefined in memory. */
  readonly #opened: string | undefined;
  #cancel: (() => void) | undefined;
  #isDamaged = false;
  /** The reason why nothing more is taken from outside; undefined while there is room. */
  #full: BusError | undefined;
  #isInPlace = true;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, clock: Clock, log: Log, parts: HealthParts) {
    this.#clock = clock;
    this.#log = log;
    this.#database = database;
    this.#parts = parts;
    this.#opened = database.inMemory ? undefined : fileAt(database.file);
    this.#fill = database.prepare("INSERT OR REPLACE INTO probe (rowid, content) VALUES (1, zeroblob(?))");
    this.#empty = database.prepare("DELETE FROM probe");
    this.#reserved = database.prepare("SELECT rowid FROM probe LIMIT 1");
    this.#probe = () => {
      // A damaged file takes writes where it is whole: only a look at all of it says that it works again.
      if (this.#isDamaged) database.quickCheck();
      parts.settle();
      database.transaction(() => this.#fill.run(RESERVE_BYTES + ROOM_BYTES));
      database.transaction(() => this.reserve());
    };
  }

  get ready(): boolean {
    return this.#cancel === undefined && this.#database.isOpen && this.#looksInPlace();
  }

  /** True while nothing is taken from outside for want of space. */
  get isFull(): boolean {
    return this.#full !== undefined;
  }

  /** Lays the reserve down where a file was opened that has none yet. */
  start(): void {
    if (this.#reserved.get() !== undefined) return;
    try {
      this.#database.transaction(() => this.reserve());
    } catch (thrown) {
      this.failed(thrown);
      if (!(thrown instanceof BusError)) throw thrown;
    }
  }

  /** Lays the reserve down, inside the caller's transaction. @throws BusError `BUS_FULL` where there is no space for it */
  reserve(): void {
    this.#fill.run(RESERVE_BYTES);
  }

  /** @throws BusError `BUS_FULL`; `BUS_MOVED`: what is written now would be seen by nobody who opens the file */
  check(): void {
    if (this.#full !== undefined) throw new BusError("BUS_FULL", this.#full.message, { cause: this.#full });
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
      if (isInPlace) this.#log.info({}, "the bus's file is in its place again");
      else this.#log.error({ code: "BUS_MOVED" }, `${this.#database.file} ${MOVED}`);
    }
    this.#isInPlace = isInPlace;
    return isInPlace;
  }

  /** A write failed. Only what the medium did counts; a fault of the caller's does not. */
  failed(thrown: unknown): void {
    if (!(thrown instanceof BusError) || thrown.code === "BUS_CLOSED" || thrown.code === "BUS_MOVED") return;
    if (thrown.code === "BUS_CORRUPT") this.#isDamaged = true;
    if (thrown.code === "BUS_FULL" && this.#full === undefined) {
      this.#full = thrown;
      this.#clear();
    }
    if (this.#cancel !== undefined) return;
    this.#log.error({ code: thrown.code, error: thrown.message }, "the bus cannot write durably");
    this.#again();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Gives the reserve to those who make room, and what else can be spared. */
  #clear(): void {
    try {
      this.#database.transaction(() => {
        this.#empty.run();
        this.#parts.spare();
      });
      this.#parts.settle();
    } catch (thrown) {
      // A disk on which not even this can be written: the next probe tells when it can.
      this.#log.debug({ error: messageOf(thrown) }, "the bus could not free any space");
      return;
    }
    this.#parts.wake();
  }

  #again(): void {
    this.#cancel = this.#clock.after(PROBE_MILLISECONDS, () => {
      if (!this.#database.isOpen) return this.stop();
      try {
        this.#probe();
      } catch (thrown) {
        this.#log.debug({ error: messageOf(thrown) }, "the bus still cannot write durably");
        if (this.#full !== undefined) this.#clear();
        return this.#again();
      }
      this.#isDamaged = false;
      this.#full = undefined;
      this.stop();
      this.#log.info({}, "the bus works again");
      this.#parts.wake();
    });
  }
}
