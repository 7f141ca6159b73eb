import type { DatabaseSync, StatementSync } from "node:sqlite";
import { canonical } from "../../shared/json/canonical.ts";
import type { OwnerReference } from "../../shared/kube/object.ts";
import type { Facts, Sighting } from "./sighting.ts";

/** The last publication about one object. */
export interface LedgerRow {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly era: number;
  /** The way in which its kind was read then (`entryOf`). */
  readonly entry: string;
  readonly facts: Facts;
  readonly ready: boolean | undefined;
  readonly object: string;
  readonly status: string;
  readonly owners: readonly OwnerReference[];
}

/** Up to where everything of a stream is published. */
export interface Position {
  readonly resourceVersion: string;
  readonly entry: string;
}

/** One line of a transaction. */
export type LedgerChange =
  | { readonly do: "announce"; readonly stream: number; readonly sighting: Sighting }
  | {
      readonly do: "keep";
      readonly stream: number;
      readonly sighting: Sighting;
      readonly era: number;
      readonly entry: string;
    }
  | {
      readonly do: "forget";
      readonly stream: number;
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
    }
  | { readonly do: "position"; readonly stream: number; readonly position: Position }
  | {
      readonly do: "listed";
      readonly stream: number;
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
    };

export type Sql = Readonly<Record<string, string | number | null>>;

export const rowOf = (sql: Sql): LedgerRow => ({
  namespace: String(sql.namespace),
  name: String(sql.name),
  uid: String(sql.uid),
  resourceVersion: String(sql.version),
  generation: Number(sql.generation),
  era: Number(sql.era),
  entry: String(sql.entry),
  facts: JSON.parse(String(sql.facts)) as Facts,
  ready: sql.ready === null ? undefined : sql.ready === 1,
  object: String(sql.object),
  status: String(sql.status),
  owners: JSON.parse(String(sql.owners)) as OwnerReference[],
});

export type Statements = Readonly<Record<keyof typeof texts, StatementSync>>;
const texts = {
  meta: "SELECT value FROM meta WHERE name = ?",
  setMeta: "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  unsetMeta: "DELETE FROM meta WHERE name = ?",
  streams: "SELECT id, key FROM stream",
  addStream:
    "INSERT INTO stream (key) VALUES (?) ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING id",
  dropStream: "DELETE FROM stream WHERE id = ?",
  dropObjects: "DELETE FROM object WHERE stream = ?",
  position: "SELECT version, entry FROM stream WHERE id = ? AND version IS NOT NULL",
  setPosition: "UPDATE stream SET version = ?, entry = ? WHERE id = ?",
  forgetPositions: "UPDATE stream SET version = NULL, entry = NULL",
  row: "SELECT * FROM object WHERE stream = ? AND namespace = ? AND name = ?",
  keep: `INSERT INTO object VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (stream, namespace, name) DO UPDATE SET uid = excluded.uid, version = excluded.version,
    generation = excluded.generation, era = excluded.era, entry = excluded.entry, facts = excluded.facts,
    ready = excluded.ready, object = excluded.object, status = excluded.status, owners = excluded.owners`,
  forget: "DELETE FROM object WHERE stream = ? AND namespace = ? AND name = ? AND uid = ?",
  clearListed: "DELETE FROM listed WHERE stream = ?",
  list: "INSERT INTO listed VALUES (?, ?, ?, ?) ON CONFLICT (stream, namespace, name) DO UPDATE SET uid = excluded.uid",
  isListed: "SELECT 1 FROM listed WHERE stream = ? AND namespace = ? AND name = ? AND uid = ?",
  unlisted: `SELECT * FROM object AS o WHERE stream = ?1 AND (namespace, name) > (?2, ?3) AND NOT EXISTS
    (SELECT 1 FROM listed AS l WHERE l.stream = ?1 AND l.namespace = o.namespace AND l.name = o.name)
    ORDER BY namespace, name LIMIT ?4`,
  announce: "INSERT OR REPLACE INTO announced VALUES (?, ?, ?)",
  announced: "SELECT sighting FROM announced WHERE stream = ?",
  unannounce: "DELETE FROM announced WHERE stream = ? AND uid = ?",
  dropAnnounced: "DELETE FROM announced WHERE stream = ?",
  count: "SELECT count(*) AS count FROM object WHERE stream = ?",
} as const;

export const prepare = (database: DatabaseSync): Statements =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, database.prepare(text)]),
  ) as Statements;

/** Writes one line, inside the caller's transaction. */
export function applyChange(sql: Statements, change: LedgerChange): void {
  switch (change.do) {
    case "keep": {
      const { sighting: seen } = change;
      sql.keep.run(
        change.stream,
        seen.namespace,
        seen.name,
        seen.uid,
        seen.resourceVersion,
        seen.generation,
        change.era,
        change.entry,
        canonical(seen.facts),
        seen.ready === undefined ? null : Number(seen.ready),
        seen.object,
        seen.status,
        JSON.stringify(seen.owners),
      );
      sql.unannounce.run(change.stream, seen.uid);
      return;
    }
    case "forget":
      sql.forget.run(change.stream, change.namespace, change.name, change.uid);
      sql.unannounce.run(change.stream, change.uid);
      return;
    case "position":
      sql.setPosition.run(change.position.resourceVersion, change.position.entry, change.stream);
      return;
    case "announce":
      sql.announce.run(change.stream, change.sighting.uid, JSON.stringify(change.sighting));
      return;
    case "listed":
      sql.list.run(change.stream, change.namespace, change.name, change.uid);
      return;
  }
}
