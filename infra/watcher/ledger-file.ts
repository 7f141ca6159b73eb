import { existsSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";
import { LedgerError, ledgerError } from "./errors.ts";

const FORMAT = 1;

/**
 * `listed` serves one compare: what a list named, so that what it did not name is found without keeping names in memory.
 * `announced`: new objects whose telling is on its way. If this dies before it is confirmed, and they end meanwhile, their end is told.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS stream (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, entry TEXT, version TEXT
  );
  CREATE TABLE IF NOT EXISTS object (
    stream INTEGER NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    uid TEXT NOT NULL, version TEXT NOT NULL, generation INTEGER NOT NULL,
    era INTEGER NOT NULL, entry TEXT NOT NULL,
    facts TEXT NOT NULL, ready INTEGER, object TEXT NOT NULL, status TEXT NOT NULL, owners TEXT NOT NULL,
    PRIMARY KEY (stream, namespace, name)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS listed (
    stream INTEGER NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, uid TEXT NOT NULL,
    PRIMARY KEY (stream, namespace, name)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS announced (
    stream INTEGER NOT NULL, uid TEXT NOT NULL, sighting TEXT NOT NULL, PRIMARY KEY (stream, uid)
  ) WITHOUT ROWID;
`;

/** The origin of a ledger: `kept` from before, `new`, or `rebuilt` where the one from before could not be used. */
export type LedgerOrigin = "kept" | "new" | "rebuilt";

function open(file: string): { readonly database: DatabaseSync; readonly isNew: boolean } {
  const database = new DatabaseSync(file);
  try {
    // Small caches: memory must not grow with the objects. Exclusive: one ledger, one watcher.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -1024;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
    `);
    const { user_version: format } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    if (format > FORMAT) throw new LedgerError("newer", file);
    const check = database.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (check.quick_check !== "ok") throw new LedgerError("broken", file, new Error(check.quick_check));
    // A write of its own, so that a folder or file that cannot be written is found now.
    database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${FORMAT}; COMMIT`);
    return { database, isNew: format === 0 };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens the file, or makes it. One that cannot be read is moved aside: a ledger is only a memory of what was published,
 * without it everything is published once more. Throws `LedgerError`.
 */
export function openLedgerFile(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): { readonly database: DatabaseSync; readonly origin: LedgerOrigin } {
  try {
    const { database, isNew } = open(file);
    return { database, origin: isNew ? "new" : "kept" };
  } catch (thrown) {
    const error = ledgerError(file, thrown);
    if (error.problem !== "broken" || file === ":memory:") throw error;
    const aside = moveAside(file, clock);
    log.warn(
      { code: error.code, file, aside },
      "The ledger cannot be read and was moved aside: every object is published again, in the slow lane",
    );
  }
  try {
    return { database: open(file).database, origin: "rebuilt" };
  } catch (thrown) {
    throw ledgerError(file, thrown);
  }
}

/** Renames the file and its write-ahead log. Returns where the file is now. */
export function moveAside(file: string, clock: Clock): string {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
  let aside = `${file}.broken-${stamp}`;
  for (let again = 2; existsSync(aside); again++) aside = `${file}.broken-${stamp}-${again}`;
  try {
    for (const suffix of ["", "-wal", "-shm"])
      if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  } catch (error) {
    throw new LedgerError("notWritable", file, error);
  }
  return aside;
}
