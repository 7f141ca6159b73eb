import { createZstdDecompress, type ZstdDecompress } from "node:zlib";

/**
 * The content of all frames of zstd, one after the other, as programs with several threads write them. Node's stream ends with the first
 * frame that ends within a piece, so the rest of that is given to one more. Throws what these streams throw.
 */
export async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = packed[Symbol.asyncIterator]();
  let rest: Uint8Array | undefined = new Uint8Array();
  try {
    while (rest !== undefined) {
      const frames = createZstdDecompress();
      const fed = feed(rest, pieces, frames);
      // The source's own fault ends the reading below, with that error.
      fed.catch((error: unknown) =>
        frames.destroy(error instanceof Error ? error : new Error(String(error))),
      );
      for await (const piece of frames) yield piece as Uint8Array;
      rest = await fed;
    }
  } finally {
    await pieces.return?.();
  }
}

/** Feeds pieces to a stream until there are none, or until it takes no more: gives back what it did not take. */
async function feed(
  rest: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
  frames: ZstdDecompress,
): Promise<Uint8Array | undefined> {
  for (let piece = rest; ; ) {
    const before = frames.bytesWritten;
    if (piece.byteLength > 0) await written(frames, piece);
    const taken = frames.bytesWritten - before;
    if (taken < piece.byteLength) return piece.subarray(taken);
    const next = await pieces.next();
    if (next.done === true) break;
    piece = next.value;
  }
  frames.end();
  return undefined;
}

/** Writes a piece. Node calls nobody back for the one that a stream fails by. */
const written = (frames: ZstdDecompress, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    frames.once("error", reject);
    frames.write(piece, (error) => {
      frames.off("error", reject);
      if (error) reject(error);
      else resolve();
    });
  });
