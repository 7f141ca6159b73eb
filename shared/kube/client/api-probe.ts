import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { KubeClient } from "../client.ts";
import { KubeError } from "../errors.ts";
import type { Connection } from "../http/connection.ts";
import { createKubeClient } from "../http-client.ts";
import type { Probe } from "./connection.ts";

const PATIENCE_MILLISECONDS = 3_000;

/** The refusals of a server that is there, only not for this question or this user; a proxy may serve nothing beside `/api`. */
const ANSWERS: ReadonlySet<string> = new Set(["forbidden", "missing", "kindMissing", "throttled"]);

/** Asks an API server's `/readyz` with a client that others use too. */
export const apiProbe =
  (client: Pick<KubeClient, "raw">, clock: Clock, patience = PATIENCE_MILLISECONDS): Probe =>
  async () => {
    const cut = new AbortController();
    const cancel = clock.after(patience, () => cut.abort());
    try {
      await client.raw("GET", "/readyz", { signal: cut.signal }).catch(async (thrown: unknown) => {
        // Who answers 404 in words that are no API server's may serve nothing beside `/api`, or nothing at all.
        if (!(thrown instanceof KubeError && thrown.kind === "unavailable" && thrown.status?.code === 404))
          throw thrown;
        await client.raw("GET", "/api", { signal: cut.signal });
      });
      return undefined;
    } catch (thrown) {
      if (thrown instanceof KubeError && ANSWERS.has(thrown.kind)) return undefined;
      if (cut.signal.aborted) return `it did not answer within ${patience / 1000} s`;
      return messageOf(thrown);
    } finally {
      cancel();
    }
  };

/** The same over a connection of its own, which slow requests of others do not hold up. */
export function ownApiProbe(connection: Connection, clock: Clock): { readonly probe: Probe; close(): void } {
  const client = createKubeClient({
    connection,
    clock,
    maxSockets: 1,
    timeoutMilliseconds: PATIENCE_MILLISECONDS,
    throttledMilliseconds: 0,
  });
  return { probe: apiProbe(client, clock), close: () => client.close() };
}
