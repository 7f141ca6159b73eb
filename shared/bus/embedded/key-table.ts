import type { WaitedObject } from "../contract.ts";
import type { Dead } from "../dead.ts";
import type { WorkKey } from "../item.ts";
import { freshKey, isForgettable, type KeyState, type Running } from "../key-state.ts";
import type { Waiting } from "../waiting.ts";
import type { Database } from "./database.ts";

interface KeyRow {
  readonly function: string;
  readonly key: string;
  readonly seq: number;
  readonly attempts: number;
  readonly waiting: string | null;
  readonly running: string | null;
  readonly dead: string | null;
  readonly waits: string | null;
  readonly deadlines: string | null;
  readonly net: number | null;
}

/** A key with its place in the lane and its state. */
export interface LoadedKey extends WorkKey {
  readonly seq: number;
  readonly state: KeyState;
}

const parsed = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);
const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

const loaded = (row: KeyRow): LoadedKey => ({
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

const columns = "function, key, seq, attempts, waiting, running, dead, waits, deadlines, net";

/** The table of keys at rest: one row for each (F, K) that there is something to say about. Written behind what memory knows. */
export function openKeyTable(database: Database) {
  const byKey = database.prepare(`SELECT ${columns} FROM keys WHERE function = ? AND key = ?`);
  const active = database.prepare(
    `SELECT ${columns} FROM keys WHERE waiting IS NOT NULL OR running IS NOT NULL ORDER BY seq`,
  );
  const waits = database.prepare("SELECT function, key, waits FROM keys WHERE waits IS NOT NULL");
  const dead = database.prepare(`SELECT ${columns} FROM keys WHERE dead IS NOT NULL ORDER BY function, key`);
  const save = database.prepare(
    `INSERT INTO keys (function, key, state, lane, seq, due, enqueued_at, attempts, owner, token, waiting, running, dead, waits, deadlines, net)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (function, key) DO UPDATE SET state = excluded.state, lane = excluded.lane, seq = excluded.seq, due = excluded.due,
       enqueued_at = excluded.enqueued_at, attempts = excluded.attempts, owner = excluded.owner, token = excluded.token,
       waiting = excluded.waiting, running = excluded.running, dead = excluded.dead, waits = excluded.waits,
       deadlines = excluded.deadlines, net = excluded.net`,
  );
  const remove = database.prepare("DELETE FROM keys WHERE function = ? AND key = ?");
  const lastSeq = database.prepare("SELECT max(seq) AS seq FROM keys");

  return {
    load: ({ function: name, key }: WorkKey): LoadedKey | undefined => {
      const row = byKey.get<KeyRow>(name, key);
      return row && loaded(row);
    },
    /** The keys of which something waits or runs. */
    active: (): readonly LoadedKey[] => active.all<KeyRow>().map(loaded),
    /** The keys that wait for objects, with these. */
    waiting: (): readonly (WorkKey & { readonly waits: readonly WaitedObject[] })[] =>
      waits
        .all<WorkKey & { readonly waits: string }>()
        .map((row) => ({ ...row, waits: JSON.parse(row.waits) as readonly WaitedObject[] })),
    dead: (): readonly LoadedKey[] => dead.all<KeyRow>().map(loaded),
    /** Writes a key's state; a key that nothing is left of is forgotten. */
    save: ({ function: name, key, seq, state }: LoadedKey, now: number): void => {
      if (isForgettable(state)) {
        remove.run(name, key);
        return;
      }
      const { waiting, running } = state;
      save.run(
        name,
        key,
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
      );
    },
    lastSeq: (): number => lastSeq.get<{ readonly seq: number | null }>()?.seq ?? 0,
  };
}
export type KeyTable = ReturnType<typeof openKeyTable>;
