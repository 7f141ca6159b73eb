import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import type { Echo, History } from "../contract.ts";
import type { RecordedEvent, RunRecord } from "../run-record.ts";
import { subjectsOf } from "../run-subjects.ts";
import type { Database, Statement } from "./database.ts";

/** The bounds of the history: whichever is reached first. */
export interface HistoryBounds {
  readonly maximumAgeMilliseconds: number;
  readonly maximumRuns: number;
}

export const defaultHistory: HistoryBounds = {
  maximumAgeMilliseconds: 7 * 24 * 3_600_000,
  maximumRuns: 10_000,
};

/** The number of published events that are remembered for each run: most events wake more than one function or none. */
const EVENTS_A_RUN = 4;
/** The most rows that are written between two prunings. */
const PRUNE_EVERY = 500;
/** The time for which a run may be known to this process alone. */
const BEHIND_MILLISECONDS = 200;
/** The most runs that wait for the file; beyond, where it takes none, the oldest are forgotten. */
const MOST_BEHIND = 1_000;
const MOST_EVENTS_BEHIND = 20_000;

interface RunRow {
  readonly position: number;
  readonly record: string;
}
/** A run, and when it ended. */
interface Told {
  readonly run: RunRecord;
  readonly at: number;
}
/** An event with its place, and when it was published. */
interface ToldEvent {
  readonly position: number;
  readonly event: RecordedEvent;
  readonly at: number;
}
interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly uid: string | null;
  readonly resource_version: string | null;
  readonly traceparent: string | null;
  readonly asked_by: string | null;
  readonly time: string;
}

const recordOf = (row: RunRow): RunRecord => JSON.parse(row.record) as RunRecord;

const eventOf = (row: EventRow): RecordedEvent => ({
  id: row.id,
  type: row.type,
  time: row.time,
  subject: row.subject ?? undefined,
  uid: row.uid ?? undefined,
  resourceVersion: row.resource_version ?? undefined,
  traceparent: row.traceparent ?? undefined,
  askedBy: row.asked_by ?? undefined,
});

/** The history (B12). It is written behind: nothing leans on it, and whoever asks here is told of all. */
export function openHistory(
  database: Database,
  bounds: HistoryBounds,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  const addRun = database.prepare("INSERT INTO runs (id, function, key, at, record) VALUES (?, ?, ?, ?, ?)");
  const addSubject = database.prepare("INSERT INTO run_subjects (subject, position) VALUES (?, ?)");
  const addWrite = database.prepare(
    "INSERT OR IGNORE INTO run_writes (uid, resource_version, position) VALUES (?, ?, ?)",
  );
  const addEvent = database.prepare(
    "INSERT OR REPLACE INTO events (position, id, type, subject, uid, resource_version, traceparent, asked_by, time, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const bySubject = database.prepare(
    "SELECT position, record FROM run_subjects JOIN runs USING (position) WHERE subject = ? ORDER BY position DESC LIMIT ?",
  );
  const byKey = database.prepare(
    "SELECT position, record FROM runs WHERE function = ? AND key = ? ORDER BY position DESC LIMIT ?",
  );
  const byWrite = database.prepare(
    "SELECT position, record FROM run_writes JOIN runs USING (position) WHERE uid = ? AND resource_version = ? ORDER BY position DESC LIMIT 1",
  );
  const byId = database.prepare(
    "SELECT position, record FROM runs WHERE id = ? ORDER BY position DESC LIMIT 1",
  );
  const eventById = database.prepare(
    "SELECT id, type, subject, uid, resource_version, traceparent, asked_by, time FROM events WHERE id = ?",
  );
  const newestAbout = database.prepare(
    "SELECT id, type, subject, uid, resource_version, traceparent, asked_by, time FROM events WHERE position > ? AND subject = ? ORDER BY position DESC LIMIT 1",
  );
  const later = database.prepare(
    "SELECT position, record FROM runs WHERE position > ? ORDER BY position LIMIT ?",
  );
  const laterOf = database.prepare(
    "SELECT position, record FROM runs WHERE position > ? AND function = ? ORDER BY position LIMIT ?",
  );
  const lastRun = database.prepare("SELECT max(position) AS position FROM runs");
  const lastEvent = database.prepare("SELECT max(position) AS position FROM events");
  // Positions rise with time, so only the oldest rows need looking at; what is left is found the next time.
  const oldOf = (table: string) =>
    database.prepare(
      `SELECT max(position) AS position FROM (SELECT position, at FROM ${table} ORDER BY position LIMIT ${PRUNE_EVERY * 4}) WHERE at < ?`,
    );
  const oldRun = oldOf("runs");
  const oldEvent = oldOf("events");
  const forget = ["runs", "run_subjects", "run_writes"].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE position <= ?`),
  );
  const forgetEvents = database.prepare("DELETE FROM events WHERE position <= ?");
  const middleRun = database.prepare("SELECT (min(position) + max(position)) / 2 AS position FROM runs");
  type Position = { readonly position: number | null };
  let written = 0;

  const prune = (now: number): void => {
    const oldest = now - bounds.maximumAgeMilliseconds;
    const beyond = (last: Statement, old: Statement, kept: number): number =>
      Math.max((last.get<Position>()?.position ?? 0) - kept, old.get<Position>(oldest)?.position ?? 0);
    const run = beyond(lastRun, oldRun, bounds.maximumRuns);
    if (run > 0) for (const statement of forget) statement.run(run);
    const event = beyond(lastEvent, oldEvent, bounds.maximumRuns * EVENTS_A_RUN);
    if (event > 0) forgetEvents.run(event);
  };

  const write = ({ run, at }: Told): void => {
    const position = addRun.run(run.id, run.function, run.key, at, JSON.stringify(run)).id;
    for (const subject of subjectsOf(run)) addSubject.run(subject, position);
    for (const { uid, resourceVersion, sent } of run.writes)
      if (sent && uid !== undefined && resourceVersion !== undefined)
        addWrite.run(uid, resourceVersion, position);
  };

  const writeEvent = ({ position, event, at }: ToldEvent): void => {
    const { id, type, subject, uid, resourceVersion, traceparent, askedBy, time } = event;
    addEvent.run(
      position,
      id,
      type,
      subject ?? null,
      uid ?? null,
      resourceVersion ?? null,
      traceparent ?? null,
      askedBy ?? null,
      time,
      at,
    );
  };

  /** Runs that the file does not tell yet, oldest first. */
  let behind: Told[] = [];
  /** Events that it does not tell yet, oldest first. */
  let eventsBehind: ToldEvent[] = [];
  let lastPosition = lastEvent.get<Position>()?.position ?? 0;
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if ((behind.length === 0 && eventsBehind.length === 0) || !database.isOpen) return;
    try {
      database.transaction(() => {
        for (const told of eventsBehind) writeEvent(told);
        for (const told of behind) write(told);
        written += behind.length + eventsBehind.length;
        pruneSome(clock.now());
      });
      behind = [];
      eventsBehind = [];
    } catch (thrown) {
      log.warn({ error: messageOf(thrown), runs: behind.length }, "the history cannot be written");
      behind = behind.slice(-MOST_BEHIND);
      eventsBehind = eventsBehind.slice(-MOST_EVENTS_BEHIND);
      soon();
    }
  };
  const soon = (): void => {
    cancel ??= clock.after(BEHIND_MILLISECONDS, flush);
  };
  const pruneSome = (now: number): void => {
    if (written < Math.min(PRUNE_EVERY, bounds.maximumRuns)) return;
    written = 0;
    prune(now);
  };

  const inFile: History = {
    ofSubject: async (subject, limit) => bySubject.all<RunRow>(subject, limit).map(recordOf),
    ofKey: async ({ function: name, key }, limit) => byKey.all<RunRow>(name, key, limit).map(recordOf),
    ofWrite: async ({ uid, resourceVersion }: Echo) => {
      const row = byWrite.get<RunRow>(uid, resourceVersion);
      return row === undefined ? undefined : recordOf(row);
    },
    run: async (id) => {
      const row = byId.get<RunRow>(id);
      return row === undefined ? undefined : recordOf(row);
    },
    event: async (id) => {
      const row = eventById.get<EventRow>(id);
      return row === undefined ? undefined : eventOf(row);
    },
    after: async (position, { function: name, limit }) => {
      const rows =
        name === undefined ? later.all<RunRow>(position, limit) : laterOf.all<RunRow>(position, name, limit);
      return { runs: rows.map(recordOf), position: rows.at(-1)?.position ?? position };
    },
  };

  /** In one process nothing is behind for those who ask. */
  const after =
    <Asked extends readonly unknown[], Told>(query: (...asked: Asked) => Told) =>
    (...asked: Asked): Told => {
      flush();
      return query(...asked);
    };
  const queries: History = {
    ...inFile,
    ofSubject: after(inFile.ofSubject),
    ofKey: after(inFile.ofKey),
    ofWrite: after(inFile.ofWrite),
    run: after(inFile.run),
    event: after(inFile.event),
    after: after(inFile.after),
  };

  return {
    queries,
    flush,
    /** Nothing is written any more. */
    stop: (): void => {
      behind = [];
      eventsBehind = [];
      cancel?.();
    },
    /** Tells of a run whose end stands. */
    recordRun: (run: RunRecord, at: number): void => {
      behind.push({ run, at });
      if (behind.length >= MOST_BEHIND) flush();
      else soon();
    },
    recordEvent: (event: RecordedEvent, at: number): void => {
      lastPosition += 1;
      eventsBehind.push({ position: lastPosition, event, at });
      if (eventsBehind.length >= MOST_EVENTS_BEHIND) flush();
      else soon();
    },
    /** The place of the newest event: what comes later stands after it. */
    newestEvent: (): number => lastPosition,
    /** The newest event about an object after a place. */
    toldSince: (position: number, subject: string): RecordedEvent | undefined => {
      const recent = eventsBehind.findLast(({ event }) => event.subject === subject);
      if (recent !== undefined) return recent.position > position ? recent.event : undefined;
      const row = newestAbout.get<EventRow>(position, subject);
      return row === undefined ? undefined : eventOf(row);
    },
    /** Forgets the older half of the runs: where there is no space, history gives way to work. */
    halve: (): void => {
      const middle = middleRun.get<Position>()?.position ?? 0;
      for (const statement of forget) statement.run(middle);
    },
  };
}
export type HistoryTable = ReturnType<typeof openHistory>;
