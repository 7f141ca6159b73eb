import type { Memory, MemoryLine } from "../memory.ts";
import type { Database } from "./database.ts";

/**
 * The memories that are written behind elsewhere, and the lines that they may lack. While the journal holds a line, it stands there;
 * before the journal begins anew each memory writes what it has, and what cannot be written there goes to the bus's own file.
 */
export class Memories {
  readonly #joined = new Map<string, Memory>();
  /** The lines of memories that have not joined yet, as the journal told them. */
  #left: MemoryLine[] = [];
  readonly #add;
  readonly #drop;
  readonly #of;

  constructor(database: Database) {
    this.#add = database.prepare("INSERT INTO remembered (memory, line) VALUES (?, ?)");
    this.#drop = database.prepare("DELETE FROM remembered WHERE memory = ?");
    this.#of = database.prepare("SELECT line FROM remembered WHERE memory = ? ORDER BY number");
  }

  /** Hands a memory what it may lack. Another one of the same name takes its place. @returns ends it */
  join(name: string, memory: Memory): () => void {
    const rested = this.#of
      .all<{ readonly line: string }>(name)
      .map(({ line }) => JSON.parse(line) as unknown);
    memory.takeUp([...rested, ...this.#left.filter(({ of }) => of === name).map(({ line }) => line)]);
    if (rested.length > 0) this.#drop.run(name);
    this.#left = this.#left.filter(({ of }) => of !== name);
    this.#joined.set(name, memory);
    return () => {
      if (this.#joined.get(name) === memory) this.#joined.delete(name);
    };
  }

  /** Keeps a line that the journal told until its memory joins. */
  leave(line: MemoryLine): void {
    this.#left.push(line);
  }

  /**
   * Has all memories write what they know, since the journal is about to begin anew.
   * @returns call it in the transaction that does so: it writes the lines that rest nowhere else, those of the transaction included
   */
  settle(inTransaction: readonly MemoryLine[]): () => void {
    const lines = [...this.#left];
    const settled = [...this.#joined].map(([of, memory]) => {
      const line = memory.settle();
      if (line !== undefined) lines.push({ of, line });
      return of;
    });
    return () => {
      for (const of of settled) this.#drop.run(of);
      for (const { of, line } of [...lines, ...inTransaction]) this.#add.run(of, JSON.stringify(line));
    };
  }

  /** The lines that rested in the journal alone stand in the file now. */
  settled(): void {
    this.#left = [];
  }
}
