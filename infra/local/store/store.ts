import { chmodSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { messageOf } from "../../../shared/errors.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { addSums, damaged, requireWhole, StoreError, sumOf, sumOfEvent } from "./integrity.ts";

export { StoreError };

/** A change of one object; `text` and `previous` are objects as JSON. */
export class StoredEvent {
  readonly resourceVersion: number;
  /** `group/plural`. */
  readonly resource: string;
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** After the change; of a deleted object its last state with the version of the deletion. */
  readonly text: string;
  /** Before the change; empty for ADDED. */
  readonly previousText: string;
  #object: KubeObject | undefined;
  #previous: KubeObject | undefined;
  constructor(row: {
    resourceVersion: number;
    resource: string;
    key: string;
    type: StoredEvent["type"];
    text: string;
    previousText: string;
  }) {
    this.resourceVersion = row.resourceVersion;
    this.resource = row.resource;
    this.key = row.key;
    this.type = row.type;
    this.text = row.text;
    this.previousText = row.previousText;
  }
  get object(): KubeObject {
    this.#object ??= JSON.parse(this.text) as KubeObject;
    return this.#object;
  }
  get previous(): KubeObject | undefined {
    if (this.previousText !== "") this.#previous ??= JSON.parse(this.previousText) as KubeObject;
    return this.#previous;
  }
}

export interface StoredObject {
  readonly key: string;
  readonly text: string;
}

const layout = 2;
const firstVersion = 1000;
/** A watch may resume within the last so many changes, as long as they are not too large altogether. */
export interface Window {
  readonly events: number;
  readonly bytes: number;
  /** The file grows to so many pages of 4 KiB at most. Default: as the disk allows. */
  readonly pages?: number;
}
const defaultWindow: Window = { events: 10_000, bytes: 64 * 1024 * 1024 };
const pieceSize = 500;
/** A disk has room again when so many characters fit: a byte fits nearly always. */
const probeSize = 128 * 1024;

/** The key of an object within its resource. Sorted bytewise it gives the order of lists, as in etcd. */
export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;

/**
 * Objects and the latest changes, in one SQLite file (or in memory). One counter gives every change its version, over all
 * kinds. An object and its event are one transaction, so a kill leaves both or neither.
 */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements: Readonly<
    Record<
      "get" | "put" | "drop" | "event" | "list" | "since" | "trim" | "sizes" | "sizeTo" | "fill" | "mark",
      StatementSync
    >
  >;
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  #version: number;
  #trimmed: number;
  #bytes: number;
  readonly #window: Window;
  readonly #path: string;
  #failure: StoreError | undefined;
  #untilTrim: number;

  /** `path` is a file or `:memory:`. Throws a `StoreError` where the file cannot be opened. */
  constructor(path: string, window = defaultWindow) {
    this.#path = path;
    this.#window = window;
    this.#untilTrim = this.#trimEvery;
    try {
      const database = new DatabaseSync(path);
      // Secrets are in it. Its companions (-wal, -shm) get the same rights from SQLite.
      if (path !== ":memory:") chmodSync(path, 0o600);
      database.exec(`
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000; PRAGMA busy_timeout = 2000;
        CREATE TABLE IF NOT EXISTS objects (resource TEXT NOT NULL, key TEXT NOT NULL, object TEXT NOT NULL,
          sum INTEGER NOT NULL DEFAULT 0, UNIQUE (resource, key)) STRICT;
        CREATE TABLE IF NOT EXISTS events (version INTEGER PRIMARY KEY, resource TEXT NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
          object TEXT NOT NULL, previous TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        INSERT OR IGNORE INTO facts VALUES ('layout', '${layout}'), ('trimmed', '${firstVersion}');`);
      const layoutOf = (): unknown =>
        database.prepare("SELECT value FROM facts WHERE name = 'layout'").get()?.value;
      if (layoutOf() === "1") addSums(database);
      const found = layoutOf();
      if (found !== String(layout)) {
        throw new StoreError(
          "LOCAL_API_STORE_LAYOUT",
          `${path} was written by another version of Reveille: remove it (--reset)`,
        );
      }
      if (path !== ":memory:") requireWhole(database, path);
      if (window.pages !== undefined) database.exec(`PRAGMA max_page_count = ${window.pages}`);
      this.#database = database;
      this.#statements = {
        get: database.prepare("SELECT object, sum FROM objects WHERE resource = ? AND key = ?"),
        put: database.prepare(
          "INSERT INTO objects VALUES (?, ?, ?, ?) ON CONFLICT (resource, key) DO UPDATE SET object = excluded.object, sum = excluded.sum",
        ),
        drop: database.prepare("DELETE FROM objects WHERE resource = ? AND key = ?"),
        event: database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"),
        list: database.prepare(
          "SELECT key, object, sum FROM objects WHERE resource = ? AND key > ? AND key < ? ORDER BY key LIMIT ?",
        ),
        since: database.prepare("SELECT * FROM events WHERE version > ? AND resource = ? ORDER BY version"),
        trim: database.prepare("DELETE FROM events WHERE version <= ?"),
        sizes: database.prepare(
          "SELECT version, length(object) + length(previous) AS size FROM events ORDER BY version",
        ),
        sizeTo: database.prepare(
          "SELECT sum(length(object) + length(previous)) AS size FROM events WHERE version <= ?",
        ),
        fill: database.prepare("INSERT OR REPLACE INTO facts VALUES ('probe', ?)"),
        mark: database.prepare("UPDATE facts SET value = ? WHERE name = 'trimmed'"),
      };
      const trimmed = String(database.prepare("SELECT value FROM facts WHERE name = 'trimmed'").get()?.value);
      if (!/^\d+$/.test(trimmed)) throw damaged(path, "how far changes are trimmed");
      this.#trimmed = Number(trimmed);
      this.#version = Number(
        database.prepare("SELECT max(version) AS version FROM events").get()?.version ?? this.#trimmed,
      );
      this.#bytes = Number(
        database.prepare("SELECT sum(length(object) + length(previous)) AS size FROM events").get()?.size ??
          0,
      );
    } catch (error) {
      if (error instanceof StoreError) throw error;
      if (codeOf(error) === DAMAGED || codeOf(error) === NO_DATABASE) throw damaged(path, messageOf(error));
      throw new StoreError(
        "LOCAL_API_STORE",
        `the local API cannot keep its objects in ${path}: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }

  /** The version of the latest change, of any kind. */
  get version(): number {
    return this.#version;
  }
  /** Changes up to this version are forgotten: a watch can resume from it, not from before it. */
  get trimmed(): number {
    return this.#trimmed;
  }

  /** Called after each change is stored, in the order of versions. */
  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(resource: string, key: string): string | undefined {
    const row = this.#statements.get.get(resource, key);
    return row === undefined ? undefined : this.#whole(resource, key, row);
  }

  /** The object in a row. Throws a `StoreError` where it is not what was written. */
  #whole(resource: string, key: string, row: Readonly<Record<string, unknown>>): string {
    const text = String(row.object);
    if (row.sum !== sumOf(resource, key, text))
      throw damaged(this.#path, `the object ${JSON.stringify(key)} of ${JSON.stringify(resource)}`);
    return text;
  }

  /** Stores what `write` makes of the new version; returns the event. */
  put(resource: string, key: string, write: (version: string) => string): StoredEvent {
    const version = this.#version + 1;
    const previousText = this.get(resource, key) ?? "";
    const type = previousText === "" ? "ADDED" : "MODIFIED";
    return this.#commit(
      new StoredEvent({
        resourceVersion: version,
        resource,
        key,
        type,
        text: write(String(version)),
        previousText,
      }),
    );
  }

  /** Changes how a stored object reads, without a new version: for defaults that a CRD has got since. */
  rewrite(resource: string, key: string, text: string): void {
    this.#statements.put.run(resource, key, text, sumOf(resource, key, text));
  }

  /** Removes an object that is there; `write` makes its last state. */
  remove(resource: string, key: string, write: (version: string) => string): StoredEvent {
    const version = this.#version + 1;
    const previousText = this.get(resource, key) ?? "";
    return this.#commit(
      new StoredEvent({
        resourceVersion: version,
        resource,
        key,
        type: "DELETED",
        text: write(String(version)),
        previousText,
      }),
    );
  }

  /** Up to `limit` objects whose keys begin with `prefix` and come after `after`. */
  list(resource: string, prefix: string, after = "", limit = -1): StoredObject[] {
    const rows = this.#statements.list.all(
      resource,
      after > prefix ? after : prefix,
      `${prefix}\u{10ffff}`,
      limit,
    );
    return rows.map((row) => {
      const key = String(row.key);
      return { key, text: this.#whole(resource, key, row) };
    });
  }

  /**
   * The objects after a key in order, as they are now or as they were at an earlier version that is not trimmed. Reads in
   * pieces, so that a caller may stop, and memory does not grow with the number of objects.
   */
  *scan(
    resource: string,
    prefix: string,
    after: string,
    version: number,
  ): Generator<StoredObject, void, void> {
    const then =
      version < this.#version
        ? this.#changedSince(resource, prefix, after, version)
        : new Map<string, string>();
    const earlier = [...then].filter(([, text]) => text !== "").sort(([a], [b]) => (a < b ? -1 : 1));
    let next = 0;
    let from = after;
    for (;;) {
      const piece = this.list(resource, prefix, from, pieceSize);
      for (const object of piece) {
        if (then.has(object.key)) continue;
        for (; next < earlier.length; next++) {
          const [key, text] = earlier[next] ?? ["", ""];
          if (key > object.key) break;
          yield { key, text };
        }
        yield object;
      }
      const last = piece.at(-1);
      if (last === undefined || piece.length < pieceSize) break;
      from = last.key;
    }
    for (const [key, text] of earlier.slice(next)) yield { key, text };
  }

  /** The former values of the keys that changed after a version; empty where none did. */
  #changedSince(resource: string, prefix: string, after: string, version: number): Map<string, string> {
    const then = new Map<string, string>();
    for (const event of this.since(resource, version)) {
      if (event.key > after && event.key.startsWith(prefix) && !then.has(event.key))
        then.set(event.key, event.previousText);
    }
    return then;
  }

  /** The changes of a resource after a version, oldest first. */
  since(resource: string, version: number): StoredEvent[] {
    return this.#statements.since.all(version, resource).map((row) => {
      if (row.sum !== sumOfEvent(row)) throw damaged(this.#path, `the change ${Number(row.version)}`);
      return new StoredEvent({
        resourceVersion: Number(row.version),
        resource: String(row.resource),
        key: String(row.key),
        type: String(row.type) as StoredEvent["type"],
        text: String(row.object),
        previousText: String(row.previous),
      });
    });
  }

  close(): void {
    this.#database.close();
  }

  /** The reason why the last change could not be stored; undefined where it was, or where it could be by now. */
  get failure(): StoreError | undefined {
    if (this.#failure !== undefined)
      try {
        this.#write(() => this.#statements.fill.run("-".repeat(probeSize)));
        this.#write(() => this.#statements.fill.run(""));
      } catch (error) {
        // This only asks: whoever wanted to write was told, and is told again.
        if (!(error instanceof StoreError)) throw error;
      }
    return this.#failure;
  }

  #commit(event: StoredEvent): StoredEvent {
    const { resourceVersion, resource, key, type, text, previousText } = event;
    const changed = [resourceVersion, resource, key, type, text, previousText] as const;
    this.#write(() => {
      if (type === "DELETED") this.#statements.drop.run(resource, key);
      else this.#statements.put.run(resource, key, text, sumOf(resource, key, text));
      this.#statements.event.run(...changed, sumOf(...changed.map(String)));
    });
    this.#version = resourceVersion;
    this.#bytes += text.length + previousText.length;
    this.#untilTrim--;
    if (this.#untilTrim <= 0 || this.#bytes > this.#window.bytes * 1.25) this.#trim();
    for (const listener of this.#listeners) listener(event);
    return event;
  }

  /** One transaction, whole or not at all. Throws a `StoreError`. */
  #write(change: () => void): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      change();
      this.#database.exec("COMMIT");
      this.#failure = undefined;
    } catch (error) {
      // SQLite itself rolls back where the disk is full.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      this.#failure = failureOf(this.#path, error);
      throw this.#failure;
    }
  }

  /** Trimming now and then costs less than at each change. */
  get #trimEvery(): number {
    return Math.max(1, Math.min(256, Math.floor(this.#window.events / 4)));
  }

  #trim(): void {
    this.#untilTrim = this.#trimEvery;
    let to = this.#version - this.#window.events;
    if (this.#bytes > this.#window.bytes) {
      let kept = this.#bytes;
      for (const row of this.#statements.sizes.iterate()) {
        if (kept <= this.#window.bytes) break;
        kept -= Number(row.size);
        to = Math.max(to, Number(row.version));
      }
    }
    if (to <= this.#trimmed) return;
    const size = Number(this.#statements.sizeTo.get(to)?.size ?? 0);
    try {
      this.#write(() => {
        this.#statements.trim.run(to);
        this.#statements.mark.run(String(to));
      });
    } catch (error) {
      // The change before it is stored and has to be told. What is not trimmed now is trimmed later; `failure` says why.
      if (!(error instanceof StoreError)) throw error;
      return;
    }
    this.#bytes -= size;
    this.#trimmed = to;
  }
}

/** Result codes of SQLite. */
const [DAMAGED, FULL, NO_DATABASE] = [11, 13, 26];
const codeOf = (error: unknown): unknown =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 255
    : undefined;

function failureOf(path: string, error: unknown): StoreError {
  const code = codeOf(error);
  if (code === DAMAGED || code === NO_DATABASE) return damaged(path, messageOf(error));
  if (code === FULL)
    return new StoreError(
      "LOCAL_API_STORE_FULL",
      `the local API cannot store anything: the disk that holds ${path} has no room left. Make some; it then goes on`,
      { cause: error },
    );
  return new StoreError(
    "LOCAL_API_STORE",
    `the local API cannot store anything in ${path}: ${messageOf(error)}`,
    { cause: error },
  );
}
