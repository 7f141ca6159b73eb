import type { Cause } from "../bus/item.ts";
import type { RecordedWrite } from "../bus/run-record.ts";
import type { AnyObject } from "../kube/kind.ts";

/** More writes of one object in a minute than this, woken by functions' writes alone, is a loop. */
const LIMIT = 20;
const MINUTE = 60_000;
/** A chain of slices, each asked for with `again`, that has not ended after so long will not end. */
const LONGEST_CHAIN = 10 * MINUTE;
const MAXIMUM_OBJECTS = 10_000;
/** A key that has not run for so long after its rest is gone, or loops no more. */
const FORGOTTEN = 10 * MINUTE;

/** The sentence about a function that loops. */
export const loopingText = (name: string): string =>
  `${name} answers functions' own writes for ever: it is slowed to one run a minute for this object. Its output must not change while its input does not.`;

/** The Event about an object for which a function loops, one an hour. */
export const loopingNote = (about: AnyObject, message: string, now: string) =>
  ({ effect: "note", about, type: "Warning", reason: "Looping", message, of: now.slice(0, 13) }) as const;

interface Write {
  readonly at: number;
  readonly causes: readonly Cause[];
  /** True where only functions' writes woke it; undefined until somebody had to know. */
  byFunctions?: boolean;
}

/**
 * The names under which the writes of a run are counted. Whoever deletes an object and makes it anew begins anew: names alone would add up
 * what different objects need. But what a function itself makes and removes, for ever under one name, is a loop as well.
 * @param self the uid of the object that the run was for; undefined where it was for several
 */
export function countedOf(self: string | undefined, writes: readonly RecordedWrite[]): readonly string[] {
  const names = writes.flatMap(({ sent, verb, subject, uid = "" }) =>
    !sent || verb === "note"
      ? []
      : [`${self ?? ""} ${subject} ${verb === "create" || verb === "remove" ? verb : uid}`],
  );
  return [...new Set(names)];
}

/**
 * Notices functions that answer their own (or each other's) writes for ever, and lets their key rest for a minute at a time.
 * Kept per host: a loop that moves between hosts is slowed in each. Who woke a run is asked only once there were so many.
 */
export class LoopGuard {
  /** The last writes of each key and object; what was written longest ago first. */
  readonly #writes = new Map<string, readonly Write[]>();
  /** The times until which keys rest; the key that has rested longest comes first. */
  readonly #rests = new Map<string, number>();
  /** The times at which a key's chain of slices began. */
  readonly #chains = new Map<string, number>();
  readonly #byFunctions: (causes: readonly Cause[]) => Promise<boolean>;

  /** @param byFunctions whether functions' writes alone are behind these causes */
  constructor(byFunctions: (causes: readonly Cause[]) => Promise<boolean>) {
    this.#byFunctions = byFunctions;
  }

  /** Counts the writes of a run with these causes, by the names that `countedOf` gives. True when its key goes to rest. */
  async wrote(
    key: string,
    counted: readonly string[],
    causes: readonly Cause[],
    now: number,
  ): Promise<boolean> {
    if (causes.some(({ sort }) => sort === "again")) return this.#goesOn(key, now);
    this.#chains.delete(key);
    const write: Write = { at: now, causes };
    // A key that has just rested and goes on is still the same loop: one more write sends it back.
    const rested = this.#rests.has(key);
    let loops = false;
    for (const name of counted) {
      const entry = `${key} ${name}`;
      const recent = this.#writes.get(entry)?.filter(({ at }) => now - at <= MINUTE) ?? [];
      this.#writes.delete(entry);
      const writes = [...recent, write];
      const limit = rested ? 0 : LIMIT;
      const left = writes.length > limit ? await this.#woken(writes) : writes;
      if (left.length > limit) loops = true;
      else if (left.length > 0) this.#writes.set(entry, left);
    }
    if (rested && write.byFunctions === false) this.#rests.delete(key);
    this.#forget(now);
    if (loops) this.#rest(key, now);
    return loops;
  }

  /**
   * A slice of a long piece of work is no answer to a write: it counts as long as the whole piece takes. It cannot come more often
   * than slices are long.
   */
  #goesOn(key: string, now: number): boolean {
    const began = this.#chains.get(key) ?? now;
    this.#chains.delete(key);
    this.#chains.set(key, began);
    const [oldest] = this.#chains.keys();
    if (this.#chains.size > MAXIMUM_OBJECTS && oldest !== undefined) this.#chains.delete(oldest);
    if (now - began <= LONGEST_CHAIN) return false;
    this.#rest(key, now);
    return true;
  }

  /** Keys that are gone never come back to be taken out: what rested longest ago is forgotten. */
  #rest(key: string, now: number): void {
    this.#rests.delete(key);
    this.#rests.set(key, now + MINUTE);
    for (const [oldest, until] of this.#rests) {
      if (this.#rests.size <= MAXIMUM_OBJECTS && now - until <= FORGOTTEN) return;
      this.#rests.delete(oldest);
    }
  }

  /** The number of keys that rest, or have rested lately. */
  get resting(): number {
    return this.#rests.size;
  }

  /** The time until which the key rests; 0 where it does not. */
  restsUntil(key: string, now: number): number {
    const until = this.#rests.get(key) ?? 0;
    return until > now ? until : 0;
  }

  /** The last of these writes that functions' writes alone have led to. */
  async #woken(writes: readonly Write[]): Promise<readonly Write[]> {
    for (const [index, write] of [...writes.entries()].toReversed()) {
      write.byFunctions ??= await this.#byFunctions(write.causes);
      if (!write.byFunctions) return writes.slice(index + 1);
    }
    return writes;
  }

  #forget(now: number): void {
    for (const [oldest, writes] of this.#writes) {
      if (this.#writes.size <= MAXIMUM_OBJECTS && now - (writes.at(-1)?.at ?? 0) <= MINUTE) return;
      this.#writes.delete(oldest);
    }
  }
}
