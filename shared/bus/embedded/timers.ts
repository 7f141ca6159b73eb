import type { WorkKey } from "../item.ts";
import { keyName } from "../key-name.ts";
import type { Database } from "./database.ts";

/** A timer of a key: a deadline by its name, or its net. */
export interface Timer extends WorkKey {
  /** A newer timer of the same name has a higher number. */
  readonly number: number;
  readonly sort: "deadline" | "net";
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly due: number;
  readonly traceparent?: string | undefined;
}

/** A timer as it is now; cleared where it is due never. */
export type TimerChange = Omit<Timer, "due" | "number"> &
  (
    | { readonly due: number; readonly number: number }
    | { readonly due?: undefined; readonly number?: undefined }
  );

/** One text for a timer. */
export const timerName = (timer: Pick<Timer, "function" | "key" | "sort" | "name">): string =>
  `${keyName(timer)}\n${timer.sort}\n${timer.name}`;

interface TimerRow extends Omit<Timer, "traceparent"> {
  readonly traceparent: string | null;
}

/** The most timers that fire in one transaction. */
const FIRE_AT_ONCE = 500;

/**
 * The timers (B7): any time ahead, one for each key, sort and name. They rest in the file; what changed since it was written last
 * stands before it.
 */
export function openTimers(database: Database) {
  const set = database.prepare(
    "INSERT OR REPLACE INTO timers (function, key, sort, name, due, number, traceparent) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const clear = database.prepare(
    "DELETE FROM timers WHERE function = ? AND key = ? AND sort = ? AND name = ?",
  );
  const due = database.prepare(
    "SELECT function, key, sort, name, due, number, traceparent FROM timers WHERE due <= ? ORDER BY due, number LIMIT ?",
  );
  const next = database.prepare("SELECT min(due) AS due FROM timers");
  const nextAfter = database.prepare("SELECT min(due) AS due FROM timers WHERE due > ?");
  const last = database.prepare("SELECT max(number) AS number FROM timers");
  const changed = new Map<string, TimerChange>();
  type Due = { readonly due: number | null };
  const nextInFile = (): number => next.get<Due>()?.due ?? Number.POSITIVE_INFINITY;
  let restingNext = nextInFile();
  let changedNext = Number.POSITIVE_INFINITY;

  return {
    /** It stands from now on. */
    change: (timer: TimerChange): void => {
      changed.set(timerName(timer), timer);
      if (timer.due !== undefined) changedNext = Math.min(changedNext, timer.due);
    },
    /** The timers that are due, the earliest first; some hundreds at once. Whoever asks fires them, or asks again. */
    due: (now: number, inTransaction: ReadonlyMap<string, TimerChange>): readonly Timer[] => {
      const isOverruled = (timer: Timer): boolean =>
        changed.has(timerName(timer)) || inTransaction.has(timerName(timer));
      const most = FIRE_AT_ONCE + changed.size + inTransaction.size;
      const rows = due.all<TimerRow>(now, most);
      const resting = rows
        .map(({ traceparent, ...row }): Timer => ({ ...row, traceparent: traceparent ?? undefined }))
        .filter((timer) => !isOverruled(timer));
      const recent: Timer[] = [];
      changedNext = Number.POSITIVE_INFINITY;
      for (const timer of changed.values()) {
        if (timer.due === undefined || inTransaction.has(timerName(timer))) continue;
        if (timer.due <= now) recent.push(timer);
        else changedNext = Math.min(changedNext, timer.due);
      }
      const some = resting.length + recent.length > FIRE_AT_ONCE || rows.length === most;
      restingNext = some ? now : (nextAfter.get<Due>(now)?.due ?? Number.POSITIVE_INFINITY);
      return [...resting, ...recent]
        .sort((a, b) => a.due - b.due || a.number - b.number)
        .slice(0, FIRE_AT_ONCE);
    },
    /** The time at which one may be due next: never later than one is. */
    next: (): number => Math.min(restingNext, changedNext),
    lastNumber: (): number => last.get<{ readonly number: number | null }>()?.number ?? 0,
    /** Writes what changed, and what a transaction changes, in the caller's transaction. @returns call it once that is committed */
    write: (inTransaction: ReadonlyMap<string, TimerChange>): (() => void) => {
      for (const timer of new Map([...changed, ...inTransaction]).values())
        if (timer.due === undefined) clear.run(timer.function, timer.key, timer.sort, timer.name);
        else
          set.run(
            timer.function,
            timer.key,
            timer.sort,
            timer.name,
            timer.due,
            timer.number,
            timer.traceparent ?? null,
          );
      return () => {
        changed.clear();
        changedNext = Number.POSITIVE_INFINITY;
        restingNext = nextInFile();
      };
    },
    get isBehind(): boolean {
      return changed.size > 0;
    },
  };
}
export type Timers = ReturnType<typeof openTimers>;
