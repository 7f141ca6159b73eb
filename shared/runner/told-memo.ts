/** The number of Events that are remembered: beyond, one costs a request that the server refuses. */
const MOST = 5_000;

/** The Kubernetes Events that this process has told, by subject: an Event is named by what it says, and told once. */
export class ToldMemo {
  readonly #subjects = new Set<string>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  has(subject: string): boolean {
    return this.#subjects.has(subject);
  }

  /** Remembers it; beyond the bound the one that was told first is forgotten. */
  add(subject: string): void {
    this.#subjects.add(subject);
    if (this.#subjects.size <= this.#most) return;
    for (const first of this.#subjects) {
      this.#subjects.delete(first);
      return;
    }
  }
}
