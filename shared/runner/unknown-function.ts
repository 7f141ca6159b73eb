import type { Failed, Lease } from "../bus/contract.ts";
import type { Clock } from "../clock/clock.ts";
import { refusedRun } from "./refused-run.ts";

/** The end of an item whose function is not here. */
export function unknownFunction({ item }: Lease, clock: Clock): Failed {
  const error = {
    code: "FUNCTION_UNKNOWN",
    message: `No function is called ${item.function} here: it was renamed or removed. Drop the item, or run a version that has it.`,
  };
  const run = refusedRun(item, "dead", error, clock.now());
  return { state: "failed", error, retryable: false, echoes: [], subjects: {}, run };
}
