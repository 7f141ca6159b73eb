import type { WorkItem } from "../bus/item.ts";
import type { RunRecord } from "../bus/run-record.ts";
import type { Clock } from "../clock/clock.ts";
import { timeOf } from "../clock/time.ts";
import type { Wait } from "../function/wait.ts";
import type { Recorder } from "./recorder.ts";
import { newSpan, newTrace } from "./trace.ts";

/** The report of a run: in the log, and in the history. */
export class RunReport {
  readonly #item: WorkItem;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #started: number;
  #span: string | undefined;
  #trace: string | undefined;

  constructor(parts: {
    readonly item: WorkItem;
    readonly recorder: Recorder;
    readonly clock: Clock;
    readonly started: number;
  }) {
    this.#item = parts.item;
    this.#recorder = parts.recorder;
    this.#clock = parts.clock;
    this.#started = parts.started;
  }

  /** Made when it is told, which is after the run has sent what somebody waits for. */
  get #id(): string {
    this.#span ??= newSpan();
    return this.#span;
  }

  /** The trace of what began it, or one that begins with it. */
  get #traceId(): string {
    this.#trace ??=
      this.#item.causes.find(({ traceparent }) => traceparent !== undefined)?.traceparent?.split("-")[1] ??
      newTrace();
    return this.#trace;
  }

  /** The fields of every line of the log about this run. */
  get about(): object {
    const { function: name, key } = this.#item;
    return { function: name, key, trace_id: this.#traceId, span_id: this.#id };
  }

  /** The record of the run as it ends now. */
  record(
    outcome: RunRecord["outcome"],
    waitingFor: readonly Wait[] = [],
    deadlines: Readonly<Record<string, string>> = {},
    error?: { readonly code: string; readonly message: string },
  ): RunRecord {
    const item = this.#item;
    return {
      id: this.#id,
      function: item.function,
      key: item.key,
      lane: item.lane,
      attempt: item.attempt,
      startedAt: timeOf(this.#started),
      milliseconds: this.#clock.now() - this.#started,
      traceparent: `00-${this.#traceId}-${this.#id}-01`,
      causes: item.causes,
      reads: [...this.#recorder.reads.values()],
      writes: this.#recorder.writes,
      outcome,
      waitingFor: waitingFor.map((wait) => wait.for),
      deadlines,
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    };
  }
}
