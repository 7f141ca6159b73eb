import type { DeadLetter, RefusedEvent } from "../contract.ts";
import { KEPT_CHARACTERS, MOST_REFUSED, REFUSED, REFUSED_DAYS } from "../refused.ts";
import type { Database } from "./database.ts";

const DAY = 24 * 3_600_000;

interface RefusedRow {
  readonly id: string;
  readonly issues: string;
  readonly event: string;
  readonly at: number;
}

const letterOf = (row: RefusedRow): DeadLetter => ({
  function: REFUSED,
  key: row.id,
  error: { code: "EVENT_REFUSED", message: row.issues },
  attempts: 0,
  causes: [row.id],
  at: new Date(row.at).toISOString(),
  event: row.event,
});

/** Events that were refused, as dead letters. */
export function openRefusedTable(database: Database) {
  const add = database.prepare("INSERT OR REPLACE INTO refused (id, issues, event, at) VALUES (?, ?, ?, ?)");
  const trim = database.prepare(
    `DELETE FROM refused WHERE at < ? OR id IN (SELECT id FROM refused ORDER BY at DESC, id LIMIT -1 OFFSET ${MOST_REFUSED})`,
  );
  const list = database.prepare("SELECT id, issues, event, at FROM refused ORDER BY at, id");
  const show = database.prepare("SELECT id, issues, event, at FROM refused WHERE id = ?");
  const drop = database.prepare("DELETE FROM refused WHERE id = ?");
  const count = database.prepare("SELECT count(*) AS count FROM refused");
  return {
    add: ({ id, issues }: RefusedEvent, event: string, now: number): void => {
      add.run(id, issues.join("; "), event.slice(0, KEPT_CHARACTERS), now);
      trim.run(now - REFUSED_DAYS * DAY);
    },
    list: (): readonly DeadLetter[] => list.all<RefusedRow>().map(letterOf),
    show: (id: string): DeadLetter | undefined => {
      const row = show.get<RefusedRow>(id);
      return row === undefined ? undefined : letterOf(row);
    },
    drop: (id: string): boolean => drop.run(id).changes > 0,
    count: (): number => count.get<{ readonly count: number }>()?.count ?? 0,
  };
}
export type RefusedTable = ReturnType<typeof openRefusedTable>;
