import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { linesIn, recordOf, replay } from "./change-record.ts";
import type { Database, Statement } from "./database.ts";
import type { HistoryTable } from "./history.ts";
import { Journal, type JournalOptions } from "./journal/journal.ts";
import { NoJournal } from "./journal/no-journal.ts";
import { encode } from "./journal/record.ts";
import type { LiveKeys } from "./live-keys.ts";
import type { Memories } from "./memories.ts";
import type { RefusedTable } from "./refused-table.ts";
import type { Timers } from "./timers.ts";
import { Transaction } from "./writer.ts";

/** The time for which what stands may be known to memory and the journal alone. */
const BEHIND_MILLISECONDS = 200;
const AGAIN_MILLISECONDS = 1_000;
/** The size from which on a journal begins anew as soon as the file tells all. */
const RESTART_BYTES = 1 << 20;

export interface KeeperParts {
  readonly database: Database;
  readonly live: LiveKeys;
  readonly timers: Timers;
  readonly refused: RefusedTable;
  readonly history: HistoryTable;
  readonly memories: Memories;
  readonly clock: Clock;
  readonly log: Log;
  /** Lays the reserve of the file down, in its transaction. @throws BusError `BUS_FULL` */
  readonly reserve: () => void;
  /** Called when the file, or the journal, could not be written. */
  readonly failed: (thrown: unknown) => void;
  /** True while there is no space that is sure: then each change goes through to the file, as what ends makes room there. */
  readonly isFull: () => boolean;
  readonly journal: JournalOptions;
}

/**
 * Makes changes durable. Memory leads: a change stands once the journal has it, in one write. The file follows in one transaction
 * that also says how far it follows; where the journal has no room, the change and all before it go through to the file at once, under
 * the number of the next journal, and the journal begins anew.
 */
export class Keeper {
  readonly #parts: KeeperParts;
  readonly #journal: Journal | NoJournal;
  readonly #birth: string;
  readonly #follow: Statement;
  /** The number of the journal that goes with the file. */
  #number: number;
  /** The position of the journal up to which the file tells all. */
  #position: number;
  #cancel: (() => void) | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const { database, journal } = parts;
    this.#birth = database.prepare("SELECT id FROM birth").get<{ readonly id: string }>()?.id ?? "";
    this.#follow = database.prepare("UPDATE journal SET number = ?, position = ?");
    const at = database
      .prepare("SELECT number, position FROM journal")
      .get<{ readonly number: number; readonly position: number }>();
    this.#number = at?.number ?? 0;
    this.#position = at?.position ?? 0;
    this.#journal = database.inMemory
      ? new NoJournal(journal.maximumBytes)
      : new Journal(`${database.file}.journal`, journal);
  }

  /** The name of what is kept here. */
  get birth(): string {
    return this.#birth;
  }

  /** Takes up what the journal tells and the file does not. @throws BusError `BUS_CORRUPT` */
  open(): void {
    const { live, timers, refused, memories, log } = this.#parts;
    const journal = this.#journal;
    if (journal instanceof NoJournal) return;
    const chapter = { birth: this.#birth, number: this.#number };
    const { records, later, other } = journal.read(chapter, this.#position);
    if (other !== undefined && other.birth !== this.#birth)
      log.warn({ file: this.#parts.database.file }, "the journal of another bus lay here; it is begun anew");
    // The file follows without what memories learned: they may lack what any record tells.
    for (const line of records.flatMap(linesIn)) memories.leave(line);
    for (const record of later)
      replay(record, {
        key: (key, at) => live.set(key, at),
        timer: (timer) => timers.change(timer),
        refused: (id, letter) => refused.change(id, letter),
      });
    this.#tryThrough();
  }

  /** @throws BusError; then nothing of the transaction stands */
  commit(transaction: Transaction): void {
    if (transaction.changes) this.#keep(transaction);
    for (const { event, at } of transaction.events) this.#parts.history.recordEvent(event, at);
  }

  /** Writes what the file does not tell yet. @throws BusError */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#journal.size > RESTART_BYTES) {
      this.settle();
      return;
    }
    if (!this.#isBehind) return;
    this.#write(new Transaction(), this.#number, this.#journal.size);
    this.#position = this.#journal.size;
  }

  /** Does what `flush` does; what fails is told, and tried again. */
  tryFlush(): void {
    if (!this.#parts.database.isOpen) return;
    try {
      this.flush();
    } catch (thrown) {
      this.#parts.log.debug({ error: messageOf(thrown) }, "the bus's file does not follow");
      this.#parts.failed(thrown);
      this.#soon(AGAIN_MILLISECONDS);
    }
  }

  /** Brings file and journal together; the journal holds nothing then. @throws BusError */
  settle(): void {
    this.#through(new Transaction());
  }

  /** Nothing is written any more. */
  close(): void {
    this.#cancel?.();
    this.#journal.close();
  }

  get #isBehind(): boolean {
    const { live, timers, refused } = this.#parts;
    return live.isBehind || timers.isBehind || refused.isBehind;
  }

  #keep(transaction: Transaction): void {
    if (transaction.leavesReserve || this.#parts.isFull() || !this.#append(transaction))
      this.#through(transaction);
    else this.#apply(transaction);
  }

  /** False where the journal has no room. */
  #append(transaction: Transaction): boolean {
    // In memory nothing need be told where there is no bound.
    if (this.#parts.journal.maximumBytes === Number.POSITIVE_INFINITY) return true;
    const record = encode(recordOf(transaction));
    if (!this.#journal.hasRoom(record.length)) return false;
    this.#journal.append(record);
    return true;
  }

  #apply(transaction: Transaction): void {
    const { live, timers, refused } = this.#parts;
    for (const { key, at } of transaction.keys.values()) live.set(key, at);
    for (const timer of transaction.timers.values()) timers.change(timer);
    for (const [id, letter] of transaction.refused) refused.change(id, letter);
    this.#soon(BEHIND_MILLISECONDS);
  }

  #through(transaction: Transaction): void {
    const number = this.#number + 1;
    this.#write(transaction, number, 0);
    this.#number = number;
    this.#position = 0;
    const { live, failed } = this.#parts;
    for (const { key, at } of transaction.keys.values()) live.setWritten(key, at);
    try {
      this.#journal.restart({ birth: this.#birth, number });
    } catch (thrown) {
      // What counts stands in the file; until the journal can be begun anew all goes there.
      failed(thrown);
    }
  }

  #tryThrough(): void {
    try {
      this.settle();
    } catch (thrown) {
      this.#parts.failed(thrown);
    }
  }

  /** All that stands, and a transaction, in one of the file's. */
  #write(transaction: Transaction, number: number, position: number): void {
    const { database, live, timers, refused, memories, clock, reserve } = this.#parts;
    const written = database.transaction(() => {
      const parts = [
        live.write(transaction.keys),
        timers.write(transaction.timers),
        refused.write(transaction.refused, clock.now()),
        // Until it begins anew, the journal tells what they may lack.
        ...(number === this.#number ? [] : [memories.write(transaction.lines)]),
      ];
      this.#follow.run(number, position);
      if (transaction.leavesReserve) reserve();
      return parts;
    });
    for (const part of written) part();
  }

  #soon(milliseconds: number): void {
    this.#cancel ??= this.#parts.clock.after(milliseconds, () => {
      this.#cancel = undefined;
      this.tryFlush();
    });
  }
}
