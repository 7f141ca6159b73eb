import { ReveilleError } from "../errors.ts";

/** One cause of a refusal, as the server's `Status` object lists them. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The server's `Status` object, as far as it is used. */
export interface KubeStatus {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly details?:
    | {
        readonly causes?: readonly StatusCause[];
        readonly retryAfterSeconds?: number;
        readonly name?: string;
        readonly kind?: string;
        readonly uid?: string;
      }
    | undefined;
}

/** The meaning of a failed request for its sender. */
export type KubeErrorKind =
  | "stale" // 409 without causes, or a failed JSON-patch test on uid or version: read again, decide again
  | "conflict" // 409 with FieldManagerConflict causes: another manager owns a field
  | "exists" // 409 AlreadyExists
  | "gone" // the object that the request named by uid is no longer there
  | "missing" // 404 of an object
  | "kindMissing" // 404 of the kind or group
  | "expired" // 410
  | "future" // 504 ResourceVersionTooLarge
  | "invalid" // 400, 422, typed-patch 500, too large: the same request fails again
  | "forbidden" // 403
  | "terminating" // 403 NamespaceTerminating
  | "unauthorized" // 401
  | "throttled" // 429
  | "unavailable" // 5xx, reset, refused, time-out: try again later
  | "aborted";

/** A request that the API server refused or that did not reach it. The message is one sentence for people. */
export class KubeError extends ReveilleError {
  readonly kind: KubeErrorKind;
  readonly status: KubeStatus | undefined;
  /** Method and path of the request. */
  readonly request: string;
  /**
   * The refusal in one sentence, without the request: for people who look at an object. The same text each time for the same
   * refusal.
   */
  readonly sentence: string;
  readonly retryAfterMilliseconds: number | undefined;
  constructor(
    kind: KubeErrorKind,
    message: string,
    details: {
      readonly request: string;
      /** Default: the message. */
      readonly sentence?: string | undefined;
      readonly status?: KubeStatus | undefined;
      readonly retryAfterMilliseconds?: number | undefined;
      readonly cause?: unknown;
      /** The code, where one kind has several causes for people. Default: from the kind. */
      readonly code?: string | undefined;
    },
  ) {
    super(details.code ?? `KUBE_${kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`, message, {
      cause: details.cause,
    });
    this.kind = kind;
    this.status = details.status;
    this.request = details.request;
    this.sentence = details.sentence ?? message;
    this.retryAfterMilliseconds = details.retryAfterMilliseconds;
  }

  /** True where the same request may succeed later without anybody changing anything. */
  get retryable(): boolean {
    return (
      this.kind === "unavailable" ||
      this.kind === "aborted" ||
      this.kind === "throttled" ||
      this.kind === "future" ||
      this.kind === "kindMissing" ||
      this.kind === "unauthorized" ||
      this.kind === "forbidden" ||
      // Others' objects may be smaller next time, or fewer: it is no fault of the one who asks.
      isTooLarge(this)
    );
  }
}

/** True where an answer was larger than the limit: it may be asked for in smaller pieces. */
export const isTooLarge = (thrown: unknown): thrown is KubeError =>
  thrown instanceof KubeError && thrown.code === "KUBE_TOO_LARGE";
