import { ReveilleError } from "../errors.ts";

/** An error that a further attempt would meet the same way: a function, or a port that it calls, throws it. */
export class TerminalError extends ReveilleError {
  constructor(message: string, options?: { readonly cause?: unknown; readonly code?: string }) {
    super(options?.code ?? "TERMINAL", message, options);
  }
}
