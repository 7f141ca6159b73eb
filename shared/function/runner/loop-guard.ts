/** More writes of one object in a minute than this, woken by functions' writes alone, is a loop. */
const LIMIT = 20;
const MINUTE = 60_000;
const MAXIMUM_ENTRIES = 10_000;

/**
 * Notices functions that answer their own (or each other's) writes for ever, and lets their key rest for a minute at a time.
 * Kept per host: a loop that moves between hosts is slowed in each.
 */
export class LoopGuard {
  readonly #counts = new Map<string, { readonly since: number; readonly writes: number }>();
  readonly #rests = new Map<string, number>();

  /** Counts the writes of a run; `byFunctions` says whether only functions' writes woke it. True when its key goes to rest. */
  wrote(key: string, subjects: readonly string[], byFunctions: boolean, now: number): boolean {
    let loops = false;
    for (const subject of subjects) {
      const entry = `${key} ${subject}`;
      const known = this.#counts.get(entry);
      this.#counts.delete(entry);
      if (!byFunctions) continue;
      const current =
        known !== undefined && now - known.since <= MINUTE
          ? { since: known.since, writes: known.writes + 1 }
          : { since: now, writes: 1 };
      // A key that has just rested and goes on is still the same loop: one more write sends it back.
      const limit = this.#rests.has(key) ? 0 : LIMIT;
      if (current.writes > limit) loops = true;
      else this.#counts.set(entry, current);
    }
    if (!byFunctions) this.#rests.delete(key);
    if (this.#counts.size > MAXIMUM_ENTRIES) this.#counts.clear();
    if (loops) this.#rests.set(key, now + MINUTE);
    return loops;
  }

  /** Until when the key rests; 0 where it does not. */
  restsUntil(key: string, now: number): number {
    const until = this.#rests.get(key) ?? 0;
    return until > now ? until : 0;
  }
}
