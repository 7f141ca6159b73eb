import type { DeadLetter, RefusedEvent } from "../contract.ts";
import { KEPT_CHARACTERS, MOST_REFUSED, REFUSED, REFUSED_DAYS } from "../refused.ts";
import type { Database } from "./database.ts";

const DAY = 24 * 3_600_000;

/** A refused event as it is kept. */
export interface Letter {
  readonly id: string;
  readonly issues: string;
  readonly event: string;
  readonly at: number;
}

export const letterOf = ({ id, issues }: RefusedEvent, event: string, at: number): Letter => ({
  id,
  issues: issues.join("; "),
  event: event.slice(0, KEPT_CHARACTERS),
  at,
});

const deadLetterOf = ({ id, issues, event, at }: Letter): DeadLetter => ({
  function: REFUSED,
  key: id,
  error: { code: "EVENT_REFUSED", message: issues },
  attempts: 0,
  causes: [id],
  at: new Date(at).toISOString(),
  event,
});

/** Events that were refused, as dead letters. They rest in the file; what changed since it was written last stands before it. */
export function openRefusedTable(database: Database) {
  const add = database.prepare("INSERT OR REPLACE INTO refused (id, issues, event, at) VALUES (?, ?, ?, ?)");
  const trim = database.prepare(
    `DELETE FROM refused WHERE at < ? OR id IN (SELECT id FROM refused ORDER BY at DESC, id LIMIT -1 OFFSET ${MOST_REFUSED})`,
  );
  const list = database.prepare("SELECT id, issues, event, at FROM refused ORDER BY at, id");
  const find = database.prepare("SELECT id, issues, event, at FROM refused WHERE id = ?");
  const drop = database.prepare("DELETE FROM refused WHERE id = ?");
  const ids = database.prepare("SELECT id FROM refused");
  const changed = new Map<string, Letter | undefined>();
  const letter = (id: string): Letter | undefined =>
    changed.has(id) ? changed.get(id) : find.get<Letter>(id);

  return {
    /** It stands from now on; undefined: it is dropped. */
    change: (id: string, to: Letter | undefined): void => {
      changed.set(id, to);
    },
    list: (): readonly DeadLetter[] => {
      const letters: Letter[] = list.all<Letter>().filter(({ id }) => !changed.has(id));
      for (const one of changed.values()) if (one !== undefined) letters.push(one);
      return letters
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
        .slice(-MOST_REFUSED)
        .map(deadLetterOf);
    },
    show: (id: string): DeadLetter | undefined => {
      const found = letter(id);
      return found && deadLetterOf(found);
    },
    has: (id: string): boolean => letter(id) !== undefined,
    count: (): number => {
      const all = new Set(ids.all<{ readonly id: string }>().map(({ id }) => id));
      for (const [id, one] of changed)
        if (one === undefined) all.delete(id);
        else all.add(id);
      return Math.min(all.size, MOST_REFUSED);
    },
    get isBehind(): boolean {
      return changed.size > 0;
    },
    /** Writes what changed, and what a transaction changes, in the caller's transaction. @returns call it once that is committed */
    write: (inTransaction: ReadonlyMap<string, Letter | undefined>, now: number): (() => void) => {
      const all = new Map([...changed, ...inTransaction]);
      for (const [id, one] of all)
        if (one === undefined) drop.run(id);
        else add.run(one.id, one.issues, one.event, one.at);
      if (all.size > 0) trim.run(now - REFUSED_DAYS * DAY);
      return () => changed.clear();
    },
  };
}
export type RefusedTable = ReturnType<typeof openRefusedTable>;
