import type { Echo } from "../bus/contract.ts";
import type { Cause } from "../bus/item.ts";

/** The steps from a run back to whoever began it that are looked at. A loop is longer; what one function does for another is not. */
const STEPS = 8;
const MAXIMUM_VERSIONS = 10_000;

/** Tells whether somebody else is behind a run, or functions alone. */
export class Wakers {
  readonly #wroteThis: (echo: Echo) => Promise<boolean>;
  /** The causes of the runs that wrote these versions; what was written longest ago first. */
  readonly #causes = new Map<string, readonly Cause[]>();

  /** @param wroteThis whether a run of this host, or of another one, wrote a version */
  constructor(wroteThis: (echo: Echo) => Promise<boolean>) {
    this.#wroteThis = wroteThis;
  }

  /** Remembers what woke the run that wrote these versions. */
  remember(written: readonly Echo[], causes: readonly Cause[]): void {
    for (const echo of written) this.#causes.set(nameOf(echo), causes);
    for (const oldest of this.#causes.keys()) {
      if (this.#causes.size <= MAXIMUM_VERSIONS) return;
      this.#causes.delete(oldest);
    }
  }

  /**
   * True where nothing but functions' own writes led to a run: it was woken by them, and the runs that wrote them by others of
   * functions, as far back as is looked. A run that copies what another one made of a change by somebody else is none.
   */
  async onlyFunctions(causes: readonly Cause[]): Promise<boolean> {
    const seen = new Set<string>();
    let step = causes;
    for (let steps = 0; steps < STEPS && step.length > 0; steps += 1) {
      const before: Cause[] = [];
      for (const { sort, uid, resourceVersion } of step) {
        if (sort === "again" || sort === "net") continue;
        if (uid === undefined || resourceVersion === undefined) return false;
        const echo = { uid, resourceVersion };
        const name = nameOf(echo);
        if (seen.has(name)) continue;
        seen.add(name);
        if (!(await this.#wroteThis(echo))) return false;
        before.push(...(this.#causes.get(name) ?? []));
      }
      step = before;
    }
    return true;
  }
}

const nameOf = ({ uid, resourceVersion }: Echo): string => `${uid} ${resourceVersion}`;
