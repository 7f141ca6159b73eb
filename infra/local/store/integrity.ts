import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { ReveilleError } from "../../../shared/errors.ts";

/** The state of the disk does not let the API keep its objects. */
export class StoreError extends ReveilleError {}

/** The sum of a row: over all that it says, so that a byte that fell over is seen wherever it is. */
export const sumOf = (...fields: readonly string[]): number =>
  fields.reduce((sum, field) => crc32(field, crc32("\0", sum)), 0);

/** The error about a file of which a part is not what was written. */
export const damaged = (path: string, what: string): StoreError =>
  new StoreError(
    "LOCAL_API_STORE_DAMAGED",
    `${path} is damaged (${what}): something other than Reveille changed it, or its disk fails. Put a copy in its place, or begin anew with --reset`,
  );

/**
 * Reads the whole file once: SQLite's own check finds broken pages and indexes, the sums of rows find changed values.
 * Some 100 MB a second; a laptop's file has a few. Throws a `StoreError`.
 */
export function requireWhole(database: DatabaseSync, path: string): void {
  const [found] = database.prepare("PRAGMA integrity_check(1)").all();
  const verdict = String(found?.integrity_check ?? "no answer");
  if (verdict !== "ok") throw damaged(path, verdict.replace(/\s+/g, " "));
  for (const row of database.prepare("SELECT resource, key, object, sum FROM objects").iterate())
    if (row.sum !== sumOf(String(row.resource), String(row.key), String(row.object)))
      throw damaged(path, `the object ${JSON.stringify(row.key)} of ${JSON.stringify(row.resource)}`);
  for (const row of database.prepare("SELECT * FROM events").iterate())
    if (row.sum !== sumOfEvent(row)) throw damaged(path, `the change ${Number(row.version)}`);
}

/** The sum of a row of `events`. */
export const sumOfEvent = (row: Readonly<Record<string, unknown>>): number =>
  sumOf(...["version", "resource", "key", "type", "object", "previous"].map((name) => String(row[name])));

/** Gives the rows of a file without sums theirs. */
export function addSums(database: DatabaseSync): void {
  database.function("reveille_sum", { varargs: true, deterministic: true }, (...fields) =>
    sumOf(...fields.map(String)),
  );
  database.exec(`
    BEGIN IMMEDIATE;
    ALTER TABLE objects ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
    UPDATE objects SET sum = reveille_sum(resource, key, object);
    UPDATE events SET sum = reveille_sum(version, resource, key, type, object, previous);
    UPDATE facts SET value = '2' WHERE name = 'layout';
    COMMIT;`);
}
