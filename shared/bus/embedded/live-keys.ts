import type { WaitedObject } from "../contract.ts";
import type { WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";
import { freshKey, isForgettable } from "../key-state.ts";
import { type KeyTable, type LoadedKey, standing } from "./key-table.ts";
import { Lane, Ordered } from "./lane.ts";
import { WaitIndex } from "./wait-index.ts";

/** The number of keys at rest that stay in memory: those that were changed last. */
const RESTING = 4_096;

export const laneOf = ({ state }: LoadedKey): 0 | 1 => (state.waiting?.lane === "sweep" ? 1 : 0);

interface Live {
  key: LoadedKey;
  /** The place where it is found by what waits. */
  place: "ready" | "delayed" | undefined;
  /** False where it certainly has no row. */
  stored: boolean;
}

/** The changes of a transaction, by the names of the keys. */
type Changes = ReadonlyMap<string, { readonly key: LoadedKey; readonly at: number }>;

/**
 * The keys as they are. Those of which something waits or runs, or which the file does not tell yet, are in memory; those at rest lie
 * in the file, and are read when something comes.
 */
export class LiveKeys {
  readonly #table: KeyTable;
  readonly #live = new Map<string, Live>();
  /** The names of those that the file tells otherwise, each with the time of its change. */
  readonly #behind = new Map<string, number>();
  /** The names of those in memory that are at rest, the one that was changed longest ago first. */
  readonly #resting = new Set<string>();
  readonly #lanes = [new Lane(), new Lane()] as const;
  readonly #delayed = new Ordered(({ state }) => state.waiting?.notBefore ?? 0);
  /** The names of keys that have no row and are not in memory either: those that were asked for last. */
  readonly #absent = new Set<string>();
  readonly waits = new WaitIndex();
  /** The highest place in a lane that a key had. */
  lastSeq = 0;

  constructor(table: KeyTable, now: number) {
    this.#table = table;
    for (const key of table.active()) this.#place(key, now);
    for (const { waits, ...key } of table.waiting()) this.waits.replace(key, waits);
  }

  load(key: WorkKey): LoadedKey {
    const name = keyName(key);
    const live = this.#live.get(name);
    if (live !== undefined) return live.key;
    const found = this.#absent.has(name) ? undefined : this.#table.load(key);
    if (found !== undefined) return found;
    this.#miss(name);
    return { function: key.function, key: key.key, seq: 0, state: freshKey };
  }

  /** A key is so from now on; the file will tell it. */
  set(key: LoadedKey, now: number): void {
    const name = keyName(key);
    const live = this.#place(key, now);
    this.waits.replace(key, key.state.waits);
    if (live.stored || !isForgettable(key.state)) this.#behind.set(name, now);
    else this.#forget(name);
  }

  /** A key is so from now on, and the file tells it. */
  setWritten(key: LoadedKey, now: number): void {
    const name = keyName(key);
    const live = this.#place(key, now);
    live.stored = true;
    this.waits.replace(key, key.state.waits);
    if (isForgettable(key.state)) this.#forget(name);
  }

  /** The first keys that are ready in a lane. */
  heads(
    lane: 0 | 1,
    limit: number,
    isWanted: (name: string) => boolean,
    isPassedOver: (key: LoadedKey) => boolean,
  ): LoadedKey[] {
    return this.#lanes[lane].heads(limit, isWanted, isPassedOver);
  }

  /** Delayed items whose time has come are ready. Returns whether there were any. */
  ripen(now: number): boolean {
    let any = false;
    for (
      let { first } = this.#delayed;
      first !== undefined && standing(first.state, now) === 1;
      first = this.#delayed.first
    ) {
      this.#place(first, now);
      any = true;
    }
    return any;
  }

  /** The time at which a delayed item is due next. */
  nextDue(): number {
    return this.#delayed.first?.state.waiting?.notBefore ?? Number.POSITIVE_INFINITY;
  }

  isAwaited(object: WaitedObject): boolean {
    return this.waits.isAwaited(object);
  }

  *running(): Iterable<LoadedKey> {
    for (const { key } of this.#live.values()) if (key.state.running !== undefined) yield key;
  }

  /** The keys in the dead letters. */
  dead(): readonly LoadedKey[] {
    const inFile = this.#table.dead().filter((key) => !this.#live.has(keyName(key)));
    const inMemory = [...this.#live.values()].flatMap(({ key }) =>
      key.state.dead === undefined ? [] : [key],
    );
    return [...inFile, ...inMemory].sort((a, b) => (keyName(a) < keyName(b) ? -1 : 1));
  }

  get isBehind(): boolean {
    return this.#behind.size > 0;
  }

  /**
   * Writes what the file does not tell yet, and what a transaction changes, in the caller's transaction.
   * @returns call it once that is committed
   */
  write(inTransaction: Changes): () => void {
    for (const [name, at] of this.#behind) {
      const live = this.#live.get(name);
      if (live !== undefined && !inTransaction.has(name)) this.#table.save(live.key, at);
    }
    for (const { key, at } of inTransaction.values()) this.#table.save(key, at);
    return () => {
      for (const name of this.#behind.keys()) {
        const live = this.#live.get(name);
        if (live === undefined) continue;
        live.stored = true;
        if (isForgettable(live.key.state)) this.#forget(name);
      }
      this.#behind.clear();
      this.#forgetSome();
    };
  }

  #place(key: LoadedKey, now: number): Live {
    const name = keyName(key);
    const live = this.#live.get(name) ?? { key, place: undefined, stored: !this.#absent.delete(name) };
    if (live.place === "ready") this.#lanes[laneOf(live.key)].remove(live.key);
    else if (live.place === "delayed") this.#delayed.remove(live.key);
    const stands = standing(key.state, now);
    live.key = key;
    this.lastSeq = Math.max(this.lastSeq, key.seq);
    live.place = stands === 1 ? "ready" : stands === 2 ? "delayed" : undefined;
    if (live.place === "ready") this.#lanes[laneOf(key)].add(key);
    else if (live.place === "delayed") this.#delayed.add(key);
    this.#live.set(name, live);
    this.#resting.delete(name);
    if (stands === 0 && key.state.running === undefined) this.#resting.add(name);
    return live;
  }

  #forget(name: string): void {
    this.#behind.delete(name);
    this.#live.delete(name);
    this.#resting.delete(name);
    this.#miss(name);
  }

  #miss(name: string): void {
    this.#absent.add(name);
    for (const oldest of this.#absent) {
      if (this.#absent.size <= RESTING) return;
      this.#absent.delete(oldest);
    }
  }

  #forgetSome(): void {
    for (const name of this.#resting) {
      if (this.#resting.size <= RESTING) return;
      this.#resting.delete(name);
      this.#live.delete(name);
    }
  }
}
