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
   * Has all memories write what they know, since the journal begins anew, and writes the lines that then rest nowhere else, in the
   * caller's transaction. @returns call it once that is committed
   */
  write(inTransaction: readonly MemoryLine[]): () => void {
    const rest = [...this.#joined].flatMap(([of, memory]) => {
      this.#drop.run(of);
      const line = memory.settle();
      return line === undefined ? [] : [{ of, line }];
    });
    for (const { of, line } of [...this.#left, ...rest, ...inTransaction])
      this.#add.run(of, JSON.stringify(line));
    return () => {
      this.#left = [];
    };
  }
}
