import type { Bus } from "../../../shared/bus/contract.ts";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import { COMMANDS } from "../../../shared/function/commands.ts";
import type { Log } from "../../../shared/log/log.ts";
import { shortTime } from "../../../shared/text.ts";
import { runFields } from "../../hosts/run-fields.ts";
import { type Paint, plain } from "../style.ts";
import { describeCause, describeEnding, describeEvent, describeWorkKey, describeWrites } from "./describe.ts";

/** The number of recent events whose words are remembered. */
const REMEMBERED = 4096;

/** `12:00:01.234`, local time. */
export const timeOfDay = (at: string | number): string => {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`;
};

/** The least characters of a line's actions, however narrow it is. */
const LEAST = 20;

/**
 * One line about a run: when, which event, → which function, which key, what it wrote or waits for, how long.
 * @param width in characters; what was done is cut where the line would be longer
 */
export function runLine(
  run: RunRecord,
  said: (eventId: string) => string | undefined,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string {
  const nothing = run.function === COMMANDS ? "carried out" : "nothing to do";
  const whole = [...describeWrites(run), ...describeEnding(run)].join("; ") || nothing;
  const failed = run.outcome === "retry" || run.outcome === "dead";
  const waits = run.outcome === "waiting";
  const line = (done: string, inColour: Paint): string =>
    [
      inColour("dim", timeOfDay(Date.parse(run.startedAt) + run.milliseconds)),
      describeCause(run.causes, said),
      inColour("dim", "→"),
      inColour("cyan", run.function),
      inColour("bold", describeWorkKey(run.key)),
      inColour("dim", "│"),
      failed ? inColour("red", done) : waits ? inColour("yellow", done) : done,
      inColour("dim", `· ${shortTime(run.milliseconds)}`),
    ].join(" ");
  const excess = line(whole, plain).length - width;
  const room = Math.max(LEAST, whole.length - excess);
  return line(whole.length <= room ? whole : `${whole.slice(0, room - 1)}…`, paint);
}

/** True where a run wrote something or waits for something. */
export const isTelling = (run: RunRecord): boolean =>
  run.writes.some(({ sent, error }) => sent || error !== undefined) || describeEnding(run).length > 0;

export interface TimelineOptions {
  readonly bus: Bus;
  /** Lines for people; absent: none. */
  readonly write?: ((line: string) => void) | undefined;
  readonly paint: Paint;
  /** Runs as fields, for machines; absent: none. */
  readonly log?: Log | undefined;
}

/** The numbers of a period. */
export interface Counts {
  readonly runs: number;
  /** Requests that changed something. */
  readonly writes: number;
  /** Runs that found nothing to do, or what they had told before. */
  readonly quiet: number;
}

export interface Timeline {
  /** Runs and writes since the last call. */
  take(): Counts;
  stop(): void;
}

/** Follows a bus and tells each run that did something; runs that found nothing to do are counted. */
export function startTimeline({ bus, write, paint, log }: TimelineOptions): Timeline {
  const said = new Map<string, string>();
  /** The waits that each key was last told to have: the same again is nothing new. */
  const told = new Map<string, string>();
  let quiet = 0;
  let runs = 0;
  let writes = 0;
  const isNews = (run: RunRecord): boolean => {
    if (!isTelling(run)) return false;
    const key = `${run.function} ${run.key}`;
    const ending = describeEnding(run).join("; ");
    const same = told.get(key) === ending && describeWrites(run).length === 0;
    if (ending === "") told.delete(key);
    else told.set(key, ending);
    return !same;
  };
  const stop = bus.subscribe({
    published: (event) => {
      said.set(event.id, describeEvent(event));
      if (said.size > REMEMBERED) said.delete(said.keys().next().value ?? "");
    },
    ran: (run) => {
      runs += 1;
      writes += run.writes.filter(({ sent, error }) => sent && error === undefined).length;
      log?.info(runFields(run), "run");
      if (isNews(run)) {
        write?.(runLine(run, (id) => said.get(id), paint));
      } else quiet += 1;
    },
  });
  return {
    take() {
      const taken = { runs, writes, quiet };
      runs = 0;
      quiet = 0;
      writes = 0;
      return taken;
    },
    stop,
  };
}
