import { ReveilleError } from "../../errors.ts";

/**
 * A payload could not be fetched. Conditions show it with the reason `UpdatePayloadRetrievalFailed`; trying again may help, since
 * the files may still be on their way.
 */
export class PayloadsError extends ReveilleError {
  /** The pull spec that was asked for. */
  readonly image: string;
  constructor(code: PayloadsErrorCode, image: string, message: string, cause?: unknown) {
    super(code, `Payload "${image}": ${message}`, { cause });
    this.image = image;
  }
}

export type PayloadsErrorCode =
  | "PAYLOAD_NOT_FOUND"
  | "PAYLOAD_UNREADABLE"
  | "PAYLOAD_INCOMPLETE"
  | "PAYLOAD_TOO_LARGE"
  | "PAYLOAD_CHANGED";
