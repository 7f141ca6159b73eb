import { ReveilleError } from "../errors.ts";

/** The exit codes of `reveille`, documented in docs/cli.md. */
export const exitCodes = {
  /** Done; for `dev` also a clean end by Ctrl-C or SIGTERM. */
  done: 0,
  /** It could not be done; stderr says why. */
  failed: 1,
  /** The command line is wrong: an unknown flag, a missing argument, a value that does not fit. */
  usage: 2,
  /** Ended by a second Ctrl-C, or by one while `--once` was waiting. */
  interrupted: 130,
  /** Ended by a second SIGTERM. */
  terminated: 143,
} as const;

/** A request that the command line cannot fulfil here and now. The message is one sentence that says what to do. */
export class CliError extends ReveilleError {
  readonly exitCode: number;
  constructor(
    code: string,
    message: string,
    options: { readonly cause?: unknown; readonly exitCode?: number } = {},
  ) {
    super(code, message, { cause: options.cause });
    this.exitCode = options.exitCode ?? exitCodes.failed;
  }
}

/** A command line that is itself wrong. */
export class UsageError extends CliError {
  constructor(message: string) {
    super("CLI_USAGE", message, { exitCode: exitCodes.usage });
  }
}
