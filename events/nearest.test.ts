import assert from "node:assert/strict";
import { test } from "vitest";
import { nearest } from "./nearest.ts";

test("a letter that is changed, added, left out or swapped leads to the name that was meant", () => {
  const names = ["key", "kind", "object", "dry-run"];
  for (const [wrong, meant] of [
    ["kye", "key"],
    ["keys", "key"],
    ["kidn", "kind"],
    ["objekt", "object"],
    ["obejct", "object"],
    ["dryrun", "dry-run"],
    ["DryRun", "dry-run"],
    ["x", undefined],
    ["abc", undefined],
    ["k".repeat(100_000), undefined],
  ] as const)
    assert.equal(nearest(wrong, names), meant, wrong.slice(0, 20));
});
