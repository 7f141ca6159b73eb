import { systemClock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import { keyName } from "../key-name.ts";
import type { Arrival } from "./delivery.ts";
import { KeyRun } from "./key-run.ts";
import type { RunParts, Taker } from "./run-parts.ts";
import { Solitude } from "./solitude.ts";

/** A run that others have joined says so in its record after this: most have ended by then. */
const JOINED_MILLISECONDS = 20;

/** The keys that this host runs: of each at most one run. */
export class KeyRuns {
  readonly #parts: RunParts;
  readonly #runs = new Map<string, KeyRun>();
  readonly #solitude: Solitude;
  #cancelJoined: (() => void) | undefined;

  /** @param opened told when others may begin again, after a run that had to be alone */
  constructor(parts: Omit<RunParts, "solitude">, opened: () => void) {
    this.#solitude = new Solitude({
      opened,
      joined: () => {
        this.#cancelJoined ??= systemClock.after(JOINED_MILLISECONDS, () => {
          this.#cancelJoined = undefined;
          this.renew();
        });
      },
    });
    this.#parts = { ...parts, solitude: this.#solitude };
  }

  /** Nothing new may begin: a run must be alone. */
  get closed(): boolean {
    return this.#solitude.closed;
  }

  /** Gives it to the run of its key. False where the key does not run here: what comes for it is no business of a run that lost it. */
  add(arrival: Arrival): boolean {
    const run = this.#runs.get(keyName(arrival.key));
    if (run === undefined || run.isGone) return false;
    run.add(arrival);
    return true;
  }

  /** Begins to run a key that does not run here, until nothing is left to do for it. */
  begin(arrival: Arrival, taker: Taker, ended: (run: KeyRun) => void): KeyRun {
    const name = keyName(arrival.key);
    const run = new KeyRun(this.#parts, arrival.key, taker);
    run.add(arrival);
    // Before anything is awaited: two items of one key must not race here.
    this.#runs.set(name, run);
    this.#solitude.began(run);
    void run.live().then(() => {
      this.#solitude.ended(run);
      if (this.#runs.get(name) === run) this.#runs.delete(name);
      ended(run);
    });
    return run;
  }

  /** Called now and then. */
  renew(): void {
    for (const run of this.#runs.values())
      if (run.runs)
        run.renew().catch((thrown: unknown) => {
          this.#parts.log.warn({ error: messageOf(thrown) }, "a lease could not be renewed");
        });
  }

  /** The number of running keys, by function. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { key, runs } of this.#runs.values())
      if (runs) counts.set(key.function, (counts.get(key.function) ?? 0) + 1);
    return counts;
  }

  close(): void {
    this.#cancelJoined?.();
  }
}
