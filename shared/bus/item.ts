import type { Lane } from "../../events/index.ts";

/** The subject of a piece of work: function F should look at key K. */
export interface WorkKey {
  readonly function: string;
  /** See shared/function/key.ts for its form. The bus only compares it. */
  readonly key: string;
}

/**
 * The reason for an item. `own`: the key's object (or a member of its group) changed. `child`: an object that it owns changed.
 * `dependency`: a fact or the readiness of something else that it reads. `wait`: something it said it waits for. `deadline`,
 * `retry`, `net`: a timer. `sweep`: found while dependants were looked up. `command`: a person asked. `again`: the previous pass
 * asked for one more.
 */
export type CauseSort =
  | "own"
  | "child"
  | "dependency"
  | "wait"
  | "deadline"
  | "retry"
  | "net"
  | "sweep"
  | "command"
  | "again";

export interface Cause {
  readonly sort: CauseSort;
  /** The event that led here. */
  readonly eventId: string;
  readonly type: string;
  /** `<group>/<kind>/<namespace>/<name>` of what the event is about. */
  readonly subject?: string | undefined;
  /** The change itself: with these a follow-up is joined to the write that caused it, and echoes are known. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  /** For timers: the name and the time that was due. */
  readonly timer?: string | undefined;
  readonly dueAt?: string | undefined;
  /** True where it takes the key out of the dead letters whatever its generation (rule 10). */
  readonly revives: boolean;
  readonly at: string;
  readonly traceparent?: string | undefined;
  /**
   * The signature of the function (its wakes, facts, configuration and version) for which the item was published: only code of that
   * signature sees what is new. Absent where any code will do.
   */
  readonly signature?: string | undefined;
}

/** The facts of a source that a sweep applies its predicate to: all that the source has been since dependants last looked. */
export interface SweepSource {
  /** The number of the function's wake that it serves. */
  readonly wake: number;
  readonly subject: {
    readonly cluster: string;
    readonly namespace?: string | undefined;
    readonly name: string;
  };
  /** Newest first; the first one is the present, or the last one known of what is gone. */
  readonly facts: readonly Readonly<Record<string, unknown>>[];
  readonly ready?: boolean | undefined;
  readonly gone: boolean;
  /** True where more was than is told: every dependant counts. */
  readonly incomplete: boolean;
  /** The bus had no room for more: the last dependant, in their order, whose item stands. */
  readonly after?: string | undefined;
}

/** An item to be enqueued. */
export interface NewItem extends WorkKey {
  readonly lane: Lane;
  readonly cause: Cause;
  /** The earliest time of its run (milliseconds since the epoch): so roll-outs are spread. */
  readonly notBefore?: number | undefined;
  readonly sweep?: SweepSource | undefined;
}

/** An item as it is handed out. */
export interface WorkItem extends WorkKey {
  readonly lane: Lane;
  /** Oldest first. */
  readonly causes: readonly Cause[];
  /** True where causes were dropped for space: the item is then never an echo. */
  readonly causesIncomplete: boolean;
  readonly enqueuedAt: number;
  /** 1 for the first attempt; failures and killed hosts count until a success. */
  readonly attempt: number;
  /** The number of processes that have died while they ran it, one after the other; from two on it runs alone in its host. */
  readonly deaths?: number | undefined;
  /** True where a failure of this attempt goes to the dead letters. */
  readonly lastAttempt?: boolean | undefined;
  readonly sweep?: SweepSource | undefined;
}

/** The number of causes that one waiting item keeps. */
export const MAXIMUM_CAUSES = 32;
/** The number of sets of facts that one sweep keeps; beyond it every dependant counts. */
export const MAXIMUM_FACTS = 17;

/** The newest of the causes that ask for code of one signature; undefined where any code will do. */
export const signedCause = (causes: readonly Cause[]): Cause | undefined =>
  causes.findLast(({ signature }) => signature !== undefined);

/** The signature that follows an item to what its run leads to: another attempt, one more pass. */
export function inheritedSignature(causes: readonly Cause[]): Pick<Cause, "signature"> {
  const signature = signedCause(causes)?.signature;
  return signature === undefined ? {} : { signature };
}

/** The remaining sweep, when a newer one of the same source replaces one that still waits. */
export function mergeSweeps(
  older: SweepSource | undefined,
  newer: SweepSource | undefined,
): SweepSource | undefined {
  if (older === undefined || newer === undefined) return newer ?? older;
  const facts = [...newer.facts, ...older.facts];
  return {
    ...newer,
    facts: facts.slice(0, MAXIMUM_FACTS),
    incomplete: newer.incomplete || older.incomplete || facts.length > MAXIMUM_FACTS,
  };
}
