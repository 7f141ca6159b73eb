import { DatabaseSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { heldBy, type Identity, newIdentity } from "./identity.ts";
import { translated } from "./sqlite-error.ts";

/** The time for which a file is waited for that somebody holds only for a moment. */
const BUSY_MILLISECONDS = 1_000;
const SQLITE_BUSY = 5;

/** The hold of one process on a bus, and so the lease of all that it runs. The system takes it away when the process dies. */
export interface Hold {
  release(): void;
}

/**
 * Takes a bus for this process. Undefined where another one has it.
 * @param waits for how long it is waited for
 */
export function take(file: string, waits = BUSY_MILLISECONDS): Hold | undefined {
  const lock = `${file}.lock`;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(lock, { timeout: waits });
    // Nothing is ever written: only SQLite's lock on the file is wanted, which is let go with the process.
    database.exec("BEGIN EXCLUSIVE");
  } catch (thrown) {
    database?.close();
    if (thrown instanceof Error && "errcode" in thrown && Number(thrown.errcode) % 256 === SQLITE_BUSY)
      return undefined;
    throw translated(thrown, lock);
  }
  const held = database;
  return {
    release: () => {
      if (held.isOpen) held.close();
    },
  };
}

/** @throws BusError `BUS_HELD` with the name of the process that has it */
export function takeOrName(file: string): Hold {
  const hold = take(file);
  if (hold !== undefined) return hold;
  throw heldBy(file, holderIn(file) ?? { pid: Number.NaN });
}

/** Tells others who holds the bus. */
export function signAsHolder(database: Database): void {
  const clear = database.prepare("DELETE FROM holder");
  const sign = database.prepare("INSERT INTO holder VALUES (?)");
  database.transaction(() => {
    clear.run();
    sign.run(JSON.stringify(newIdentity()));
  });
}

function holderIn(file: string): Identity | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MILLISECONDS });
    const row = database.prepare("SELECT identity FROM holder").get();
    return row === undefined ? undefined : (JSON.parse(String(row.identity)) as Identity);
  } catch (thrown) {
    throw translated(thrown, file);
  } finally {
    database?.close();
  }
}
