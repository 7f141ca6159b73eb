import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { Connection } from "../../shared/kube/http/connection.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";

/** An answer counts for so long: who asks often causes no more requests. */
const KEPT_MILLISECONDS = 1_000;
const PATIENCE_MILLISECONDS = 3_000;

/** Asks the API server how it is, only when somebody asks this process, over a connection of its own. */
export class ApiProbe {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  #asked: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined;

  constructor(connection: Connection, clock: Clock) {
    this.#clock = clock;
    this.#client = createKubeClient({
      connection,
      clock,
      maxSockets: 1,
      timeoutMilliseconds: PATIENCE_MILLISECONDS,
      throttledMilliseconds: 0,
    });
  }

  /** Why it cannot be used; undefined where it can. */
  reason(): Promise<string | undefined> {
    const now = this.#clock.now();
    if (this.#asked === undefined || now - this.#asked.at > KEPT_MILLISECONDS)
      this.#asked = { at: now, answer: this.#ask() };
    return this.#asked.answer;
  }

  close(): void {
    this.#client.close();
  }

  async #ask(): Promise<string | undefined> {
    try {
      await this.#client.raw("GET", "/readyz");
      return undefined;
    } catch (thrown) {
      // It answers, only not this question to this user.
      if (thrown instanceof KubeError && ["forbidden", "missing", "throttled"].includes(thrown.kind))
        return undefined;
      return messageOf(thrown);
    }
  }
}
