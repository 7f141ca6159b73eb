import type { WorkItem } from "../bus/item.ts";
import type { RunRecord } from "../bus/run-record.ts";
import { timeOf } from "../clock/time.ts";
import { newSpan, newTrace } from "./trace.ts";

/** The record of a run that ended before it began: the host does not run this item. */
export const refusedRun = (
  { function: name, key, lane, attempt, causes }: WorkItem,
  outcome: "away" | "dead",
  error: { readonly code: string; readonly message: string },
  now: number,
): RunRecord => ({
  id: newSpan(),
  function: name,
  key,
  lane,
  attempt,
  startedAt: timeOf(now),
  milliseconds: 0,
  traceparent: `00-${newTrace()}-${newSpan()}-01`,
  causes,
  reads: [],
  writes: [],
  outcome,
  waitingFor: [],
  deadlines: {},
  error,
});
