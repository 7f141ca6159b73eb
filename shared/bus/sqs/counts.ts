import type { FunctionCounts } from "../contract.ts";
import { noCounts } from "../counts-of.ts";
import { REFUSED } from "../refused.ts";
import type { Queues } from "./queues.ts";
import type { KeyRecord, StateStore } from "./store.ts";

function countsOf(records: readonly KeyRecord[]): Omit<FunctionCounts, "waiting" | "running" | "oldest"> {
  const count = (wanted: (record: KeyRecord) => boolean): number => records.filter(wanted).length;
  return {
    retrying: count(({ waiting, attempts }) => waiting !== undefined && attempts > 0),
    dead: count(({ dead }) => dead !== undefined),
    parked: count(({ waits }) => waits.length > 0),
    away: count(({ waiting }) => waiting?.behind !== undefined),
    deadlines: records.reduce((sum, { deadlines }) => sum + Object.keys(deadlines).length, 0),
  };
}

/**
 * Counts by function; functions without any are left out. `waiting` and `running` are SQS's own estimate, in messages; how long
 * the oldest has waited only CloudWatch knows (`ApproximateAgeOfOldestMessage`). Where all functions share one queue, its
 * messages are counted under the address's last part.
 */
export async function countAll(
  parts: { readonly store: StateStore; readonly queues: Queues },
  functions: readonly string[],
): Promise<Readonly<Record<string, FunctionCounts>>> {
  const { store, queues } = parts;
  const known = await Promise.all(
    [REFUSED, ...functions].map(async (name): Promise<[string, FunctionCounts]> => {
      const records = (await store.keysOf(name)).map(({ record }) => record);
      return [name, { ...noCounts, ...countsOf(records) }];
    }),
  );
  const counts = new Map(known);
  const byQueue = Map.groupBy(functions, (name) => queues.of(name));
  await Promise.all(
    [...byQueue].map(async ([url, names]) => {
      const [only] = names;
      const name = names.length === 1 && only !== undefined ? only : (url.split("/").at(-1) ?? url);
      counts.set(name, { ...noCounts, ...counts.get(name), ...(await queues.depth(url)) });
    }),
  );
  return Object.fromEntries([...counts].filter(([, each]) => Object.values(each).some((count) => count > 0)));
}
