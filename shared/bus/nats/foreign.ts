import type { Log } from "../../log/log.ts";
import type { BusError } from "../errors.ts";
import type { WorkKey } from "../item.ts";

/** The number of subjects of foreign messages that are remembered as logged. */
const MOST = 1_000;

/** Logs foreign messages on the bus, each subject once: a client that may write there could write much. */
export class Foreign {
  readonly #log: Log;
  readonly #told = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** It counts as absent. */
  readonly met = (subject: string): void => {
    if (this.#isNew(subject))
      this.#log.warn({ subject }, "the subject holds a foreign message: it counts as absent");
  };

  /** A newer version of Reveille wrote it: it stays for whoever knows it. */
  readonly newer = (subject: string): void => {
    if (this.#isNew(subject))
      this.#log.error(
        { subject, code: "BUS_NEWER" },
        "a newer version of Reveille wrote it: update this one",
      );
  };

  /** One item that the bus cannot take, now or ever. */
  readonly refused = ({ function: name, key }: WorkKey, { code, message }: BusError): void =>
    this.#log.error({ function: name, key, code }, `an item was refused: ${message}`);

  #isNew(subject: string): boolean {
    if (this.#told.has(subject)) return false;
    if (this.#told.size >= MOST) this.#told.clear();
    this.#told.add(subject);
    return true;
  }
}
