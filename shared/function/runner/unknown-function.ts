import type { Failed, Lease } from "../../bus/contract.ts";
import type { RunRecord } from "../../bus/run-record.ts";
import type { Clock } from "../../clock/clock.ts";
import { timeOf } from "../time.ts";
import { newSpan, newTrace } from "./trace.ts";

/** How an item ends whose function is not here. */
export function unknownFunction({ item }: Lease, clock: Clock): Failed {
  const now = clock.now();
  const error = {
    code: "FUNCTION_UNKNOWN",
    message: `No function is called ${item.function} here: it was renamed or removed. Drop the item, or run a version that has it.`,
  };
  const run: RunRecord = {
    id: newSpan(),
    function: item.function,
    key: item.key,
    lane: item.lane,
    attempt: item.attempt,
    startedAt: timeOf(now),
    milliseconds: 0,
    traceparent: `00-${newTrace()}-${newSpan()}-01`,
    causes: item.causes,
    reads: [],
    writes: [],
    outcome: "dead",
    waitingFor: [],
    deadlines: {},
    error,
  };
  return { state: "failed", error, retryable: false, echoes: [], subjects: {}, run };
}
