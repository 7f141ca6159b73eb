import assert from "node:assert/strict";
import { test } from "vitest";
import { NOW, platform, succeed } from "../../test/objects.ts";
import { conditionsFor, keep, verdict } from "./conditions.ts";

const BEFORE = "2025-01-01T00:00:00Z";
const stored = { type: "Succeed", status: "True", reason: "", message: "", lastUpdateTime: BEFORE } as const;

for (const [name, said, time] of [
  ["the same", verdict("True"), BEFORE],
  ["another status", verdict("False"), "2026-02-03T04:05:06Z"],
  ["another reason", verdict("True", "Warming"), "2026-02-03T04:05:06Z"],
  ["another message", verdict("True", "", "x"), "2026-02-03T04:05:06Z"],
] as const)
  test(`the time of a condition: ${name}`, () => {
    assert.equal(keep(stored, "Succeed", said, NOW).lastUpdateTime, time);
  });

test("an absent reason is an empty one", () => {
  const { reason: _reason, message: _message, ...bare } = stored;
  assert.equal(keep(bare, "Succeed", verdict("True"), NOW).lastUpdateTime, BEFORE);
});

test("conditions are sorted by type, and those left out go", () => {
  const it = platform({ name: "p", namespace: "n", status: succeed("True", "", "", BEFORE) });
  const list = conditionsFor(
    it,
    { Succeed: verdict("True"), DataIndexSucceed: verdict("False"), JobsServiceSucceed: undefined },
    NOW,
  );
  assert.deepEqual(
    list.map(({ type, lastUpdateTime }) => [type, lastUpdateTime]),
    [
      ["DataIndexSucceed", "2026-02-03T04:05:06Z"],
      ["Succeed", BEFORE],
    ],
  );
});
