import type { Echo } from "../contract.ts";
import type { NewItem, WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";

/** The number of keys whose last run's echoes are remembered; beyond, such an event costs a needless run. */
const REMEMBERED = 4_096;

const versionOf = (uid: string, resourceVersion: string): string => `${uid} ${resourceVersion}`;

/**
 * The echoes of each key's last run. The event of a run's last write mostly comes after its acknowledgement, when no item waits
 * that could be compared with it. While the key has not run again it still tells what that run knew: it is dropped where it
 * comes in, as it would have been before. Forgotten as soon as the key runs again (that run may rest on less), and when the
 * API server went back (its versions are given again to other states).
 */
export class EchoMemory {
  /** Versions by key; the key that ran longest ago first. */
  readonly #lastRuns = new Map<string, ReadonlySet<string>>();
  #era = 0;

  /** A run ended, and its end is durable. */
  remember(key: WorkKey, echoes: readonly Echo[]): void {
    const name = keyName(key);
    this.#lastRuns.delete(name);
    if (echoes.length === 0) return;
    this.#lastRuns.set(name, new Set(echoes.map((echo) => versionOf(echo.uid, echo.resourceVersion))));
    if (this.#lastRuns.size <= REMEMBERED) return;
    for (const oldest of this.#lastRuns.keys()) {
      this.#lastRuns.delete(oldest);
      return;
    }
  }

  /** The key is about to run again. */
  forget(key: WorkKey): void {
    this.#lastRuns.delete(keyName(key));
  }

  /** Events of this era come in from now on. */
  begin(era: number): void {
    if (era === this.#era) return;
    this.#era = era;
    this.#lastRuns.clear();
  }

  /** True where an item tells its key only what the key's last run wrote. */
  knows(item: NewItem): boolean {
    const { uid, resourceVersion } = item.cause;
    if (uid === undefined || resourceVersion === undefined || item.sweep !== undefined) return false;
    return this.#lastRuns.get(keyName(item))?.has(versionOf(uid, resourceVersion)) === true;
  }
}
