import type { Journal } from "./journal.ts";

/** The journal of a bus in memory: nothing outlives the process, and only the space counts that a journal would take. */
export class NoJournal implements Pick<Journal, "size" | "hasRoom" | "append" | "restart" | "close"> {
  readonly #maximumBytes: number;
  size = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  hasRoom(bytes: number): boolean {
    return this.size + bytes <= this.#maximumBytes;
  }

  append(record: Uint8Array): void {
    this.size += record.length;
  }

  restart(): void {
    this.size = 0;
  }

  close(): void {
    this.size = 0;
  }
}
