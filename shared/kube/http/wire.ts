import type { IncomingHttpHeaders } from "node:http";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with its query; below the server's own path. */
  readonly path: string;
  readonly accept: string;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  readonly gzip?: boolean | undefined;
  /**
   * The most that this answer may weigh (`weightOf`), where that is less than for others; one with more bytes is given up while
   * it comes.
   */
  readonly mostWeight?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A whole answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request without a whole answer. `reused`: a kept connection died before the server can have seen the request. */
export class TransportError extends Error {
  readonly reason: "aborted" | "timeout" | "tooLarge" | "broken";
  readonly reused: boolean;
  constructor(
    reason: TransportError["reason"],
    message: string,
    options: { readonly reused?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "TransportError";
    this.reason = reason;
    this.reused = options.reused ?? false;
  }
}

/** The error for an answer of more than `limit` bytes. */
export const tooLarge = (limit: number): TransportError =>
  new TransportError("tooLarge", `The answer is larger than ${limit} bytes`);
