import { STATUS_CODES } from "node:http";
import type { Clock } from "../clock/clock.ts";
import { messageOf } from "../errors.ts";

/** The limits of a request. */
export interface RequestLimits {
  readonly clock: Clock;
  /** For the whole answer, in milliseconds. */
  readonly timeoutMilliseconds: number;
  readonly maximumBytes: number;
  /** True where any server over https may answer in place of the one that was named: only for requests that carry nothing. */
  readonly anyServer?: boolean;
}
export type Fetch = typeof globalThis.fetch;

/** The failure of a request: `answer` where the server spoke and did not say 200. */
export interface FailedRequest {
  readonly state: "failed";
  readonly at: "connection" | "answer";
  readonly message: string;
}
/** An answer with its text, or what went wrong on the way. */
export type Fetched = { readonly state: "answered"; readonly text: string } | FailedRequest;
/** An answer with its bytes, or what went wrong on the way. */
export type FetchedBytes = { readonly state: "answered"; readonly bytes: Uint8Array } | FailedRequest;

/** The most redirects to another place of the answer's own server. */
const MOST_REDIRECTS = 5;

/**
 * One GET that ends: within its time, within its size, and within the origin that was named, so that no server leads the request (and
 * what it carries) to another. Nothing of an answer stands in the message of a failure.
 */
export async function boundedGet(
  fetch: Fetch,
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: RequestLimits,
): Promise<Fetched> {
  const answer = await boundedGetBytes(fetch, url, headers, limits);
  return answer.state === "failed"
    ? answer
    : { state: "answered", text: Buffer.from(answer.bytes).toString("utf8") };
}

/** The same for an answer that is no text. */
export async function boundedGetBytes(
  fetch: Fetch,
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: RequestLimits,
): Promise<FetchedBytes> {
  const abort = new AbortController();
  const cancel = limits.clock.after(limits.timeoutMilliseconds, () =>
    abort.abort(new Error(`no answer within ${limits.timeoutMilliseconds / 1000} s`)),
  );
  let at: "connection" | "answer" = "connection";
  try {
    let response = await fetch(url, { headers, signal: abort.signal, redirect: "manual" });
    at = "answer";
    for (let redirects = 0; REDIRECTS.has(response.status); redirects += 1) {
      const next = URL.parse(response.headers.get("location") ?? "", response.url || url.href);
      await response.body?.cancel();
      const allowed = limits.anyServer === true ? next?.protocol === "https:" : false;
      if (next === null || (next.origin !== url.origin && !allowed))
        return { state: "failed", at, message: "it leads to another server" };
      if (redirects === MOST_REDIRECTS) return { state: "failed", at, message: "it leads on and on" };
      response = await fetch(next, { headers, signal: abort.signal, redirect: "manual" });
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      return { state: "failed", at, message: `unexpected HTTP status: ${statusOf(response)}` };
    }
    return { state: "answered", bytes: await bytesOf(response, limits.maximumBytes) };
  } catch (error) {
    abort.abort(error);
    return { state: "failed", at, message: causeOf(error) };
  } finally {
    cancel();
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The words that the standard has for it, whatever the server says. */
const statusOf = ({ status }: Response): string => `${status} ${STATUS_CODES[status] ?? ""}`.trim();

async function bytesOf(response: Response, maximumBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) throw new Error(`the answer is larger than ${maximumBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `fetch failed` says nothing: its cause does. */
function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
