import type { FunctionCounts } from "../contract.ts";
import { noCounts } from "../counts-of.ts";
import { REFUSED } from "../refused.ts";
import type { Database } from "./database.ts";

interface CountRow extends Omit<FunctionCounts, "oldest"> {
  readonly function: string;
  readonly since: number | null;
}

/** Counts by function. A retry that backs off counts as retrying, an item whose wakes are spread as waiting. */
export function openCounts(
  database: Database,
): (now: number, refused: number) => Readonly<Record<string, FunctionCounts>> {
  const query = database.prepare(`
    SELECT function,
      sum(state IN (1, 3) OR (state = 2 AND (attempts = 0 OR due <= ?1))) AS waiting,
      sum(owner IS NOT NULL) AS running,
      sum(state = 2 AND attempts > 0 AND due > ?1) AS retrying,
      sum(dead IS NOT NULL) AS dead,
      sum(waits IS NOT NULL) AS parked,
      sum(waiting IS NOT NULL AND json_extract(waiting, '$.behind') IS NOT NULL) AS away,
      sum((SELECT count(*) FROM timers WHERE function = keys.function AND key = keys.key AND sort = 'deadline')) AS deadlines,
      min(CASE WHEN state IN (1, 3) OR (state = 2 AND due <= ?1) THEN enqueued_at END) AS since
    FROM keys GROUP BY function ORDER BY function`);
  return (now, refused) => {
    const counts = query
      .all<CountRow>(now)
      .map(({ function: name, since, ...row }): [string, FunctionCounts] => [
        name,
        { ...row, oldest: since === null ? 0 : Math.max(0, now - since) },
      ]);
    const none: FunctionCounts = { ...noCounts, dead: refused };
    return Object.fromEntries(refused === 0 ? counts : [[REFUSED, none], ...counts]);
  };
}
