import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { TransportError, tooLarge } from "./wire.ts";

const unzip = promisify(gunzip);

/** The text of a body that came compressed. Rejects with a `TransportError`, also where it holds more than `limit` bytes. */
export async function unzipped(body: Buffer, limit: number): Promise<string> {
  try {
    return (await unzip(body, { maxOutputLength: limit })).toString("utf8");
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE"
      ? tooLarge(limit)
      : new TransportError("broken", "The answer is no valid gzip", { cause: error });
  }
}

/** The body as text, decompressed. Rejects with a `TransportError`. */
export function collect(
  response: IncomingMessage,
  limit: number,
  onBytes: () => void = () => undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      onBytes();
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) response.destroy(tooLarge(limit));
    });
    response.on("error", (error) =>
      reject(
        error instanceof TransportError
          ? error
          : new TransportError("broken", "The connection broke in the middle of the answer", {
              cause: error,
            }),
      ),
    );
    response.on("end", () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      if (response.headers["content-encoding"] === "gzip") unzipped(body, limit).then(resolve, reject);
      else resolve(body.toString("utf8"));
    });
  });
}
