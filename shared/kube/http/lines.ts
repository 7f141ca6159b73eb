/** A line grew beyond what an object of the API server can be. */
export class LineTooLongError extends Error {
  constructor(limit: number) {
    super(`A line of the watch stream is longer than ${limit} bytes`);
    this.name = "LineTooLongError";
  }
}

const newline = 0x0a;

/**
 * Cuts a byte stream into lines. Works on bytes, so that a character split over two chunks stays whole,
 * and joins a long line once instead of once a chunk.
 */
export class LineSplitter {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  /** `limit`: bytes of one line. `onLine` is called in order, synchronously, without the newline and not for empty lines. */
  constructor(limit: number, onLine: (line: string) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  /** True after a beginning of a line whose end has not come. */
  get incomplete(): boolean {
    return this.#pendingBytes > 0;
  }

  /** Throws `LineTooLongError`, and whatever `onLine` throws. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#lineUpTo(chunk, start, end);
      start = end + 1;
      if (line !== "") this.#onLine(line);
    }
    if (start === chunk.length) return;
    this.#pending.push(start === 0 ? chunk : chunk.subarray(start));
    this.#pendingBytes += chunk.length - start;
    if (this.#pendingBytes > this.#limit) throw new LineTooLongError(this.#limit);
  }

  #lineUpTo(chunk: Buffer, start: number, end: number): string {
    if (this.#pendingBytes === 0) return chunk.toString("utf8", start, end);
    this.#pending.push(chunk.subarray(start, end));
    const line = Buffer.concat(this.#pending).toString("utf8");
    this.#pending = [];
    this.#pendingBytes = 0;
    return line;
  }
}
