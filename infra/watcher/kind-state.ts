/** The right that is missing, as a rule of a Role would name it. */
export interface MissingRule {
  readonly verb: "list" | "watch" | "get";
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string | undefined;
}

/**
 * The reason why a list is read. `start`: nothing is known of the kind, or the watcher was away; `expired`: the server no longer
 * keeps the position; `appeared`: the kind is new; `entry`: it is read in another way; `era`: the server went back; `timer`: the
 * slow sweep; `stuck`: the watch broke again and again at one position.
 */
export type ListReason = "start" | "expired" | "appeared" | "entry" | "era" | "timer" | "stuck";

/** The state in which a stream goes on after a pause. */
export type Next =
  | { readonly name: "listing"; readonly because: ListReason }
  | { readonly name: "probing" }
  | { readonly name: "opening" };

/** The state of following one kind. Times are milliseconds since the epoch. */
export type KindState =
  /** Reads where the ledger stands. */
  | { readonly name: "beginning" }
  /** Compares a paged list with the ledger. */
  | { readonly name: "listing"; readonly because: ListReason }
  /** Asks whether the server still knows the position, for a watch from a version that it never reached is silent for ever. */
  | { readonly name: "probing" }
  /** Waits for its turn and for the server's answer. */
  | { readonly name: "opening" }
  | { readonly name: "streaming"; readonly since: number }
  /** Too many keys are dirty: reads nothing until half of them are published. */
  | { readonly name: "full" }
  | {
      readonly name: "backingOff";
      readonly until: number;
      readonly attempt: number;
      readonly error: string;
      readonly next: Next;
    }
  /** The server does not know the kind. */
  | { readonly name: "absent"; readonly since: number; readonly until: number }
  | { readonly name: "forbidden"; readonly missing: MissingRule; readonly until: number; readonly next: Next }
  | { readonly name: "stopped" };
