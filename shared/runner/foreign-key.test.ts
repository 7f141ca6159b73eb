import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import type { SweepSource } from "../bus/item.ts";
import type { Log } from "../log/log.ts";
import { silent } from "../log/log.ts";
import { ForeignKeys } from "./foreign-key.ts";

const sweepFrom = (cluster: string): SweepSource => ({
  wake: 0,
  subject: { cluster, name: "a" },
  facts: [],
  gone: false,
  incomplete: true,
});
const itemOf = (key: string, sweep?: SweepSource) => ({
  sweep,
  function: "f",
  key,
  lane: "urgent" as const,
  causes: [],
  causesIncomplete: false,
  enqueuedAt: 0,
  attempt: 1,
});

describe("a key of another cluster", () => {
  test("is refused aloud and given back, its sweeps too; those of our own are not", () => {
    const told: unknown[] = [];
    const log: Log = { ...silent, error: (fields) => void told.push(fields) };
    const keys = new ForeignKeys({ cluster: "ours", clock: manualClock(), log });
    for (const key of ["ours/g/K/n/a", "ours/g/K/n/*", "no key at all"])
      assert.equal(keys.refuse(itemOf(key)), undefined, key);
    assert.equal(keys.refuse(itemOf("sweep:0:ours/g/K//a", sweepFrom("ours"))), undefined);
    // An event from outside, whose id looks like a key.
    assert.equal(keys.refuse(itemOf("sweep:0:github/a/b/c/d", sweepFrom(""))), undefined);
    for (const [key, sweep] of [
      ["theirs/g/K/n/a"],
      ["theirs/g/K/*/*"],
      ["sweep:0:theirs/g/K//a", sweepFrom("theirs")],
    ] as const) {
      const refused = keys.refuse(itemOf(key, sweep));
      assert.equal(refused?.error.code, "KEY_OF_ANOTHER_CLUSTER", key);
      assert.equal(refused?.behind, "cluster theirs");
    }
    assert.equal(told.length, 1, "once for each cluster");
  });
});
