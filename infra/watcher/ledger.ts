import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Clock } from "../../shared/clock/clock.ts";
import { canonical } from "../../shared/json/canonical.ts";
import type { OwnerReference } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import { ledgerError } from "./errors.ts";
import { type LedgerOrigin, moveAside, openLedgerFile } from "./ledger-file.ts";
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

type Sql = Readonly<Record<string, string | number | null>>;

const rowOf = (sql: Sql): LedgerRow => ({
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

/** The number of rows that are kept in memory too. */
const RECENT = 500;

const placeOf = (stream: number, namespace: string, name: string): string => `${stream}/${namespace}/${name}`;

type Statements = Readonly<Record<keyof typeof texts, StatementSync>>;
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

const prepare = (database: DatabaseSync): Statements =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, database.prepare(text)]),
  ) as Statements;

/** The watcher's memory of what it published. Every method throws `LedgerError`. */
export class Ledger {
  readonly file: string;
  /** The ledger's origin. */
  readonly origin: LedgerOrigin;
  readonly #database: DatabaseSync;
  readonly #sql: Statements;
  /** The rows that were written last, the one written longest ago first: the same objects mostly change again. */
  readonly #recent = new Map<string, LedgerRow>();
  #era = 0;

  /** Opens the file for one cluster. One that belongs to another cluster, or cannot be read, is moved aside. */
  constructor(file: string, cluster: string, context: { readonly clock: Clock; readonly log: Log }) {
    this.file = file;
    let opened = openLedgerFile(file, context);
    let sql = prepare(opened.database);
    const known = (sql.meta.get("cluster") as { value: string } | undefined)?.value;
    if (known !== undefined && known !== cluster) {
      opened.database.close();
      const aside = moveAside(file, context.clock);
      context.log.warn(
        { file, aside, known, cluster },
        "The ledger belongs to another cluster and was moved aside: every object is published again",
      );
      opened = { ...openLedgerFile(file, context), origin: "rebuilt" };
      sql = prepare(opened.database);
    }
    this.origin = opened.origin;
    this.#database = opened.database;
    this.#sql = sql;
    this.#do(() => {
      this.#sql.setMeta.run("cluster", cluster);
      this.#era = Number((this.#sql.meta.get("era") as { value: string } | undefined)?.value ?? 0);
      // A rebuilt ledger that dies before all is published once more must not look like a new one.
      if (opened.origin === "rebuilt") this.#sql.setMeta.run("rebuilt", "yes");
    });
  }

  /** Counts the times that the server went back to an older state. */
  get era(): number {
    return this.#era;
  }

  /** Begins another era: no position of before means anything. */
  beginEra(era: number): void {
    this.#transaction(() => {
      this.#sql.setMeta.run("era", String(era));
      this.#sql.forgetPositions.run();
    });
    this.#era = era;
  }

  /** True until all that a lost ledger had known is published once more. */
  get isRebuilt(): boolean {
    return this.#do(() => this.#sql.meta.get("rebuilt")) !== undefined;
  }

  /** Others published before, and this ledger knows nothing of it: it is as good as one that was lost. */
  beginRebuild(): void {
    this.#do(() => this.#sql.setMeta.run("rebuilt", "yes"));
  }

  /** All is published once: from now on the ledger is as good as the one that was lost. */
  endRebuild(): void {
    this.#do(() => this.#sql.unsetMeta.run("rebuilt"));
  }

  /** The number of a stream, for the other methods. */
  stream(key: string): number {
    return this.#do(() => (this.#sql.addStream.get(key) as { id: number }).id);
  }

  /** Forgets the objects and positions of all other streams. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.#transaction(() => {
      for (const { id, key } of this.#sql.streams.all() as { id: number; key: string }[]) {
        if (keys.has(key)) continue;
        this.#sql.dropObjects.run(id);
        this.#sql.clearListed.run(id);
        this.#sql.dropAnnounced.run(id);
        this.#sql.dropStream.run(id);
      }
    });
    this.#recent.clear();
  }

  position(stream: number): Position | undefined {
    const found = this.#do(() => this.#sql.position.get(stream)) as Sql | undefined;
    if (found === undefined) return undefined;
    return { resourceVersion: String(found.version), entry: String(found.entry) };
  }

  row(stream: number, namespace: string, name: string): LedgerRow | undefined {
    const recent = this.#recent.get(placeOf(stream, namespace, name));
    if (recent !== undefined) return recent;
    const found = this.#do(() => this.#sql.row.get(stream, namespace, name)) as Sql | undefined;
    return found === undefined ? undefined : rowOf(found);
  }

  /** The number of known objects of a stream. */
  count(stream: number): number {
    return this.#do(() => (this.#sql.count.get(stream) as { count: number }).count);
  }

  /** Begins a compare: nothing is listed yet. */
  beginCompare(stream: number): void {
    this.#do(() => this.#sql.clearListed.run(stream));
  }

  isListed(stream: number, { namespace, name, uid }: Pick<Sighting, "namespace" | "name" | "uid">): boolean {
    return this.#do(() => this.#sql.isListed.get(stream, namespace, name, uid)) !== undefined;
  }

  /** Known objects that the list did not name, in order, after the given one. */
  unlisted(
    stream: number,
    after: { readonly namespace: string; readonly name: string },
    limit: number,
  ): LedgerRow[] {
    return this.#do(() => this.#sql.unlisted.all(stream, after.namespace, after.name, limit) as Sql[]).map(
      rowOf,
    );
  }

  /** New objects whose telling was on its way and never confirmed. */
  announced(stream: number): Sighting[] {
    const found = this.#do(() => this.#sql.announced.all(stream)) as { sighting: string }[];
    return found.map(({ sighting }) => JSON.parse(sighting) as Sighting);
  }

  /** All or nothing. */
  commit(changes: readonly LedgerChange[]): void {
    if (changes.length === 0) return;
    this.#transaction(() => {
      for (const change of changes) this.#apply(change);
    });
    for (const change of changes) this.#remember(change);
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #apply(change: LedgerChange): void {
    const sql = this.#sql;
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

  #remember(change: LedgerChange): void {
    if (change.do !== "keep" && change.do !== "forget") return;
    const { namespace, name } = change.do === "keep" ? change.sighting : change;
    const place = placeOf(change.stream, namespace, name);
    this.#recent.delete(place);
    if (change.do === "forget") return;
    const { era, entry, sighting } = change;
    const { uid, resourceVersion, generation, facts, ready, object, status, owners } = sighting;
    this.#recent.set(place, {
      namespace,
      name,
      uid,
      resourceVersion,
      generation,
      era,
      entry,
      facts,
      ready,
      object,
      status,
      owners,
    });
    if (this.#recent.size <= RECENT) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }

  #transaction(write: () => void): void {
    this.#do(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        write();
        this.#database.exec("COMMIT");
      } catch (error) {
        // A full disk ends the transaction by itself.
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  #do<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw ledgerError(this.file, error);
    }
  }
}
