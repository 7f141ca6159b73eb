/** A line about what a memory learned, as JSON. */
export interface MemoryLine {
  /** The name under which the memory joined the bus. */
  readonly of: string;
  readonly line: unknown;
}

/** The memory of a process about the events that it published, which its own file tells only later: the ledger of a watcher. */
export interface Memory {
  /**
   * Takes up lines that were durable with events, oldest first: its own file has them when it returns. It may have had some before:
   * these change nothing.
   */
  takeUp(lines: readonly unknown[]): void;
  /**
   * Writes to its own file all that it was told of. It does not throw.
   * @returns a line that tells all that its file refused; undefined where nothing is left
   */
  settle(): unknown;
}
