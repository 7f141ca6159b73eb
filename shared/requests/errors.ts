import { ReveilleError } from "../errors.ts";

/** A request that brought no answer that can be read. Nothing that the server sent stands in the message. */
export class RequestError extends ReveilleError {
  declare readonly code: RequestErrorCode;
  /** `answer` where the server spoke before it failed. */
  readonly at: "connection" | "answer";
  constructor(code: RequestErrorCode, at: "connection" | "answer", message: string, cause?: unknown) {
    super(code, message, { cause });
    this.at = at;
  }
}

export type RequestErrorCode =
  | "REQUEST_BROKEN"
  | "REQUEST_LED_AWAY"
  | "REQUEST_TIMEOUT"
  | "REQUEST_TOO_LARGE";
