import type { Clock } from "../clock/clock.ts";
import { messageOf } from "../errors.ts";
import { RequestError } from "./errors.ts";

export type Fetch = typeof globalThis.fetch;

/** A request as it is sent. */
export interface Sent {
  readonly url: URL;
  /** Default: GET. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /**
   * The places that a GET or HEAD may be led to. `own server` (the default): those of its own origin. `any server`: any over https as
   * well, which is told nothing but what sort of answer is wanted: no credentials leave their origin.
   */
  readonly redirects?: "own server" | "any server";
}

/** The time of an exchange as a whole. */
export interface ExchangeLimits {
  readonly clock: Clock;
  readonly timeoutMilliseconds: number;
}

/** The most redirects of one request. */
const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The headers that a server of another origin may see. */
const HARMLESS = new Set(["accept", "user-agent"]);

/**
 * One request that ends, whatever its answer is: within its time, and at no server that it is not meant for. `read` takes what it needs
 * of the answer; what it leaves is not read. @throws RequestError, and what `read` throws.
 */
export async function exchange<T>(
  fetch: Fetch,
  sent: Sent,
  { clock, timeoutMilliseconds }: ExchangeLimits,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let at: RequestError["at"] = "connection";
  const cancel = clock.after(timeoutMilliseconds, () =>
    abort.abort(new RequestError("REQUEST_TIMEOUT", at, `no answer within ${timeoutMilliseconds / 1000} s`)),
  );
  const ask = async (url: URL, { method = "GET", headers, body }: Sent): Promise<Response> => {
    try {
      const init = { method, redirect: "manual", signal: abort.signal, ...(headers && { headers }) } as const;
      return await fetch(url, body === undefined ? init : { ...init, body: Buffer.from(body) });
    } catch (error) {
      throw requestError(at, error);
    }
  };
  try {
    let { url } = sent;
    let asked = sent;
    let answer = await ask(url, asked);
    at = "answer";
    for (let redirects = 0; isRedirect(answer, sent); redirects += 1) {
      const next = URL.parse(answer.headers.get("location") ?? "", url.href);
      await answer.body?.cancel();
      const isOwn = next?.origin === url.origin;
      if (next === null || !(isOwn || (sent.redirects === "any server" && next.protocol === "https:")))
        throw new RequestError("REQUEST_LED_AWAY", at, "it leads to another server");
      if (redirects === MOST_REDIRECTS) throw new RequestError("REQUEST_LED_AWAY", at, "it leads on and on");
      if (!isOwn) asked = { ...asked, headers: harmless(asked.headers) };
      url = next;
      answer = await ask(url, asked);
    }
    return await read(answer);
  } finally {
    cancel();
    abort.abort();
  }
}

const isRedirect = ({ status }: Response, { method = "GET" }: Sent): boolean =>
  REDIRECTS.has(status) && (method === "GET" || method === "HEAD");

const harmless = (headers: Sent["headers"] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())));

/** The content of an answer, piece by piece. @throws RequestError where it breaks off, or is larger than that. */
export async function* contentOf(answer: Response, maximumBytes: number): AsyncGenerator<Uint8Array> {
  const pieces = answer.body?.[Symbol.asyncIterator]();
  if (pieces === undefined) return;
  let size = 0;
  try {
    for (;;) {
      const piece = await pieces.next().catch((error: unknown) => {
        throw requestError("answer", error);
      });
      if (piece.done === true) return;
      size += piece.value.byteLength;
      if (size > maximumBytes)
        throw new RequestError(
          "REQUEST_TOO_LARGE",
          "answer",
          `the answer is larger than ${maximumBytes} bytes`,
        );
      yield piece.value;
    }
  } finally {
    // One that broke off has said so above.
    await pieces.return?.().catch(() => undefined);
  }
}

/** The whole content of an answer. @throws RequestError */
export async function bytesOf(answer: Response, maximumBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of contentOf(answer, maximumBytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const requestError = (at: RequestError["at"], error: unknown): RequestError =>
  error instanceof RequestError ? error : new RequestError("REQUEST_BROKEN", at, causeOf(error), error);

/** `fetch failed` says nothing: its cause does. */
function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
