import type { WorkKey } from "../bus/item.ts";
import { keyName } from "../bus/key-name.ts";
import type { RecordedEvent } from "../bus/run-record.ts";

/** The versions that are remembered at most while runs go on. */
const REMEMBERED = 20_000;

/** A run that goes on: the number of versions that were left out when it began. */
export interface UntoldRun {
  readonly since: number;
}

interface Left {
  readonly number: number;
  readonly told: RecordedEvent;
}

/**
 * The versions that the watcher left out because nobody waited for their objects, for as long as a run goes on that may yet say
 * that it waits: register, then check.
 */
export class Untold {
  /** The last version by object, `<group>/<kind>/<namespace>/<name>`; the one that was left out longest ago first. */
  readonly #left = new Map<string, Left>();
  readonly #runs = new Set<UntoldRun>();
  /** The objects that keys are about to wait for, by key: their end is not durable yet. */
  readonly #announced = new Map<string, ReadonlySet<string>>();
  #number = 0;
  /** The number of the last one that fell out for want of room. */
  #lost = 0;

  /** A version was left out. */
  left(subject: string, told: RecordedEvent): void {
    if (this.#runs.size === 0) return;
    this.#left.delete(subject);
    this.#left.set(subject, { number: ++this.#number, told });
    this.#prune();
  }

  begins(): UntoldRun {
    const run = { since: this.#number };
    this.#runs.add(run);
    return run;
  }

  ends(run: UntoldRun): void {
    this.#runs.delete(run);
    this.#prune();
  }

  /**
   * The last version of the object that was left out while the run went on; undefined where none was. Where it cannot be told any
   * more, `unknown`.
   */
  during(run: UntoldRun, subject: string): RecordedEvent | "unknown" | undefined {
    const left = this.#left.get(subject);
    if (left !== undefined && left.number > run.since) return left.told;
    return run.since < this.#lost ? "unknown" : undefined;
  }

  /** The key waits for these objects once its end is durable. */
  announce(key: WorkKey, subjects: readonly string[]): void {
    this.#announced.set(keyName(key), new Set(subjects));
  }

  /** The end of the key's run is durable: the bus knows what it waits for. */
  settled(key: WorkKey): void {
    this.#announced.delete(keyName(key));
  }

  /** True where a key is about to wait for the object. */
  isAnnounced(subject: string): boolean {
    for (const subjects of this.#announced.values()) if (subjects.has(subject)) return true;
    return false;
  }

  #prune(): void {
    const oldest = this.#runs.size === 0 ? Number.POSITIVE_INFINITY : this.#earliest();
    for (const [subject, { number }] of this.#left) {
      if (number > oldest && this.#left.size <= REMEMBERED) return;
      if (number > oldest) this.#lost = number;
      this.#left.delete(subject);
    }
  }

  /** Runs are kept in the order in which they began. */
  #earliest(): number {
    for (const { since } of this.#runs) return since;
    return 0;
  }
}
