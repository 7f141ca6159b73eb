import type { DatabaseSync } from "node:sqlite";
import { BusError } from "../errors.ts";
import { heldBy, type Identity, isGone, newIdentity } from "./identity.ts";

/** Marks the file as ours: "Rvle". */
const APPLICATION_ID = 0x52766c65;

/** A checkpoint waits for the disk and holds everything up meanwhile: 16 MiB of log make it four times rarer than by default. */
const CHECKPOINT_PAGES = 4_000;

/**
 * One step a version; a file is brought from its own to the last one in one transaction. Steps that were released are never
 * changed. `keys.state`: 0 nothing waits, 1 ready, 2 delayed until `due`, 3 waits for the run to end.
 */
export const steps: readonly string[] = [
  `
  CREATE TABLE keys (
    id INTEGER PRIMARY KEY, function TEXT NOT NULL, key TEXT NOT NULL,
    state INTEGER NOT NULL, lane INTEGER NOT NULL, seq INTEGER NOT NULL, due INTEGER NOT NULL, enqueued_at INTEGER,
    attempts INTEGER NOT NULL, owner INTEGER, token INTEGER,
    waiting TEXT, running TEXT, dead TEXT, waits TEXT, deadlines TEXT, net INTEGER,
    UNIQUE (function, key)
  );
  CREATE INDEX keys_ready ON keys (lane, seq) WHERE state = 1;
  CREATE INDEX keys_delayed ON keys (due) WHERE state = 2;
  CREATE INDEX keys_running ON keys (owner) WHERE owner IS NOT NULL;
  CREATE INDEX keys_dead ON keys (function, key) WHERE dead IS NOT NULL;
  CREATE TABLE timers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key_id INTEGER NOT NULL, sort TEXT NOT NULL, name TEXT NOT NULL,
    due INTEGER NOT NULL, traceparent TEXT,
    UNIQUE (key_id, sort, name)
  );
  CREATE INDEX timers_due ON timers (due);
  CREATE TABLE waits (
    cluster TEXT NOT NULL, kube_group TEXT NOT NULL, kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    key_id INTEGER NOT NULL,
    PRIMARY KEY (cluster, kube_group, kind, namespace, name, key_id)
  ) WITHOUT ROWID;
  CREATE INDEX waits_of_key ON waits (key_id);
  CREATE TABLE instances (
    id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, until INTEGER NOT NULL
  );
  CREATE TABLE refused (id TEXT PRIMARY KEY, issues TEXT NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, subject TEXT, uid TEXT, resource_version TEXT,
    traceparent TEXT, asked_by TEXT, time TEXT NOT NULL, at INTEGER NOT NULL
  );
  CREATE TABLE runs (
    position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, function TEXT NOT NULL, key TEXT NOT NULL,
    at INTEGER NOT NULL, record TEXT NOT NULL
  );
  CREATE INDEX runs_of_key ON runs (function, key, position);
  CREATE INDEX runs_by_id ON runs (id);
  CREATE TABLE run_subjects (subject TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (subject, position)) WITHOUT ROWID;
  CREATE INDEX run_subjects_of_run ON run_subjects (position);
  CREATE TABLE run_writes (uid TEXT NOT NULL, resource_version TEXT NOT NULL, position INTEGER NOT NULL,
    PRIMARY KEY (uid, resource_version, position)) WITHOUT ROWID;
  CREATE INDEX run_writes_of_run ON run_writes (position);
  CREATE TABLE probe (content BLOB);
  `,
  // Only pruning asked them, which reads so little that a scan will do; each run paid for them.
  "DROP INDEX run_subjects_of_run; DROP INDEX run_writes_of_run;",
  "CREATE TABLE birth (id TEXT NOT NULL); INSERT INTO birth VALUES (lower(hex(randomblob(16))));",
  "ALTER TABLE waits ADD COLUMN version TEXT NOT NULL DEFAULT ''; CREATE INDEX waits_followed ON waits (version) WHERE version <> '';",
  // Memory leads from here on: what is ready, delayed or waited for is found there.
  `
  CREATE TABLE named_timers (
    function TEXT NOT NULL, key TEXT NOT NULL, sort TEXT NOT NULL, name TEXT NOT NULL,
    due INTEGER NOT NULL, number INTEGER NOT NULL, traceparent TEXT,
    PRIMARY KEY (function, key, sort, name)
  ) WITHOUT ROWID;
  INSERT INTO named_timers SELECT function, key, sort, name, timers.due, number, traceparent FROM timers JOIN keys ON keys.id = key_id;
  DROP TABLE timers;
  ALTER TABLE named_timers RENAME TO timers;
  CREATE INDEX timers_due ON timers (due);
  DROP TABLE waits;
  DROP TABLE instances;
  DROP INDEX keys_ready;
  DROP INDEX keys_delayed;
  DROP INDEX keys_running;
  CREATE TABLE journal (number INTEGER NOT NULL, position INTEGER NOT NULL);
  INSERT INTO journal VALUES (0, 0);
  CREATE TABLE holder (identity TEXT NOT NULL);
  CREATE TABLE inbox (number INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL, answer TEXT, at INTEGER NOT NULL);
  `,
  "CREATE TABLE remembered (number INTEGER PRIMARY KEY AUTOINCREMENT, memory TEXT NOT NULL, line TEXT NOT NULL);",
];

/** The step that took the processes away which shared one file. */
const ALONE_SINCE = 5;

const numberOf = (db: DatabaseSync, pragma: string): number =>
  Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);

/** Checks that the file is ours, whole and not newer than this version, and brings it up to date. */
export function applySchema(db: DatabaseSync, file: string): void {
  const owner = numberOf(db, "application_id");
  const tables = Number(db.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count ?? 0);
  if (owner !== APPLICATION_ID && (owner !== 0 || tables > 0))
    throw new BusError(
      "BUS_FOREIGN",
      `${file} belongs to another program; choose another place with --data.`,
    );
  const version = numberOf(db, "user_version");
  if (version > steps.length)
    throw new BusError(
      "BUS_NEWER",
      `${file} was written by a newer version of Reveille (format ${version}, this one knows ${steps.length}); use that version or choose another place with --data.`,
    );
  const check = db.prepare("PRAGMA quick_check(1)").get()?.quick_check;
  if (check !== "ok")
    throw new BusError(
      "BUS_CORRUPT",
      `${file} is damaged (${String(check)}); move it away and start again: every key is resynced.`,
    );
  if (version > 0 && version < ALONE_SINCE) refuseWhereShared(db, file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  if (version === steps.length) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    for (const step of steps.slice(numberOf(db, "user_version"))) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${steps.length}`);
    db.exec("COMMIT");
  } catch (thrown) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}

/** A process of an older version may still work on the file. */
function refuseWhereShared(db: DatabaseSync, file: string): void {
  const self = newIdentity();
  for (const { identity, until } of db.prepare("SELECT identity, until FROM instances").all()) {
    const other = JSON.parse(String(identity)) as Identity;
    if (Number(until) > Date.now() && !isGone(self, other)) throw heldBy(file, other);
  }
}
