import { request } from "node:https";
import type { Post } from "../../shared/function/simulation.ts";

const MAXIMUM_BYTES = 4 * 2 ** 20;

/** Posts JSON over https, each time over a connection of its own. */
export const post: Post = (url, body, { authorities, timeoutMilliseconds }) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const sent = request(
      url,
      {
        method: "POST",
        agent: false,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text) },
        signal: AbortSignal.timeout(timeoutMilliseconds),
        ...(authorities !== undefined && { ca: authorities }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.byteLength;
          chunks.push(chunk);
          if (bytes > MAXIMUM_BYTES) sent.destroy(new Error("the answer is too large"));
        });
        response.on("error", reject);
        response.on("end", () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
          } catch (cause) {
            reject(new Error(`${url} answered ${response.statusCode ?? 0} with what is no JSON`, { cause }));
          }
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
