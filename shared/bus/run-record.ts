import type { CommandOutcome, Lane } from "../../events/index.ts";
import type { Cause } from "./item.ts";

/** A reference into a cluster, as the history keeps it: never a body. */
export interface HistoryReference {
  /** `<group>/<kind>/<namespace>/<name>`; a list has `*` as its name. */
  readonly subject: string;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface RecordedWrite extends HistoryReference {
  readonly verb:
    | "apply"
    | "create"
    | "replace"
    | "patch"
    | "remove"
    | "status"
    | "finalizer"
    | "call"
    | "emit"
    | "note";
  /** Paths that it set or took away; no values. */
  readonly paths: readonly string[];
  /** False where it was already so and nothing was sent. */
  readonly sent: boolean;
  readonly error?: string | undefined;
}

/** The record of one run: its causes, reads, decision and writes (B12). References, versions, paths and counts, never bodies. */
export interface RunRecord {
  readonly id: string;
  readonly function: string;
  readonly key: string;
  readonly lane: Lane;
  readonly attempt: number;
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly traceparent: string;
  readonly causes: readonly Cause[];
  readonly reads: readonly HistoryReference[];
  readonly writes: readonly RecordedWrite[];
  /** `lost`: the lease was lost before the end. `parked`: the object is paused. `away`: a connection that it needed was away. */
  readonly outcome: "done" | "waiting" | "retry" | "dead" | "lost" | "parked" | "away" | "swept";
  readonly waitingFor: readonly string[];
  readonly deadlines: Readonly<Record<string, string>>;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** The answer to a command, as its `command.outcome` tells it. */
  readonly answer?: CommandAnswer | undefined;
}

/** The answer to a command, with one sentence for its caller. */
export interface CommandAnswer {
  readonly outcome: CommandOutcome["data"]["outcome"];
  readonly message: string;
}

/** A published event as the history keeps it: what it was about, never its body. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly traceparent?: string | undefined;
  /** For commands: who asked. */
  readonly askedBy?: string | undefined;
  /** RFC 3339: when what it tells was seen. */
  readonly time: string;
}
