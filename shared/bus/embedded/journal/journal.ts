import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { BusError } from "../../errors.ts";
import { fileFault } from "./file-fault.ts";
import { encode, scan } from "./record.ts";

/** The bus that a journal goes with, and which of its journals it is, one after the other. */
export interface Chapter {
  /** The birth of the bus. */
  readonly birth: string;
  readonly number: number;
}

export interface JournalOptions {
  /** True: each record is on the disk before `append` returns. */
  readonly powerCutSafe: boolean;
  /** The most bytes; where there is no room for a record, what it tells is to be written elsewhere. */
  readonly maximumBytes: number;
  /** Called before and after each write. Tests die there. */
  readonly hook?: ((what: string, when: "before" | "after") => void) | undefined;
}

/**
 * A file that records are appended to, one `write` each. It begins with its chapter. What was torn off is cut when it is opened;
 * a record that is damaged is named.
 */
export class Journal {
  readonly #file: string;
  readonly #options: JournalOptions;
  #handle: number | undefined;
  #size = 0;
  /** True where the file may end in the middle of a record: nothing is appended until it begins anew. */
  #torn = false;

  constructor(file: string, options: JournalOptions) {
    this.#file = file;
    this.#options = options;
    try {
      this.#handle = openSync(file, "a+", 0o600);
    } catch (thrown) {
      throw fileFault(thrown, file);
    }
  }

  /** The position behind the last record. */
  get size(): number {
    return this.#size;
  }

  /**
   * The records of this chapter, and those of them that lie behind a position; of another chapter nothing, for what it told stands
   * elsewhere.
   * @throws BusError `BUS_CORRUPT` with the place of the damage
   */
  read(
    chapter: Chapter,
    position: number,
  ): {
    readonly records: readonly unknown[];
    readonly later: readonly unknown[];
    readonly other: Chapter | undefined;
  } {
    const bytes = this.#guarded(() => readFileSync(this.#file));
    const { records: found, whole, damagedAt } = scan(bytes);
    const [first, ...rest] = found;
    if (damagedAt !== undefined && (first === undefined || isOf(chapterIn(first.payload), chapter)))
      throw new BusError(
        "BUS_CORRUPT",
        `${this.#file} is damaged at byte ${damagedAt}; move it and the bus's file away and start again: every key is resynced.`,
      );
    const other = first && chapterIn(first.payload);
    if (first === undefined || !isOf(other, chapter)) {
      this.#torn = true;
      return { records: [], later: [], other };
    }
    if (whole < bytes.length) this.#guarded(() => ftruncateSync(this.#open(), whole));
    this.#size = whole;
    // A power cut may have taken more than a torn tail: what the other file holds is the newer then.
    this.#torn = whole < position;
    const records = rest.map(({ payload }) => JSON.parse(payload.toString("utf8")) as unknown);
    const later = records.filter((_, index) => (rest[index]?.end ?? 0) > position);
    return { records, later, other: undefined };
  }

  /** True where a record of so many bytes may be appended. */
  hasRoom(bytes: number): boolean {
    return !this.#torn && this.#size + bytes <= this.#options.maximumBytes;
  }

  /** When it returns the record survives the death of the process. Where it throws, nothing of it stays. */
  append(record: Uint8Array): void {
    const { hook, powerCutSafe } = this.#options;
    this.#guarded(() => {
      hook?.("APPEND", "before");
      const handle = this.#open();
      try {
        writeAll(handle, record);
        if (powerCutSafe) fdatasyncSync(handle);
      } catch (thrown) {
        this.#torn = true;
        ftruncateSync(handle, this.#size);
        this.#torn = false;
        throw thrown;
      }
    });
    this.#size += record.length;
    hook?.("APPEND", "after");
  }

  /** Begins anew, with nothing in it. Call it once all that it told stands elsewhere under this chapter. */
  restart(chapter: Chapter): void {
    this.#torn = true;
    this.#options.hook?.("RESTART", "before");
    this.#guarded(() => {
      const handle = this.#open();
      ftruncateSync(handle, 0);
      const first = encode(Buffer.from(JSON.stringify(chapter)));
      writeAll(handle, first);
      if (this.#options.powerCutSafe) fdatasyncSync(handle);
      this.#size = first.length;
    });
    this.#torn = false;
    this.#options.hook?.("RESTART", "after");
  }

  close(): void {
    if (this.#handle === undefined) return;
    closeSync(this.#handle);
    this.#handle = undefined;
  }

  #open(): number {
    if (this.#handle === undefined)
      throw new BusError("BUS_CLOSED", `The bus of ${this.#file} is closed; open it again.`);
    return this.#handle;
  }

  #guarded<T>(body: () => T): T {
    try {
      return body();
    } catch (thrown) {
      throw fileFault(thrown, this.#file);
    }
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}

function chapterIn(payload: Buffer): Chapter | undefined {
  try {
    const { birth, number } = JSON.parse(payload.toString("utf8")) as Partial<Chapter>;
    return typeof birth === "string" && typeof number === "number" ? { birth, number } : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

const isOf = (found: Chapter | undefined, chapter: Chapter): boolean =>
  found?.birth === chapter.birth && found.number === chapter.number;
