import type { Echo, Lease, RunEnding, Work } from "../bus/contract.ts";

/** The versions that are remembered at most: a key that answers its own writes for ever has written the last of them. */
const REMEMBERED = 10_000;

const versionName = ({ uid, resourceVersion }: Echo): string => `${uid} ${resourceVersion}`;

/** The versions that runs of this process have written lately: what they did needs no look into the history. */
export class WrittenHere {
  /** The one that was written longest ago first. */
  readonly #versions = new Set<string>();

  has(version: Echo): boolean {
    return this.#versions.has(versionName(version));
  }

  /** The same work, whose writes are remembered. */
  by(work: Work): Work {
    const remembered = async (lease: Lease): Promise<RunEnding> => {
      const ending = await work(lease);
      if ("run" in ending)
        for (const { uid, resourceVersion, sent } of ending.run.writes)
          if (sent && uid !== undefined && resourceVersion !== undefined) this.#add({ uid, resourceVersion });
      return ending;
    };
    return Object.assign(remembered, work.ahead === undefined ? {} : { ahead: work.ahead });
  }

  #add(version: Echo): void {
    this.#versions.add(versionName(version));
    if (this.#versions.size <= REMEMBERED) return;
    for (const oldest of this.#versions) {
      this.#versions.delete(oldest);
      return;
    }
  }
}
