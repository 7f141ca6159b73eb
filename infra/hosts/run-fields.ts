import type { RunRecord } from "../../shared/bus/run-record.ts";

/** A run as a log line tells it: references, paths and counts, with the ids under which its trace is found. */
export const runFields = (run: RunRecord): object => ({
  function: run.function,
  key: run.key,
  outcome: run.outcome,
  attempt: run.attempt,
  milliseconds: run.milliseconds,
  causes: run.causes.map(({ sort, type, subject, eventId }) => ({ sort, type, subject, eventId })),
  writes: run.writes
    .filter(({ sent, error }) => sent || error !== undefined)
    .map(({ verb, subject, paths, error }) => ({ verb, subject, paths, error })),
  waitingFor: run.waitingFor,
  deadlines: run.deadlines,
  traceparent: run.traceparent,
  ...traceIds(run.traceparent),
  ...(run.error === undefined ? {} : { error: run.error }),
});

/** The ids of a W3C trace context, as OpenTelemetry names them in logs. */
export function traceIds(traceparent: string): { readonly trace_id: string; readonly span_id: string } {
  const [, trace = "", span = ""] = traceparent.split("-");
  return { trace_id: trace, span_id: span };
}

/** True where a run sent nothing and failed nowhere: it found all as it should be. */
export const isNoOp = (run: RunRecord): boolean =>
  run.error === undefined && run.writes.every(({ sent, error }) => !sent && error === undefined);
