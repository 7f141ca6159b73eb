import type { Database } from "./database.ts";

/** A timer of a key: a deadline by its name, or its net. */
export interface Timer {
  /** A newer timer of the same name has a higher number. */
  readonly number: number;
  readonly keyId: number;
  readonly sort: "deadline" | "net";
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly due: number;
  readonly traceparent: string | undefined;
}

interface TimerRow {
  readonly number: number;
  readonly key_id: number;
  readonly sort: "deadline" | "net";
  readonly name: string;
  readonly due: number;
  readonly traceparent: string | null;
}

/** The table of timers (B7): any time ahead, one for each key, sort and name. Inside the caller's transaction. */
export function openTimerTable(database: Database) {
  const set = database.prepare(
    "INSERT OR REPLACE INTO timers (key_id, sort, name, due, traceparent) VALUES (?, ?, ?, ?, ?)",
  );
  const clear = database.prepare("DELETE FROM timers WHERE key_id = ? AND sort = ? AND name = ?");
  const fired = database.prepare("DELETE FROM timers WHERE number = ?");
  const due = database.prepare(
    "SELECT number, key_id, sort, name, due, traceparent FROM timers WHERE due <= ? ORDER BY due, number LIMIT ?",
  );
  const next = database.prepare("SELECT min(due) AS due FROM timers");
  return {
    set: (
      keyId: number,
      sort: Timer["sort"],
      name: string,
      at: number,
      traceparent: string | undefined,
    ): void => {
      set.run(keyId, sort, name, at, traceparent ?? null);
    },
    clear: (keyId: number, sort: Timer["sort"], name: string): void => {
      clear.run(keyId, sort, name);
    },
    /** Deletes this number only: a timer that was set anew in between stays. */
    delete: (number: number): void => {
      fired.run(number);
    },
    due: (now: number, limit: number): readonly Timer[] =>
      due.all<TimerRow>(now, limit).map(({ key_id: keyId, traceparent, ...row }) => ({
        ...row,
        keyId,
        traceparent: traceparent ?? undefined,
      })),
    next: (): number | undefined => next.get<{ readonly due: number | null }>()?.due ?? undefined,
  };
}
export type TimerTable = ReturnType<typeof openTimerTable>;
