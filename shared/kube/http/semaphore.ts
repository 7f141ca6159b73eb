/** Lets `size` callers in at a time; the others wait in order. */
export class Semaphore {
  #size: number;
  /** Below 0 where it was made smaller than the number of those inside. */
  #free: number;
  readonly #waiting: (() => void)[] = [];
  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  /** True where whoever comes now would wait. */
  get isFull(): boolean {
    return this.#free <= 0;
  }

  /** True: a place is taken at once, without a promise. */
  tryTake(): boolean {
    if (this.#free <= 0) return false;
    this.#free--;
    return true;
  }

  /** Resolves once a place is the caller's; rejects with the signal's reason where that comes first. */
  take(signal?: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Gives a place back, to whoever waits longest. */
  give(): void {
    this.#free++;
    this.#admit();
  }

  /** Lets another number in from now on; whoever is inside stays. */
  resize(size: number): void {
    this.#free += size - this.#size;
    this.#size = size;
    this.#admit();
  }

  #admit(): void {
    while (this.#free > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#free--;
      next();
    }
  }
}
