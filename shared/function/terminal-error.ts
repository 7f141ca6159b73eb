import { ReveilleError } from "../errors.ts";

/** Thrown by a function, or by what it calls, where a further attempt would fail the same way. */
export class TerminalError extends ReveilleError {
  constructor(message: string, options?: { readonly cause?: unknown; readonly code?: string }) {
    super(options?.code ?? "TERMINAL", message, options);
  }
}
