import type { WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";
import { isForgettable } from "../key-state.ts";
import type { KnownState } from "./store.ts";

/** The number of keys whose records are remembered. */
const REMEMBERED = 4_096;
/** A record of nothing lives this long at least, one with echoes longer; then it is as if it had never been. */
const NOTHING_MILLISECONDS = 1_500;
const ECHO_MILLISECONDS = 9_000;
/** The most that trust in what is remembered of the keys of a function counts, either way. */
const MOST_TRUST = 4;
/** The time, beyond a lease, for which a record may stand still before a host believes that nobody will tell. */
const STILL_BEYOND_LEASE = 2_000;

/**
 * The record of each key as this host wrote or saw it last. It saves a round trip where it is right, and is corrected where it is
 * not.
 */
export class LastKnown {
  readonly #known = new Map<string, { readonly state: KnownState; readonly at: number }>();
  readonly #still = new Map<string, { readonly seq: number; readonly since: number }>();
  /** The times that what was remembered proved right of late, less those that it did not, by function. */
  readonly #trust = new Map<string, number>();

  of(key: WorkKey): KnownState | undefined {
    const name = keyName(key);
    const found = this.#known.get(name);
    if (found === undefined) return undefined;
    const { state, echoes = [] } = found.state.record;
    const lives = echoes.length > 0 ? ECHO_MILLISECONDS : NOTHING_MILLISECONDS;
    if (isForgettable(state) && performance.now() - found.at > lives) {
      this.#known.delete(name);
      return undefined;
    }
    return found.state;
  }

  set(key: WorkKey, state: KnownState): void {
    const name = keyName(key);
    this.#known.delete(name);
    this.#known.set(name, { state, at: performance.now() });
    if (this.#known.size <= REMEMBERED) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }

  /**
   * True where the last keys of this function stood as they were remembered, or as new ones. Where several hosts share its keys they
   * mostly do not, and a read first costs less than a write that is refused.
   */
  trusts({ function: name }: Pick<WorkKey, "function">): boolean {
    return (this.#trust.get(name) ?? 0) >= 0;
  }

  /** Called once it is known whether a key stood as it was remembered. */
  proved({ function: name }: Pick<WorkKey, "function">, right: boolean): void {
    const trust = (this.#trust.get(name) ?? 0) + (right ? 1 : -1);
    this.#trust.set(name, Math.min(MOST_TRUST, Math.max(-MOST_TRUST, trust)));
  }

  forget(key: WorkKey): void {
    this.#known.delete(keyName(key));
  }

  clear(): void {
    this.#known.clear();
    this.#still.clear();
    this.#trust.clear();
  }

  /** True where a running key's record has not changed for longer than any lease: the net for a hint that was lost. */
  standsStill(key: WorkKey, seq: number, leaseMilliseconds: number): boolean {
    const name = keyName(key);
    const seen = this.#still.get(name);
    const now = performance.now();
    if (seen?.seq !== seq) {
      if (this.#still.size >= REMEMBERED) this.#still.clear();
      this.#still.set(name, { seq, since: now });
      return false;
    }
    return now - seen.since > leaseMilliseconds + STILL_BEYOND_LEASE;
  }
}
