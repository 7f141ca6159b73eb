import assert from "node:assert/strict";
import type { RunRecord } from "../../shared/bus/run-record.ts";

/** No run of a key begins before the one before it has ended. */
export function assertOneAtATime(runs: readonly RunRecord[]): void {
  const ends = new Map<string, number>();
  for (const { function: of, key, startedAt, milliseconds } of runs.toSorted(
    (one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt),
  )) {
    const began = Date.parse(startedAt);
    assert.ok(began >= (ends.get(`${of} ${key}`) ?? 0), `two runs of ${of} for ${key} at once`);
    ends.set(`${of} ${key}`, began + Math.floor(milliseconds));
  }
}
