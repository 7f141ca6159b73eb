import type { Echo, History, WaitedObject } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import type { KeyState } from "../key-state.ts";
import type { RecordedEvent, RunRecord } from "../run-record.ts";

/** The memory of one (F, K) between messages. A key that is idle and healthy has none. */
export interface KeyRecord extends Omit<KeyState, "running"> {
  /** The conditional writes of its last run: their events tell it nothing. */
  readonly echoes: readonly Echo[];
  /** The era that its last run was woken in; echoes count within one era alone. */
  readonly era?: number | undefined;
  /** The number of its last run, raised by each end and by nothing else: an older run that ends later is refused. */
  readonly run?: number | undefined;
  /** The message whose deliveries `attempts` has counted, and how many of them. */
  readonly counted?: { readonly message: string; readonly receives: number } | undefined;
  /** The delivery that ran alone in its host, written before it began: it comes once more only if that host died or lost it. */
  readonly alone?: { readonly message: string; readonly receives: number } | undefined;
  /**
   * The time at which the one timer message that is on its way for this key arrives for good, in milliseconds since the epoch.
   */
  readonly alarm?: number | undefined;
  /** A refused event's text. */
  readonly event?: string | undefined;
}

/** A record with the number that its next writer must name. */
export interface StoredKey {
  readonly record: KeyRecord;
  readonly version: number;
}

/**
 * A store of the state that a queue cannot remember. Reads are consistent with the writes before them, of any process. Each entry
 * may carry the time when it expires; an expired one is not found any more, and is gone sooner or later.
 */
export interface StateStore {
  load(key: WorkKey): Promise<StoredKey | undefined>;
  /**
   * Writes a key's record if it still has this version (0: there is none); undefined removes it.
   * @returns false where it has another
   */
  save(
    key: WorkKey,
    record: KeyRecord | undefined,
    version: number,
    expiresAt?: number | undefined,
  ): Promise<boolean>;
  /** The keys of a function that have a record. */
  keysOf(name: string): Promise<readonly (WorkKey & { readonly record: KeyRecord })[]>;
  /** Notes that a key waits for objects. Notes may outlive the waiting: the key's record decides. */
  addWaits(key: WorkKey, objects: readonly WaitedObject[]): Promise<void>;
  removeWaits(key: WorkKey, objects: readonly WaitedObject[]): Promise<void>;
  /** The objects that no watch list covers and under which keys are noted, with the key: one a pair. */
  followed(): Promise<readonly { readonly key: WorkKey; readonly object: WaitedObject }[]>;
  /** The keys that are noted under an object. */
  waitingFor(object: WaitedObject): Promise<readonly WorkKey[]>;
  readonly history: History;
  /** Remembers a run. Twice the same one counts once. */
  recordRun(run: RunRecord, at: number, expiresAt: number): Promise<void>;
  /** Remembers events, and of each object the newest one for a while. */
  recordEvents(events: readonly RecordedEvent[], expiresAt: number): Promise<void>;
  /** The newest event about an object, where it was remembered at this time (milliseconds since the epoch) or later. */
  toldSince(subject: string, since: number): Promise<RecordedEvent | undefined>;
}
