import { messageOf } from "../../shared/errors.ts";

/** Why a part cannot work now, in words; undefined where it can. */
export type Check = () => string | undefined | Promise<string | undefined>;

/** What a host needs to do its work, and whether it has it. */
export class Readiness {
  readonly #checks = new Map<string, Check>();

  /** A part's check takes the place of its former one. */
  check(part: string, check: Check): void {
    this.#checks.set(part, check);
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
