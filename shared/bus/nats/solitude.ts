/** Keeps a host empty around a run beside which nothing may run: others die with what ends the process. */
export class Solitude {
  readonly #told: { readonly opened: () => void; readonly joined: () => void };
  /** The keys in this host's hands. */
  readonly #here = new Set<object>();
  /** The runs that wait to be alone, and what tells them that they are; first come first. */
  readonly #waiting = new Map<object, () => void>();
  #alone: object | undefined;

  /** @param told `opened`: others may begin again. `joined`: what ran alone does so no more */
  constructor(told: { readonly opened: () => void; readonly joined: () => void }) {
    this.#told = told;
  }

  /** Nothing new may begin. */
  get closed(): boolean {
    return this.#alone !== undefined || this.#waiting.size > 0;
  }

  began(run: object): void {
    this.#here.add(run);
    if (this.#here.size === 2) this.#told.joined();
  }

  ended(run: object): void {
    this.#here.delete(run);
    this.#waiting.delete(run);
    const closed = this.closed;
    if (this.#alone === run) this.#alone = undefined;
    this.#admit();
    if (closed && !this.closed) this.#told.opened();
  }

  /** True where nothing else runs here that has not stood back. */
  isAlone(run: object): boolean {
    return this.#here.size - this.#waiting.size <= (this.#waiting.has(run) ? 0 : 1);
  }

  /** Resolves when nothing else runs here; it stays so until the run has ended. */
  enter(run: object): Promise<void> {
    if (this.#alone === run) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.set(run, resolve);
      this.#admit();
    });
  }

  #admit(): void {
    if (this.#alone !== undefined || this.#here.size > this.#waiting.size) return;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [run, resolve] = first;
    this.#waiting.delete(run);
    this.#alone = run;
    resolve();
  }
}
