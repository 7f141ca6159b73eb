import { messageOf } from "../../shared/errors.ts";
import { BUS } from "../../shared/host/reach.ts";
import { type ConnectionPool, HOME } from "../../shared/kube/client/index.ts";

/** The time for which an answer stands: frequent probes cause no more requests. */
const FRESH_MILLISECONDS = 1_000;

/** Returns why a part cannot work now, in words; undefined where it can. */
export type Check = () => string | undefined | Promise<string | undefined>;

/** The parts that a host needs to do its work, each with its check. */
export class Readiness {
  readonly #checks = new Map<string, Check>();

  /** A part's check takes the place of its former one. */
  check(part: string, check: Check): void {
    this.#checks.set(part, check);
  }

  /** One part for each connection but the bus, which knows more of itself; the API server is asked, a while ago counts. */
  connections(pool: ConnectionPool): void {
    this.check(HOME, async () => (await pool.check([HOME], FRESH_MILLISECONDS))?.reason);
    this.check("connections", () => {
      const others = pool.away.filter(({ connection }) => connection !== HOME && connection !== BUS);
      if (others.length === 0) return undefined;
      return others.map(({ connection, reason }) => `${connection} is away: ${reason}`).join("; ");
    });
  }

  /** A part that cannot work yet. */
  waits(part: string, reason: string): void {
    this.#checks.set(part, () => reason);
  }

  /** `bus: …`, for each part that cannot work. */
  async reasons(): Promise<readonly string[]> {
    const asked = [...this.#checks].map(async ([part, check]) => {
      try {
        const reason = await check();
        return reason === undefined ? [] : [`${part}: ${reason}`];
      } catch (thrown) {
        return [`${part}: ${messageOf(thrown)}`];
      }
    });
    return (await Promise.all(asked)).flat();
  }
}
