import type { HistoryReference, RecordedWrite, RunRecord } from "../../bus/run-record.ts";
import { ReveilleError } from "../../errors.ts";
import type { ObjectDiff } from "./diff.ts";

/** A Kubernetes Event, by what it says. */
export interface Noted {
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** One run of a function by hand. */
export interface InvokedRun {
  readonly key: string;
  /** For people: `Widget team/one`. */
  readonly about: string;
  /**
   * `ended`: it ran. `running`: the key runs for something else now; it looks once more when that ends. `waiting`: no host has taken
   * it in time; it will run when one does.
   */
  readonly state: "ended" | "running" | "waiting";
  /** The run's id, for the history. */
  readonly id?: string;
  readonly saw?: readonly HistoryReference[];
  readonly decided?: {
    readonly outcome: RunRecord["outcome"];
    readonly waitingFor: readonly string[];
    readonly deadlines: Readonly<Record<string, string>>;
    readonly error?: RunRecord["error"];
  };
  readonly wrote?: readonly RecordedWrite[];
  /** The change of each object, in a dry run. */
  readonly diff?: readonly ObjectDiff[];
  /** The events that a dry run would publish. */
  readonly emitted?: readonly { readonly type: string; readonly id: string }[];
  /** The Kubernetes Events that a dry run would write. Their names follow from versions that only the writes make. */
  readonly noted?: readonly Noted[];
  /** The keys that a sweep found. */
  readonly found?: readonly string[];
}

/** The result of one event that a function was handed by hand. */
export interface Invocation {
  readonly function: string;
  readonly event: { readonly id: string; readonly type: string; readonly subject?: string | undefined };
  readonly dryRun: boolean;
  readonly runs: readonly InvokedRun[];
  /** The reason why nothing ran. */
  readonly message?: string;
}

export const unknownFunction = (name: string, known: readonly string[]): InvocationError =>
  new InvocationError(
    "INVOKE_FUNCTION_UNKNOWN",
    `There is no function ${name.slice(0, 128)}; there are ${known.join(", ") || "none"}.`,
  );

/** An invocation that cannot be: no such function, or no such event. */
export class InvocationError extends ReveilleError {
  /** Each fault with its path. */
  readonly issues: readonly string[];
  constructor(
    code: "INVOKE_FUNCTION_UNKNOWN" | "INVOKE_EVENT_MALFORMED" | "INVOKE_TYPE_UNKNOWN",
    message: string,
    issues: readonly string[] = [],
  ) {
    super(code, message);
    this.issues = issues;
  }
}
