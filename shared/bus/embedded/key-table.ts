import type { WaitedObject } from "../contract.ts";
import type { Dead } from "../dead.ts";
import type { WorkKey } from "../item.ts";
import { freshKey, isForgettable, type KeyState, type Running } from "../key-state.ts";
import type { Waiting } from "../waiting.ts";
import type { Database } from "./database.ts";

interface KeyRow {
  readonly id: number;
  readonly function: string;
  readonly key: string;
  readonly seq: number;
  readonly attempts: number;
  readonly owner: number | null;
  readonly token: number | null;
  readonly waiting: string | null;
  readonly running: string | null;
  readonly dead: string | null;
  readonly waits: string | null;
  readonly deadlines: string | null;
  readonly net: number | null;
}

/** A key as it was loaded: its row's number (0 for none yet), its place in the lane, its state. */
export interface LoadedKey extends WorkKey {
  readonly id: number;
  readonly seq: number;
  readonly state: KeyState;
}

const parsed = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);
const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

const loaded = (row: KeyRow): LoadedKey => ({
  id: row.id,
  function: row.function,
  key: row.key,
  seq: row.seq,
  state: {
    attempts: row.attempts,
    waiting: parsed<Waiting>(row.waiting),
    running: parsed<Running>(row.running),
    dead: parsed<Dead>(row.dead),
    waits: parsed<readonly WaitedObject[]>(row.waits) ?? freshKey.waits,
    deadlines: parsed<Readonly<Record<string, string>>>(row.deadlines) ?? freshKey.deadlines,
    net: row.net ?? undefined,
  },
});

/** The standing of a waiting item; see the schema. */
export const standing = (state: KeyState, now: number): 0 | 1 | 2 | 3 => {
  if (state.waiting === undefined) return 0;
  if (state.running !== undefined) return 3;
  return state.waiting.notBefore > now ? 2 : 1;
};

const columns =
  "id, function, key, seq, attempts, owner, token, waiting, running, dead, waits, deadlines, net";

/** The table of keys: one row for each (F, K) that there is something to say about. All inside the caller's transaction. */
export function openKeyTable(database: Database) {
  const byKey = database.prepare(`SELECT ${columns} FROM keys WHERE function = ? AND key = ?`);
  const byId = database.prepare(`SELECT ${columns} FROM keys WHERE id = ?`);
  const ready = database.prepare(
    `SELECT ${columns} FROM keys WHERE state = 1 AND lane >= ? ORDER BY lane, seq LIMIT ?`,
  );
  const readyOf = database.prepare(
    `SELECT ${columns} FROM keys WHERE state = 1 AND lane >= ? AND function IN (SELECT value FROM json_each(?)) ORDER BY lane, seq LIMIT ?`,
  );
  const readyBut = database.prepare(
    `SELECT ${columns} FROM keys WHERE state = 1 AND lane >= ? AND (? IS NULL OR function IN (SELECT value FROM json_each(?))) AND function NOT IN (SELECT value FROM json_each(?)) ORDER BY lane, seq LIMIT ?`,
  );
  const ownedBy = database.prepare(`SELECT ${columns} FROM keys WHERE owner = ?`);
  const dead = database.prepare(`SELECT ${columns} FROM keys WHERE dead IS NOT NULL ORDER BY function, key`);
  const insert = database.prepare(
    "INSERT INTO keys (function, key, state, lane, seq, due, enqueued_at, attempts, owner, token, waiting, running, dead, waits, deadlines, net) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const update = database.prepare(
    "UPDATE keys SET state = ?, lane = ?, seq = ?, due = ?, enqueued_at = ?, attempts = ?, owner = ?, token = ?, waiting = ?, running = ?, dead = ?, waits = ?, deadlines = ?, net = ? WHERE id = ?",
  );
  const remove = database.prepare("DELETE FROM keys WHERE id = ?");
  const ripen = database.prepare("UPDATE keys SET state = 1 WHERE state = 2 AND due <= ?");
  const nextDue = database.prepare("SELECT min(due) AS due FROM keys WHERE state = 2");
  const lastSeq = database.prepare("SELECT max(seq) AS seq FROM keys");

  return {
    load: ({ function: name, key }: WorkKey): LoadedKey => {
      const row = byKey.get<KeyRow>(name, key);
      return row === undefined ? { id: 0, function: name, key, seq: 0, state: freshKey } : loaded(row);
    },
    find: (id: number): LoadedKey | undefined => {
      const row = byId.get<KeyRow>(id);
      return row === undefined ? undefined : loaded(row);
    },
    /**
     * The items that may be taken now: from lane 0 on those of both lanes, urgent ones first; first come first in each. Of
     * some functions only where they are given, and of none that is left alone.
     */
    ready: (
      lane: 0 | 1,
      limit: number,
      { wanted, left }: { readonly wanted: string | undefined; readonly left: string | undefined },
    ): readonly LoadedKey[] => {
      if (left !== undefined)
        return readyBut.all<KeyRow>(lane, wanted ?? null, wanted ?? null, left, limit).map(loaded);
      return (
        wanted === undefined ? ready.all<KeyRow>(lane, limit) : readyOf.all<KeyRow>(lane, wanted, limit)
      ).map(loaded);
    },
    ownedBy: (owner: number): readonly LoadedKey[] => ownedBy.all<KeyRow>(owner).map(loaded),
    dead: (): readonly LoadedKey[] => dead.all<KeyRow>().map(loaded),
    /** Writes a key's new state; a key that nothing is left of is forgotten. Returns its row's number, 0 where there is none. */
    save: (key: LoadedKey, state: KeyState, seq: number, now: number): number => {
      if (isForgettable(state)) {
        if (key.id !== 0) remove.run(key.id);
        return 0;
      }
      const { waiting, running } = state;
      const values = [
        standing(state, now),
        waiting?.lane === "sweep" ? 1 : 0,
        seq,
        waiting?.notBefore ?? 0,
        waiting?.enqueuedAt ?? null,
        state.attempts,
        running?.owner ?? null,
        running?.token ?? null,
        text(waiting),
        text(running),
        text(state.dead),
        state.waits.length === 0 ? null : text(state.waits),
        Object.keys(state.deadlines).length === 0 ? null : text(state.deadlines),
        state.net ?? null,
      ] as const;
      if (key.id === 0) return insert.run(key.function, key.key, ...values).id;
      update.run(...values, key.id);
      return key.id;
    },
    /** Delayed items whose time has come are ready. Returns how many. */
    ripen: (now: number): number => ripen.run(now).changes,
    nextDue: (): number | undefined => nextDue.get<{ readonly due: number | null }>()?.due ?? undefined,
    lastSeq: (): number => lastSeq.get<{ readonly seq: number | null }>()?.seq ?? 0,
  };
}
export type KeyTable = ReturnType<typeof openKeyTable>;
