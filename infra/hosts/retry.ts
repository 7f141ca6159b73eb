import { BusError } from "../../shared/bus/errors.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf, ReveilleError } from "../../shared/errors.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { Log } from "../../shared/log/log.ts";

const FIRST_MILLISECONDS = 500;
const MOST_MILLISECONDS = 10_000;

/** True where an error may pass without anybody changing how this process was started. */
export function mayPass(thrown: unknown): boolean {
  if (thrown instanceof KubeError) return thrown.retryable;
  if (thrown instanceof BusError) return PASSING.has(thrown.code);
  if (thrown instanceof ReveilleError)
    return thrown.code === "CLUSTER_UNIDENTIFIED" || thrown.code === "LEDGER_DISK_FULL";
  // Of the system itself: a folder that could not be made on a full disk.
  return thrown instanceof Error && "code" in thrown && thrown.code === "ENOSPC";
}
const PASSING: ReadonlySet<string> = new Set([
  "BUS_BUSY",
  "BUS_FULL",
  "BUS_IO",
  "BUS_NOT_SET_UP",
  "BUS_UNREACHABLE",
]);

/**
 * Tries until it succeeds: a process that starts before the API server or the bus waits for them, and says so. Rejects with
 * what cannot pass, and with the signal's reason.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  parts: {
    readonly clock: Clock;
    readonly log: Log;
    readonly signal: AbortSignal;
    /** Called with the reason why it does not go on yet. */
    readonly waits: (reason: string) => void;
  },
): Promise<T> {
  for (let pause = FIRST_MILLISECONDS; ; pause = Math.min(2 * pause, MOST_MILLISECONDS)) {
    parts.signal.throwIfAborted();
    try {
      return await attempt();
    } catch (thrown) {
      if (!mayPass(thrown)) throw thrown;
      parts.waits(messageOf(thrown));
      parts.log.warn({ error: messageOf(thrown) }, "what this process needs is not ready, trying again");
    }
    await parts.clock.sleep(pause, parts.signal);
  }
}
