import { afterAwake } from "../../clock/awake.ts";
import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { KubeClient } from "../client.ts";
import { KubeError } from "../errors.ts";
import type { Connection } from "../http/connection.ts";
import { createKubeClient } from "../http-client.ts";
import type { Probe } from "./connection.ts";

/** The time for which a probe waits for an answer. */
export const PATIENCE_MILLISECONDS = 3_000;
/** The limit of a request on a connection of a probe's own, which is cut off before, unless this process is held up itself. */
const LONGEST_MILLISECONDS = 30_000;

/** The refusals of a server that is there, only not for this question or this user; a proxy may serve nothing beside `/api`. */
const ANSWERS: ReadonlySet<string> = new Set(["forbidden", "missing", "kindMissing", "throttled"]);

/** The outcome of a probe. */
export interface Probed {
  /** The reason why the server cannot be used; undefined where it can. */
  readonly reason: string | undefined;
  /** True where the server itself said so: another connection would hear the same. */
  readonly isSaid: boolean;
}

/** Asks an API server's `/readyz` once. A process that is too busy to hear the answer does not take the server for away. */
export async function probed(
  client: Pick<KubeClient, "raw">,
  clock: Clock,
  patience = PATIENCE_MILLISECONDS,
): Promise<Probed> {
  const cut = new AbortController();
  const cancel = afterAwake(clock, patience, () => cut.abort());
  try {
    await client.raw("GET", "/readyz", { signal: cut.signal }).catch(async (thrown: unknown) => {
      // Who answers 404 in words that are no API server's may serve nothing beside `/api`, or nothing at all.
      if (!(thrown instanceof KubeError && thrown.kind === "unavailable" && thrown.status?.code === 404))
        throw thrown;
      await client.raw("GET", "/api", { signal: cut.signal });
    });
    return { reason: undefined, isSaid: true };
  } catch (thrown) {
    const isKube = thrown instanceof KubeError;
    if (isKube && ANSWERS.has(thrown.kind)) return { reason: undefined, isSaid: true };
    if (cut.signal.aborted)
      return { reason: `it did not answer within ${Math.round(patience / 100) / 10} s`, isSaid: false };
    return { reason: messageOf(thrown), isSaid: isKube && thrown.kind === "unauthorized" };
  } finally {
    cancel();
  }
}

/** The same as the probe of a connection, with a client that others use too. */
export const apiProbe =
  (client: Pick<KubeClient, "raw">, clock: Clock, patience?: number): Probe =>
  async () =>
    (await probed(client, clock, patience)).reason;

/**
 * The same over a connection of its own, which slow requests of others do not hold up.
 * @param patience the milliseconds for which the probe that begins now waits
 */
export function ownApiProbe(
  connection: Connection,
  clock: Clock,
  patience: () => number = () => PATIENCE_MILLISECONDS,
): { readonly probe: Probe; close(): void } {
  const client = createKubeClient({
    connection,
    clock,
    maxSockets: 1,
    timeoutMilliseconds: LONGEST_MILLISECONDS,
    throttledMilliseconds: 0,
  });
  return {
    probe: async () => (await probed(client, clock, patience())).reason,
    close: () => client.close(),
  };
}
