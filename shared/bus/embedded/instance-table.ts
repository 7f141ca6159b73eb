import type { Database } from "./database.ts";
import { type Identity, isGone } from "./identity.ts";

interface InstanceRow {
  readonly id: number;
  readonly identity: string;
  readonly until: number;
}

/**
 * The processes that consume. A lease belongs to its instance, so one write renews all of them. Inside the caller's
 * transaction.
 */
export function openInstanceTable(database: Database) {
  const add = database.prepare("INSERT INTO instances (identity, until) VALUES (?, ?)");
  const renew = database.prepare("UPDATE instances SET until = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM instances WHERE id = ?");
  const others = database.prepare("SELECT id, identity, until FROM instances WHERE id <> ?");
  const orphans = database.prepare(
    "SELECT DISTINCT owner FROM keys WHERE owner IS NOT NULL AND owner NOT IN (SELECT id FROM instances)",
  );
  const next = database.prepare("SELECT min(until) AS until FROM instances WHERE id <> ?");
  return {
    add: (identity: Identity, until: number): number => add.run(JSON.stringify(identity), until).id,
    /** False where somebody has given back what this instance held. */
    renew: (id: number, until: number): boolean => renew.run(until, id).changes > 0,
    remove: (id: number): void => {
      remove.run(id);
    },
    /** The processes that are certainly gone, or whose lease is over, or which left without giving back. */
    expired: (self: number, identity: Identity, now: number): readonly number[] => [
      ...others
        .all<InstanceRow>(self)
        .filter((row) => row.until <= now || isGone(identity, JSON.parse(row.identity) as Identity))
        .map((row) => row.id),
      ...orphans.all<{ readonly owner: number }>().map((row) => row.owner),
    ],
    /** The time at which the first of the others' leases is over. */
    nextExpiry: (self: number): number | undefined =>
      next.get<{ readonly until: number | null }>(self)?.until ?? undefined,
  };
}
export type InstanceTable = ReturnType<typeof openInstanceTable>;
