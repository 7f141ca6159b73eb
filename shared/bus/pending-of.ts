import type { Bus } from "./contract.ts";
import type { KeyState } from "./key-state.ts";

/** A key's waits, deadlines and retry, as `why` and `status` tell them. */
export function pendingOf(state: KeyState, now: number): Awaited<ReturnType<Bus["pending"]>> {
  const { waiting, running, attempts, waits, deadlines } = state;
  const { behind } = waiting ?? {};
  const backsOff = waiting !== undefined && (attempts > 0 || behind !== undefined) && waiting.notBefore > now;
  return {
    waits,
    deadlines,
    attempts,
    waiting: waiting !== undefined,
    running: running !== undefined,
    retryAt: backsOff ? new Date(waiting.notBefore).toISOString() : undefined,
    behind,
  };
}
