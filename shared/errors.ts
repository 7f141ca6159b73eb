/** The base of every error that Reveille makes: a stable code for machines, a sentence that says what to do for people. */
export class ReveilleError extends Error {
  /** Stable, upper-case, prefixed by the part that raised it, for example `KUBECONFIG_NOT_FOUND`. Listed in docs/errors.md. */
  readonly code: string;
  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
