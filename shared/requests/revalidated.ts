import { type FailedRequest, type RequestLimits, told, unexpected } from "./bounded-get.ts";
import { bytesOf, exchange, type Fetch } from "./exchange.ts";

/** An answer as `read` sees it. */
export interface ReadAnswer {
  readonly text: string;
  readonly headers: Headers;
}
/** The value of an answer, or the reason why there is none. */
export type Revalidated<Value> = { readonly state: "answered"; readonly value: Value } | FailedRequest;

const NOT_MODIFIED = 304;

/**
 * Asks for texts, and with the ETag of the last answer to the same URL: a server that says "not modified" sends nothing, and `read` is
 * spared. What `read` made of the last `most` of them is kept. All of them are asked for with the same rights.
 */
export function revalidated<Value>(
  fetch: Fetch,
  limits: RequestLimits,
  most: number,
  read: (answer: ReadAnswer) => Value,
): (url: URL, headers: Readonly<Record<string, string>>) => Promise<Revalidated<Value>> {
  const kept = new Map<string, { readonly etag: string; readonly value: Value }>();
  const keep = (url: URL, etag: string | null, value: Value): void => {
    kept.delete(url.href);
    if (etag !== null) kept.set(url.href, { etag, value });
    for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
  };
  return (url, headers) =>
    told(async (): Promise<Revalidated<Value>> => {
      const known = kept.get(url.href);
      const validator = known && { "if-none-match": known.etag };
      return exchange(fetch, { url, headers: { ...headers, ...validator } }, limits, async (answer) => {
        if (answer.status === NOT_MODIFIED && known !== undefined) {
          keep(url, known.etag, known.value);
          return { state: "answered", value: known.value };
        }
        if (answer.status !== 200) return unexpected(answer, limits);
        const text = Buffer.from(await bytesOf(answer, limits.maximumBytes)).toString("utf8");
        const value = read({ text, headers: answer.headers });
        keep(url, answer.headers.get("etag"), value);
        return { state: "answered", value };
      });
    });
}
