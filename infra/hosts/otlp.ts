import { type HrTime, type Link, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace";
import type { Bus } from "../../shared/bus/contract.ts";
import type { RunRecord } from "../../shared/bus/run-record.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { traceIds } from "./run-fields.ts";

/** The sender of spans. */
export interface Traces {
  /** Sends what is left. */
  stop(): Promise<void>;
}

export interface OtlpTarget {
  /** The endpoint with its path: `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The share of traces that is sent, from 0 to 1; of one trace all spans or none. */
  readonly sampled: number;
}

/**
 * Sends a span for each run that ends in this process. A run is recorded with its own trace context, so a span is made when it
 * is over; nothing is added to the way of a change.
 */
export function exportRuns(
  { endpoint, headers, sampled }: OtlpTarget,
  parts: {
    readonly bus: Pick<Bus, "subscribe">;
    readonly service: string;
    readonly version: string;
    readonly log?: Log;
  },
): Traces {
  const { log = silent } = parts;
  const exporter = new OTLPTraceExporter({
    url: endpoint,
    headers: { ...headers },
    timeoutMillis: SENDING_MILLISECONDS,
  });
  const spans = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: 1_000,
    exportTimeoutMillis: SENDING_MILLISECONDS,
  });
  const spanOf = spansAbout(`reveille-${parts.service}`, parts.version);
  const unsubscribe = parts.bus.subscribe({
    ran: (run) => {
      if (isSampled(traceIds(run.traceparent).trace_id, sampled)) spans.onEnd(spanOf(run));
    },
  });
  return {
    async stop() {
      unsubscribe();
      try {
        await spans.shutdown();
      } catch (error) {
        log.warn({ error }, "the last traces could not be sent");
      }
    },
  };
}

/** A collector that is away holds up the end for no longer. */
const SENDING_MILLISECONDS = 2_000;

/** The lower half of a trace id is random: every process decides alike. */
const isSampled = (traceId: string, share: number): boolean =>
  share >= 1 || Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32;

const timeOfMilliseconds = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1_000_000),
];

function spansAbout(service: string, version: string): (run: RunRecord) => ReadableSpan {
  const resource = resourceFromAttributes({ "service.name": service, "service.version": version });
  return (run) => {
    const { trace_id: traceId, span_id: spanId } = traceIds(run.traceparent);
    const started = Date.parse(run.startedAt);
    const causes = run.causes.flatMap(({ traceparent }): Link[] => {
      if (traceparent === undefined) return [];
      const of = traceIds(traceparent);
      return [{ context: { traceId: of.trace_id, spanId: of.span_id, traceFlags: TraceFlags.SAMPLED } }];
    });
    const parent = causes.find(({ context }) => context.traceId === traceId);
    const failed = run.error !== undefined;
    return {
      name: `${run.function} run`,
      kind: SpanKind.CONSUMER,
      spanContext: () => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
      ...(parent !== undefined && { parentSpanContext: parent.context }),
      startTime: timeOfMilliseconds(started),
      endTime: timeOfMilliseconds(started + run.milliseconds),
      duration: timeOfMilliseconds(run.milliseconds),
      status: failed
        ? { code: SpanStatusCode.ERROR, message: run.error.message }
        : { code: SpanStatusCode.OK },
      attributes: {
        "reveille.function": run.function,
        "reveille.key": run.key,
        "reveille.lane": run.lane,
        "reveille.attempt": run.attempt,
        "reveille.outcome": run.outcome,
        "reveille.causes": run.causes.map(({ type }) => type),
        "reveille.reads": run.reads.length,
        "reveille.writes": run.writes.filter(({ sent }) => sent).length,
        ...(failed && { "error.type": run.error.code }),
      },
      links: causes.filter((one) => one !== parent),
      events: [],
      ended: true,
      resource,
      instrumentationScope: { name: "reveille", version },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  };
}
