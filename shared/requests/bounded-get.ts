import { STATUS_CODES } from "../node-http.ts";
import { RequestError, type RequestErrorCode } from "./errors.ts";
import { bytesOf, type ExchangeLimits, exchange, type Fetch } from "./exchange.ts";
import { notBeforeOf } from "./not-before.ts";

export type { Fetch } from "./exchange.ts";

/** The limits of a request: its time is that of the whole answer. */
export interface RequestLimits extends ExchangeLimits {
  readonly maximumBytes: number;
  /** True where any server over https may answer in place of the one that was named; it gets no credentials. */
  readonly anyServer?: boolean;
}

/** The failure of a request: `answer` where the server spoke and did not say 200. */
export interface FailedRequest {
  readonly state: "failed";
  readonly at: "connection" | "answer";
  readonly message: string;
  /** The code of what went wrong, where the server gave no whole answer. */
  readonly code?: RequestErrorCode;
  /** The HTTP status, where it is what failed. */
  readonly status?: number;
  /** The time before which the server wants no further request, in milliseconds since the epoch. */
  readonly notBefore?: number | undefined;
}
/** An answer with its text, or what went wrong on the way. */
export type Fetched =
  | { readonly state: "answered"; readonly text: string; readonly headers: Headers }
  | FailedRequest;
/** An answer with its bytes, or what went wrong on the way. */
export type FetchedBytes =
  | { readonly state: "answered"; readonly bytes: Uint8Array; readonly headers: Headers }
  | FailedRequest;

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
    : { state: "answered", text: Buffer.from(answer.bytes).toString("utf8"), headers: answer.headers };
}

/** The same for an answer that is no text. */
export async function boundedGetBytes(
  fetch: Fetch,
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: RequestLimits,
): Promise<FetchedBytes> {
  const redirects = limits.anyServer === true ? "any server" : "own server";
  return told(() =>
    exchange(fetch, { url, headers, redirects }, limits, async (answer) =>
      answer.status === 200
        ? { state: "answered", bytes: await bytesOf(answer, limits.maximumBytes), headers: answer.headers }
        : unexpected(answer, limits),
    ),
  );
}

/** A request's failure as a value. */
export async function told<Answer>(ask: () => Promise<Answer>): Promise<Answer | FailedRequest> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RequestError)
      return { state: "failed", at: error.at, code: error.code, message: error.message };
    throw error;
  }
}

/** The failure that an answer of another status is, in the words that the standard has for it, whatever the server says. */
export const unexpected = (
  { status, headers }: Response,
  { clock }: Pick<ExchangeLimits, "clock">,
): FailedRequest => ({
  state: "failed",
  at: "answer",
  message: `unexpected HTTP status: ${`${status} ${STATUS_CODES[status] ?? ""}`.trim()}`,
  status,
  notBefore: notBeforeOf(headers, clock.now()),
});
