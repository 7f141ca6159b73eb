import type { Parked } from "../bus/contract.ts";
import { signedCause, type WorkItem } from "../bus/item.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log/log.ts";
import { refusedRun } from "./refused-run.ts";

/** The pause before the item is given out again: by then a worker of the new version may take it. */
const AGAIN_MILLISECONDS = 5_000;
/** After this it is answered by whatever code there is: a rolling upgrade is over, or does not go on. */
const PATIENCE_MILLISECONDS = 10 * 60_000;

export interface OtherSignaturesParts {
  /** The signature of the code that runs here, by function. */
  readonly signatures?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface Told {
  readonly function: string;
  readonly key: string;
  /** The one that it was published for. */
  readonly signature: string;
  /** The one that runs here. */
  readonly own: string;
  readonly code?: string;
}

/**
 * Gives back what was published for another version, configuration or wakes of a function than run here: during a rolling upgrade a
 * worker of the old version would answer it with old code, and nobody would look again. It counts as no attempt. After ten minutes
 * without such a worker the item is run here, and the log says so.
 */
export class OtherSignatures {
  readonly #parts: OtherSignaturesParts;
  readonly #told = new Set<string>();

  constructor(parts: OtherSignaturesParts) {
    this.#parts = parts;
  }

  /** The end of a run for an item that a worker of another signature has to run; undefined where it may run here. */
  refuse(item: WorkItem): Parked | undefined {
    const { signatures = {}, clock } = this.#parts;
    const { function: name, key, causes } = item;
    const own = signatures[name];
    const cause = signedCause(causes);
    if (own === undefined || cause?.signature === undefined || cause.signature === own) return undefined;
    const { signature } = cause;
    if (!(clock.now() < Date.parse(cause.at) + PATIENCE_MILLISECONDS)) {
      this.#tell(
        "warn",
        { function: name, key, signature, own },
        `${name}: no worker took for ten minutes what was published for another version of the function; this one runs it. Look whether the new workers start.`,
      );
      return undefined;
    }
    const message = `What was published at ${cause.at} is for another version or configuration of ${name} than this worker runs: it goes back, for a worker of that one. After ten minutes any worker runs it.`;
    const error = { code: "FUNCTION_OF_ANOTHER_VERSION", message };
    this.#tell("info", { function: name, key, signature, own, code: error.code }, message);
    return {
      state: "parked",
      behind: `a worker of another version of ${name}`,
      milliseconds: AGAIN_MILLISECONDS,
      error,
      echoes: [],
      run: refusedRun(item, "away", error, clock.now()),
    };
  }

  /** Once for each signature: an upgrade sends back many keys. */
  #tell(level: "info" | "warn", fields: Told, message: string): void {
    const about = `${level} ${fields.signature}`;
    this.#parts.log[this.#told.has(about) ? "debug" : level](fields, message);
    this.#told.add(about);
  }
}
