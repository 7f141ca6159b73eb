import { messageOf, ReveilleError } from "../../shared/errors.ts";

export type LedgerProblem = "notWritable" | "locked" | "full" | "broken" | "newer" | "failed";

const codes: Readonly<Record<LedgerProblem, string>> = {
  notWritable: "LEDGER_NOT_WRITABLE",
  locked: "LEDGER_LOCKED",
  full: "LEDGER_DISK_FULL",
  broken: "LEDGER_BROKEN",
  newer: "LEDGER_NEWER",
  failed: "LEDGER_FAILED",
};

const advice: Readonly<Record<LedgerProblem, string>> = {
  notWritable:
    "the file cannot be written: choose another folder, or grant this user the right to write there",
  locked: "another watcher uses it: stop that one, or give this one a ledger of its own",
  full: "the disk is full: make room; the watcher goes on by itself",
  broken: "the file is no readable ledger",
  newer:
    "a newer version of Reveille wrote it: run that version, or remove the file (every object is then published again)",
  failed: "SQLite refused",
};

/** The watcher's durable memory cannot be used. */
export class LedgerError extends ReveilleError {
  readonly problem: LedgerProblem;
  constructor(problem: LedgerProblem, file: string, cause?: unknown) {
    const detail = cause instanceof Error ? ` (${cause.message})` : "";
    super(codes[problem], `Ledger ${file}: ${advice[problem]}${detail}`, { cause });
    this.problem = problem;
  }
}

/** https://www.sqlite.org/rescode.html: the low byte is the primary result code. */
const problems: Readonly<Record<number, LedgerProblem>> = {
  3: "notWritable",
  5: "locked",
  8: "notWritable",
  11: "broken",
  13: "full",
  14: "notWritable",
  26: "broken",
};

/** The error that SQLite's refusal means to people who run the watcher. */
export function ledgerError(file: string, thrown: unknown): LedgerError {
  if (thrown instanceof LedgerError) return thrown;
  const code = (thrown as { readonly errcode?: unknown } | null)?.errcode;
  return new LedgerError(
    (typeof code === "number" ? problems[code & 0xff] : undefined) ?? "failed",
    file,
    thrown,
  );
}

/** The API server sent something that is no object of the Kubernetes API. */
export class MalformedObjectError extends ReveilleError {
  constructor(what: string) {
    super("WATCH_MALFORMED", `${what} came without name, uid or resourceVersion: it is no Kubernetes object`);
  }
}

/** One object cannot be read. Its change is published without facts; all others are published as usual. */
export class UnreadableSightingError extends ReveilleError {
  constructor(cause: unknown) {
    super(
      "WATCH_UNREADABLE",
      `An object cannot be read (${messageOf(cause)}): its change is published without its facts. Correct the object`,
      { cause },
    );
  }
}

/** The watcher was stopped before what was waited for came about. */
export class WatcherStoppedError extends ReveilleError {
  constructor() {
    super(
      "WATCHER_STOPPED",
      "The watcher was stopped before it had published every change: start it again, it resumes from its ledger",
    );
  }
}
