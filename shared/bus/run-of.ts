import { randomBytes, randomUUID } from "node:crypto";
import type { Dead } from "./dead.ts";
import type { WorkItem } from "./item.ts";
import type { Running } from "./key-state.ts";
import type { RunRecord } from "./run-record.ts";

/** A new span of the trace that the item came with, or of a trace of its own. */
function spanOf(item: WorkItem): string {
  const trace = item.causes.find(({ traceparent }) => traceparent !== undefined)?.traceparent?.split("-")[1];
  return `00-${trace ?? randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`;
}

/** The record of a run that told nothing itself. */
const silentRun = (item: WorkItem, startedAt: number, endedAt: number): Omit<RunRecord, "outcome"> => ({
  id: randomUUID(),
  function: item.function,
  key: item.key,
  lane: item.lane,
  attempt: item.attempt,
  startedAt: new Date(startedAt).toISOString(),
  milliseconds: Math.max(0, endedAt - startedAt),
  traceparent: spanOf(item),
  causes: item.causes,
  reads: [],
  writes: [],
  waitingFor: [],
  deadlines: {},
});

/** The run of a host that died. */
export const lostRun = ({ item, takenAt }: Running, dead: Dead | undefined, now: number): RunRecord => ({
  ...silentRun(item, takenAt, now),
  outcome: dead === undefined ? "lost" : "dead",
  error: dead?.error ?? {
    code: "BUS_HOST_DIED",
    message: "The process that ran it died or lost it before it was done.",
  },
});

/** A run that ended with an exception. */
export const threwRun = (
  item: WorkItem,
  error: { readonly code: string; readonly message: string },
  startedAt: number,
  now: number,
): RunRecord => ({
  ...silentRun(item, startedAt, now),
  outcome: "retry",
  error,
});
