/** A stream takes some 200 KB here, and its connection as much at the other end. */
const MOST = 64;

/**
 * The streams of all clusters in which nobody waits any more. Each goes on a little, since the next wait may be near; where they are too many
 * the oldest end, so that thousands of clusters that wait now and then take no memory of their own.
 */
export class Lingering {
  readonly #most: number;
  /** Ends one each, the oldest first. */
  readonly #ends = new Set<() => void>();

  constructor(most = MOST) {
    this.#most = most;
  }

  /**
   * @param end ends the stream
   * @returns takes it out again: somebody waits in it, or it has ended
   */
  add(end: () => void): () => void {
    this.#ends.add(end);
    if (this.#ends.size > this.#most)
      for (const oldest of this.#ends) {
        this.#ends.delete(oldest);
        oldest();
        break;
      }
    return () => this.#ends.delete(end);
  }
}
