import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Log } from "../../shared/log/log.ts";
import { ledgerError } from "./errors.ts";
import { type KeepsLines, type KeptLine, KeptLines } from "./kept-lines.ts";
import { type LedgerOrigin, moveAside, openLedgerFile } from "./ledger-file.ts";
import {
  applyChange,
  type LedgerChange,
  type LedgerRow,
  type Position,
  prepare,
  rowOf,
  type Sql,
  type Statements,
} from "./ledger-lines.ts";
import type { Sighting } from "./sighting.ts";

/** The number of rows that are kept in memory too. */
const RECENT = 500;
/** The most changes that wait for the file: half of the rows that memory knows anyway. */
const MOST_BEHIND = RECENT / 2;
/** The time for which a change may be known to this process alone. Whoever dies meanwhile publishes it once more. */
const BEHIND_MILLISECONDS = 100;
/** The time for which a change may be missing in the file that is durable with its events. */
const KEPT_MILLISECONDS = 1_000;
/** The pause before what the file refused is written again. */
const AGAIN_MILLISECONDS = 1_000;

const placeOf = (stream: number, namespace: string, name: string): string => `${stream}/${namespace}/${name}`;

/** The name of what a change is about: of two about the same only the later one counts. */
function aboutOf(change: LedgerChange): string {
  if (change.do === "position") return `position ${change.stream}`;
  const { namespace, name } = "sighting" in change ? change.sighting : change;
  return placeOf(change.stream, namespace, name);
}

const uidOf = (change: LedgerChange): string | undefined =>
  change.do === "position" ? undefined : "sighting" in change ? change.sighting.uid : change.uid;

export interface LedgerContext {
  readonly clock: Clock;
  readonly log: Log;
  /** The bus that the events go to. Where it remembers, changes are durable with their events, and the file follows later. */
  readonly keptWith?: KeepsLines | undefined;
}

/** The watcher's memory of what it published. Every method throws `LedgerError`. */
export class Ledger {
  readonly file: string;
  /** The ledger's origin. */
  readonly origin: LedgerOrigin;
  readonly #database: DatabaseSync;
  readonly #sql: Statements;
  /** The rows that were written last, the one written longest ago first: the same objects mostly change again. */
  readonly #recent = new Map<string, LedgerRow>();
  /** The changes that are not in the file yet, by what they are about. */
  readonly #behind = new Map<string, LedgerChange>();
  readonly #kept: KeptLines | undefined;
  readonly #leave: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  #behindSince = 0;
  #cancel: (() => void) | undefined;
  #isRefused = false;
  #era = 0;

  /** Opens the file for one cluster. One that belongs to another cluster, or cannot be read, is moved aside. */
  constructor(file: string, cluster: string, context: LedgerContext) {
    this.file = file;
    this.#clock = context.clock;
    this.#log = context.log;
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
      this.#era = Number(this.#meta("era") ?? 0);
      // A rebuilt ledger that dies before all is published once more must not look like a new one.
      if (opened.origin === "rebuilt") this.#sql.setMeta.run("rebuilt", "yes");
    });
    const { keptWith } = context;
    if (keptWith?.remember === undefined) return;
    try {
      const id = this.#meta("id") ?? randomUUID();
      this.#do(() => this.#sql.setMeta.run("id", id));
      const kept = new KeptLines(cluster, id, Number(this.#meta("lines") ?? 0));
      this.#kept = kept;
      this.#leave = keptWith.remember(cluster, {
        takeUp: (lines) => this.#write(kept.takeUp(lines, this.#era)),
        settle: () => this.#settle(kept),
      });
    } catch (thrown) {
      // Else it could not be opened again.
      opened.database.close();
      throw thrown;
    }
  }

  /** Counts the times that the server went back to an older state. */
  get era(): number {
    return this.#era;
  }

  /** Begins another era: no position of before means anything. */
  beginEra(era: number): void {
    this.flush();
    this.#transaction(() => {
      this.#sql.setMeta.run("era", String(era));
      this.#sql.forgetPositions.run();
    });
    this.#era = era;
  }

  /** True until all that a lost ledger had known is published once more. */
  get isRebuilt(): boolean {
    return this.#meta("rebuilt") !== undefined;
  }

  /** Others published before, and this ledger knows nothing of it: it is as good as one that was lost. */
  beginRebuild(): void {
    this.#do(() => this.#sql.setMeta.run("rebuilt", "yes"));
  }

  /** All is published once: from now on the ledger is as good as the one that was lost. */
  endRebuild(): void {
    this.flush();
    this.#do(() => this.#sql.unsetMeta.run("rebuilt"));
  }

  /** The number of a stream, for the other methods. */
  stream(key: string): number {
    return this.#do(() => (this.#sql.addStream.get(key) as { id: number }).id);
  }

  /** Forgets the objects and positions of all other streams. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.flush();
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
    const behind = this.#behind.get(`position ${stream}`);
    if (behind?.do === "position") return behind.position;
    const found = this.#do(() => this.#sql.position.get(stream)) as Sql | undefined;
    if (found === undefined) return undefined;
    return { resourceVersion: String(found.version), entry: String(found.entry) };
  }

  row(stream: number, namespace: string, name: string): LedgerRow | undefined {
    const recent = this.#recent.get(placeOf(stream, namespace, name));
    if (recent !== undefined) return recent;
    if (this.#behind.has(placeOf(stream, namespace, name))) this.flush();
    const found = this.#do(() => this.#sql.row.get(stream, namespace, name)) as Sql | undefined;
    return found === undefined ? undefined : rowOf(found);
  }

  /** The number of known objects of a stream. */
  count(stream: number): number {
    this.flush();
    return this.#do(() => (this.#sql.count.get(stream) as { count: number }).count);
  }

  /** Begins a compare: nothing is listed yet. */
  beginCompare(stream: number): void {
    this.flush();
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
    this.flush();
    return this.#do(() => this.#sql.unlisted.all(stream, after.namespace, after.name, limit) as Sql[]).map(
      rowOf,
    );
  }

  /** New objects whose telling was on its way and never confirmed. */
  announced(stream: number): Sighting[] {
    this.flush();
    const found = this.#do(() => this.#sql.announced.all(stream)) as { sighting: string }[];
    return found.map(({ sighting }) => JSON.parse(sighting) as Sighting);
  }

  /**
   * The line of changes that are to be durable with their events: publish it with them, then commit them. Undefined where the bus keeps
   * none; then what is new is to be announced before.
   */
  line(changes: () => readonly LedgerChange[]): KeptLine | undefined {
    if (this.#kept === undefined) return undefined;
    if (this.#isRefused) this.flush();
    return this.#kept.line(changes(), this.#era);
  }

  /**
   * All or nothing. At once where it must be known before anything is told of it; else behind, together with what comes after: what is
   * lost with the process is published again. Once the file has refused, it must take what was left before it is given more.
   * @param line the line that was durable with the events
   */
  commit(changes: readonly LedgerChange[], line?: KeptLine): void {
    const isUrgent =
      this.#isRefused || changes.some((change) => change.do === "listed" || change.do === "announce");
    if (!isUrgent && changes.some((change) => this.#contradicts(change))) this.flush();
    // Only now: what is flushed before does not hold what the line tells.
    if (line !== undefined) this.#kept?.told(line);
    if (changes.length === 0) return;
    if (isUrgent) this.#write(changes);
    else this.#learn(changes, new Set(line?.line.changes));
    for (const change of changes) this.#remember(change);
    if (this.#behind.size > MOST_BEHIND) this.flush();
    else if (this.#behind.size > 0) this.#later(this.#dueIn());
  }

  /** Writes what is not in the file yet. */
  flush(): void {
    this.#write([]);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#database.isOpen) return;
    try {
      this.flush();
      // Else the bus keeps what the file refused.
      this.#leave?.();
    } finally {
      this.#database.close();
    }
  }

  /** Ends as the death of the process would: what is not in the file yet is lost. For tests. */
  abandon(): void {
    this.#behind.clear();
    this.close();
  }

  #learn(changes: readonly LedgerChange[], kept: ReadonlySet<LedgerChange>): void {
    const now = this.#clock.now();
    if (this.#behind.size === 0) this.#behindSince = now;
    for (const change of changes) {
      const about = aboutOf(change);
      this.#behind.set(about, change);
      // From an older position the same is read again, and found published.
      if (change.do !== "position" && !kept.has(change)) this.#kept?.untold(about, change, now);
    }
  }

  /** The time until what is behind is looked at again, or must be in the file: in milliseconds, 0 where it is due. */
  #dueIn(): number {
    const due =
      this.#kept === undefined
        ? this.#behindSince + BEHIND_MILLISECONDS
        : Math.min(this.#behindSince + KEPT_MILLISECONDS, this.#kept.untoldSince + BEHIND_MILLISECONDS);
    return Math.max(0, Math.min(due - this.#clock.now(), BEHIND_MILLISECONDS));
  }

  #settle(kept: KeptLines): unknown {
    try {
      this.flush();
      return undefined;
    } catch (thrown) {
      this.#log.debug({ file: this.file, error: messageOf(thrown) }, "The ledger's file does not follow");
      return kept.rest([...this.#behind.values()], this.#era);
    }
  }

  /** True where what is behind about the same is of another sort or object: then the order counts. */
  #contradicts(change: LedgerChange): boolean {
    const before = this.#behind.get(aboutOf(change));
    return before !== undefined && (before.do !== change.do || uidOf(before) !== uidOf(change));
  }

  #write(more: readonly LedgerChange[]): void {
    if (this.#behind.size === 0 && more.length === 0) return;
    try {
      this.#transaction(() => {
        for (const change of this.#behind.values()) applyChange(this.#sql, change);
        for (const change of more) applyChange(this.#sql, change);
        if (this.#kept !== undefined) this.#sql.setMeta.run("lines", String(this.#kept.number));
      });
    } catch (thrown) {
      this.#isRefused = true;
      throw thrown;
    }
    this.#isRefused = false;
    this.#behind.clear();
    this.#kept?.clear();
  }

  #later(milliseconds: number): void {
    this.#cancel ??= this.#clock.after(milliseconds, () => {
      this.#cancel = undefined;
      const dueIn = this.#behind.size === 0 ? 0 : this.#dueIn();
      if (dueIn > 0) return this.#later(dueIn);
      try {
        this.flush();
      } catch (thrown) {
        // Nothing is lost, and the next commit says it to whoever publishes.
        this.#log.error({ file: this.file, error: messageOf(thrown) }, "The ledger cannot be written");
        this.#later(AGAIN_MILLISECONDS);
      }
    });
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

  #meta(name: string): string | undefined {
    return this.#do(() => this.#sql.meta.get(name) as { value: string } | undefined)?.value;
  }

  #do<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw ledgerError(this.file, error);
    }
  }
}
