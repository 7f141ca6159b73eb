import type { Envelope } from "../../events/index.ts";
import type { NewItem, WorkItem, WorkKey } from "./item.ts";
import type { Memory, MemoryLine } from "./memory.ts";
import type { RecordedEvent, RunRecord } from "./run-record.ts";

/** The router: which items an event leads to. Pure and cheap; it sees validated events only. */
export type Route = (event: Envelope) => readonly NewItem[];

/**
 * A conditional write of a run: an item whose every cause is such a write of the run just ended is dropped. One that
 * comes only after the end may be dropped too, where the adapter remembers it; where it does not, it costs one run.
 */
export interface Echo {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An object that a key waits for; its change or disappearance wakes the key (B11). */
export interface WaitedObject {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /**
   * Its API version, where no watch list covers the object: then it is followed for as long as somebody waits for it. Absent: who
   * follows the watch list hears of it.
   */
  readonly version?: string | undefined;
}

/** A run that ended well. Everything in it becomes durable with the acknowledgement, or nothing does. */
export interface Finished {
  readonly state: "finished";
  readonly echoes: readonly Echo[];
  /** Replaces the key's waits as a whole. */
  readonly waits: readonly WaitedObject[];
  /** The whole set of deadlines by name, as RFC 3339 times; undefined leaves them alone. */
  readonly deadlines: Readonly<Record<string, string>> | undefined;
  /** The time to look again if nothing came meanwhile, in milliseconds since the epoch; undefined clears it. */
  readonly net: number | undefined;
  /** Run the key once more, at the end of the queue. */
  readonly again: boolean;
  /** Items for other keys: what a sweep found. */
  readonly enqueue: readonly NewItem[];
  readonly run: RunRecord;
}

/** A run that failed. The bus makes a retry timer of it, or a dead letter after the last attempt (B5, B6). */
export interface Failed {
  readonly state: "failed";
  readonly error: { readonly code: string; readonly message: string };
  /** False: a further attempt would fail the same way; straight to the dead letters. */
  readonly retryable: boolean;
  readonly retryAfterMilliseconds?: number | undefined;
  readonly echoes: readonly Echo[];
  /** uid → generation of what it was about: a new one takes the key out of the dead letters. */
  readonly subjects: Readonly<Record<string, number>>;
  readonly run: RunRecord;
}

/**
 * A run that needs a connection which is away, as its own probe says. No attempt is counted; the key is looked at again after a
 * while, by any host, with a connection of its own. News that came during the run is looked at at once.
 */
export interface Parked {
  readonly state: "parked";
  /** The connection that is away, as its pool names it. */
  readonly behind: string;
  /** After how long it is looked at again; a minute at most counts. */
  readonly milliseconds: number;
  readonly error: { readonly code: string; readonly message: string };
  readonly echoes: readonly Echo[];
  readonly run: RunRecord;
}

/** The run noticed that it no longer holds the item: nothing is acknowledged. */
export interface Lost {
  readonly state: "lost";
}

/** The end of a run. */
export type RunEnding = Finished | Failed | Parked | Lost;

export interface Lease {
  readonly item: WorkItem;
  /** Asked before each effect: whether this run still holds the item. Cheap. */
  held(): boolean | Promise<boolean>;
  /** Aborted when the lease is known to be lost, or the host is told to give back at once. */
  readonly signal: AbortSignal;
  /** Calls the listener once `signal` aborts, without making one. @returns ends it. Absent: listen to `signal` */
  readonly onLost?: ((listener: (reason: unknown) => void) => () => void) | undefined;
  /** The result of `Work.ahead` for the item; undefined where it was not asked, or another host had the key since. */
  readonly ahead?: unknown;
}

export interface Work {
  (lease: Lease): Promise<RunEnding>;
  /**
   * Begins what a run of this item will need from elsewhere, while the bus still takes the key: it must neither write nor throw. What
   * it returns becomes the run's `lease.ahead`. For buses that take a key over the network; others never ask.
   */
  readonly ahead?: ((item: WorkItem) => unknown) | undefined;
}

export interface Consumer {
  /**
   * Leaves the items of these functions alone from now on, and takes those of all others again: a connection that they need is
   * away. Items that it took and did not begin go back without an attempt; runs go on.
   */
  leave(functions: "all" | readonly string[]): void;
  /** Runs so many items more at once than it was asked for, until it is told otherwise: they are lent by runs that wait for something slow. */
  lend(places: number): void;
  /** Takes nothing more, waits for what runs (at most `milliseconds`), gives back the rest. */
  stop(milliseconds?: number): Promise<void>;
}

/** An event that was refused: it is kept in the dead letters under the function name `-`. */
export interface RefusedEvent {
  readonly index: number;
  readonly id: string;
  /** `data.ref.name: expected string`. */
  readonly issues: readonly string[];
}

export interface DeadLetter extends WorkKey {
  readonly error: { readonly code: string; readonly message: string };
  readonly attempts: number;
  /** Ids of the events that led to it. */
  readonly causes: readonly string[];
  /** RFC 3339. */
  readonly at: string;
  /** A refused event's text, cut at 64 KiB; never there for a key. */
  readonly event?: string | undefined;
}

export interface FunctionCounts {
  readonly waiting: number;
  readonly running: number;
  readonly retrying: number;
  readonly dead: number;
  /** Keys that said they wait for something. */
  readonly parked: number;
  /** Keys that wait behind a connection that was away; they count as waiting or retrying too. */
  readonly away: number;
  readonly deadlines: number;
  /** Milliseconds that the oldest waiting item has waited. */
  readonly oldest: number;
}

export interface History {
  /** Runs that read, wrote or were about the object `<group>/<kind>/<namespace>/<name>`, newest first. */
  ofSubject(subject: string, limit: number): Promise<readonly RunRecord[]>;
  ofKey(key: WorkKey, limit: number): Promise<readonly RunRecord[]>;
  /** The run whose write made this version, if one did. */
  ofWrite(echo: Echo): Promise<RunRecord | undefined>;
  /** A run by its id: the cause of a `retry` or `again` names it. */
  run(id: string): Promise<RunRecord | undefined>;
  /** A published event by its id, as far back as the history goes. */
  event(id: string): Promise<RecordedEvent | undefined>;
  /** Runs after a position, oldest first; a function's alone where it is given. For `logs -f`. */
  after(
    position: number,
    options: { readonly function?: string | undefined; readonly limit: number },
  ): Promise<{ readonly runs: readonly RunRecord[]; readonly position: number }>;
}

/**
 * Durable keeping and delivery of events, work items, timers, dead letters and history: the promises B1 to B12 of the
 * design. One suite (test/bus-contract) runs against every adapter.
 */
export interface Bus {
  /**
   * Resolves when every event, and every item that it routes to, is durable (B1). Malformed events are kept as dead letters and named in
   * the answer.
   * @param line what a memory that joined learns with them: all are durable together. Where an event is refused it is left out, for it
   * belongs to what is told in its place
   */
  publish(
    events: readonly Envelope[],
    line?: MemoryLine,
  ): Promise<{ readonly refused: readonly RefusedEvent[] }>;
  /** Items without an event of their own: nets at start, redrives. */
  enqueue(items: readonly NewItem[]): Promise<void>;
  /** Hands out items, `parallel` at most at once and one per (F, K). */
  consume(
    options: { readonly parallel: number; readonly functions?: readonly string[] | undefined },
    work: Work,
  ): Consumer;
  readonly deadLetters: {
    list(options?: { readonly function?: string | undefined }): Promise<readonly DeadLetter[]>;
    show(key: WorkKey): Promise<DeadLetter | undefined>;
    /** Look again now (B6). False where there was none. */
    redrive(key: WorkKey, askedBy: string): Promise<boolean>;
    drop(key: WorkKey): Promise<boolean>;
  };
  readonly history: History;
  /** The waits, deadlines and retry of the key, for `why` and `status`. */
  pending(key: WorkKey): Promise<{
    readonly waits: readonly WaitedObject[];
    readonly deadlines: Readonly<Record<string, string>>;
    readonly retryAt?: string | undefined;
    /** The connection that was away when the key was looked at last. */
    readonly behind?: string | undefined;
    readonly attempts: number;
    readonly waiting: boolean;
    readonly running: boolean;
  }>;
  counts(): Promise<Readonly<Record<string, FunctionCounts>>>;
  /** The objects that keys wait for and that no watch list covers, each once; whoever watches follows them (B11). */
  waits(): Promise<readonly WaitedObject[]>;
  /** Calls the listener with each event as it is published and each run as it ends, in this process. For the timeline. */
  subscribe(listener: BusListener): () => void;
  /**
   * True where somebody besides the keys that the router names hears of events about the object: a key that waits for it, who
   * subscribed to events, another process. Answers at once. Absent where that cannot be told.
   */
  hearsOf?(object: WaitedObject): boolean;
  /**
   * Joins a memory that is written behind: from now on its lines may go with events. Absent where a line cannot be durable with them.
   * @param name the same after a restart, when it takes up what it may lack
   * @returns ends it
   */
  remember?(name: string, memory: Memory): () => void;
  /** False while the bus cannot make things durable (B10). */
  ready(): boolean;
  /**
   * Names what is kept: another text once the bus was replaced or lost it, after which every key is to be resynced. Absent
   * where that cannot be told.
   */
  storeId?(): Promise<string>;
  close(): Promise<void>;
}

export interface BusListener {
  published?(event: Envelope, items: readonly NewItem[]): void;
  ran?(run: RunRecord): void;
  /**
   * Called with what a key waits for from now on and no watch list covers, whichever process it ran in; an object for which others
   * wait already is told again. Undefined: something may have been missed, so ask `waits`.
   */
  waits?(objects: readonly WaitedObject[] | undefined): void;
  /** Called when the bus lost its contents and keeps again: `storeId` is another one now. */
  replaced?(): void;
}
