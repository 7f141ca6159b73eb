import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { BusError } from "../errors.ts";
import { applySchema } from "./schema.ts";
import { translated } from "./sqlite-error.ts";

/** Called before and after each statement that reaches SQLite. Tests die there. */
export type StatementHook = (sql: string, when: "before" | "after") => void;

export interface Statement {
  run(...values: SQLInputValue[]): { readonly changes: number; readonly id: number };
  get<Row>(...values: SQLInputValue[]): Row | undefined;
  all<Row>(...values: SQLInputValue[]): readonly Row[];
}

const BUSY_MILLISECONDS = 5_000;

/** One connection. Its statements are prepared once and kept; its errors are `BusError`s that say what to do. */
export class Database {
  readonly #file: string;
  readonly #db: DatabaseSync;
  readonly #hook: StatementHook | undefined;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #version: Statement;
  readonly #quickCheck: Statement;

  constructor(
    file: string,
    options: {
      readonly powerCutSafe: boolean;
      readonly hook?: StatementHook | undefined;
      readonly maximumBytes?: number | undefined;
    },
  ) {
    this.#file = file;
    this.#hook = options.hook;
    try {
      this.#db = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS });
    } catch (thrown) {
      throw translated(thrown, file);
    }
    try {
      applySchema(this.#db, file);
      this.#db.exec(`PRAGMA synchronous = ${options.powerCutSafe ? "FULL" : "NORMAL"}`);
      if (options.maximumBytes !== undefined)
        this.#db.exec(`PRAGMA max_page_count = ${pagesOf(this.#db, options.maximumBytes)}`);
    } catch (thrown) {
      this.#db.close();
      throw thrown instanceof BusError ? thrown : translated(thrown, file);
    }
    this.#begin = this.prepare("BEGIN IMMEDIATE");
    this.#commit = this.prepare("COMMIT");
    this.#rollback = this.prepare("ROLLBACK");
    this.#version = this.prepare("PRAGMA data_version");
    this.#quickCheck = this.prepare("PRAGMA quick_check(1)");
  }

  get file(): string {
    return this.#file;
  }

  get inMemory(): boolean {
    return this.#file === ":memory:";
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  prepare(sql: string): Statement {
    const statement = this.#db.prepare(sql);
    return {
      run: (...values) => {
        const result = this.#guarded(sql, () => statement.run(...values));
        return { changes: Number(result.changes), id: Number(result.lastInsertRowid) };
      },
      get: <Row>(...values: SQLInputValue[]) => this.#guarded(sql, () => rowOf<Row>(statement, values)),
      all: <Row>(...values: SQLInputValue[]) =>
        this.#guarded(sql, () => statement.all(...values) as unknown as readonly Row[]),
    };
  }

  /** All of `body` or nothing. */
  transaction<T>(body: () => T): T {
    this.#begin.run();
    try {
      const result = body();
      this.#commit.run();
      return result;
    } catch (thrown) {
      // A full disk makes SQLite roll back by itself.
      if (this.#db.isOpen && this.#db.isTransaction) this.#rollback.run();
      throw thrown;
    }
  }

  /** Looks at the whole file, which takes its time. @throws BusError `BUS_CORRUPT` */
  quickCheck(): void {
    const found = this.#quickCheck.get<{ readonly quick_check: string }>()?.quick_check;
    if (found !== "ok")
      throw new BusError(
        "BUS_CORRUPT",
        `${this.#file} is damaged (${found}); move it away and start again: every key is resynced.`,
      );
  }

  /** A number that changes when another connection has written. */
  dataVersion(): number {
    return this.#version.get<{ readonly data_version: number }>()?.data_version ?? 0;
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #guarded<T>(sql: string, body: () => T): T {
    if (!this.#db.isOpen) throw new BusError("BUS_CLOSED", `The bus ${this.#file} is closed; open it again.`);
    this.#hook?.(sql, "before");
    let result: T;
    try {
      result = body();
    } catch (thrown) {
      throw translated(thrown, this.#file);
    }
    this.#hook?.(sql, "after");
    return result;
  }
}

const rowOf = <Row>(statement: StatementSync, values: SQLInputValue[]): Row | undefined =>
  statement.get(...values) as unknown as Row | undefined;

const pagesOf = (db: DatabaseSync, bytes: number): number =>
  Math.max(1, Math.floor(bytes / Number(db.prepare("PRAGMA page_size").get()?.page_size ?? 4096)));
