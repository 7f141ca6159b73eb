import type { Clock } from "../clock/clock.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log/log.ts";
import type { Lease, RunEnding, Work } from "./contract.ts";
import { threwRun } from "./run-of.ts";

/** Runs an item. Never rejects: a run that throws has failed. */
export async function runSafely(
  work: Work,
  lease: Lease,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<RunEnding> {
  const startedAt = clock.now();
  try {
    return await work(lease);
  } catch (thrown) {
    const { item } = lease;
    const error = { code: "BUS_WORK_THREW", message: messageOf(thrown) };
    log.error({ function: item.function, key: item.key, error: error.message }, "a run threw");
    const run = threwRun(item, error, startedAt, clock.now());
    return { state: "failed", error, retryable: true, echoes: [], subjects: {}, run };
  }
}
