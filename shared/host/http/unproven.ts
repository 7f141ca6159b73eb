import { HttpError } from "./answer.ts";

/** Bytes at most of all bodies together whose senders have yet to be proven. */
const MAXIMUM_UNPROVEN = 16 * 1_048_576;

/**
 * A signature is of the body, so that must be read before its sender is known. What such bodies may take of the memory is bounded for
 * all of them together, whoever sends them and however slowly.
 */
export class Unproven {
  readonly #maximum: number;
  #bytes = 0;

  constructor(maximum = MAXIMUM_UNPROVEN) {
    this.#maximum = maximum;
  }

  /**
   * Runs `prove`, which reads a body and proves its sender. What it takes counts until it is over. Throws 503 where there is no room.
   * @param prove is handed a function to call with each number of bytes before it keeps them
   */
  async during<T>(prove: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let mine = 0;
    try {
      return await prove((bytes) => {
        if (this.#bytes + bytes > this.#maximum) throw busy();
        this.#bytes += bytes;
        mine += bytes;
      });
    } finally {
      this.#bytes -= mine;
    }
  }
}

const busy = (): HttpError =>
  new HttpError(
    "HTTP_BUSY",
    "Too much is being sent at once by senders who are not proven yet: send it again a little later.",
    {
      headers: { "retry-after": "5", connection: "close" },
    },
  );
