import { ReveilleError } from "../../../shared/errors.ts";

/** A status that must not be written as it is, or cannot be. */
export class StatusError extends ReveilleError {
  constructor(
    code: "STATUS_SECRET" | "STATUS_UNEXPLAINED" | "STATUS_RECREATED" | "STATUS_GONE",
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(code, message, options);
  }
}
