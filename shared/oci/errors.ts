import { ReveilleError } from "../errors.ts";

/** A registry did not give what was asked for, or gave something else. The message names repository and reference. */
export class OciError extends ReveilleError {
  override readonly code: OciErrorCode;
  /** The time before which the registry wants no further request, in milliseconds since the epoch. */
  readonly notBefore: number | undefined;
  constructor(
    code: OciErrorCode,
    message: string,
    { cause, notBefore }: { readonly cause?: unknown; readonly notBefore?: number | undefined } = {},
  ) {
    super(code, message, { cause });
    this.code = code;
    this.notBefore = notBefore;
  }
}

export type OciErrorCode =
  | "OCI_ANSWER_INVALID"
  | "OCI_DIGEST_MISMATCH"
  | "OCI_NAME_INVALID"
  | "OCI_NOT_FOUND"
  | "OCI_RATE_LIMITED"
  | "OCI_TOO_LARGE"
  | "OCI_UNAUTHORIZED"
  | "OCI_UNAVAILABLE";
