import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { bad, conditionsFrom, good, summaryOf } from "./index.ts";

const [BEFORE, NOW] = ["2024-01-01T00:00:00Z", "2024-01-02T00:00:00.5Z"];
const at = (lastTransitionTime: string) => ({ lastTransitionTime });

describe("the summary", () => {
  for (const [name, others, expected] of [
    ["of good ones is good", [good("B"), good("A")], good("Ready")],
    ["of none is good", [], good("Ready")],
    [
      "is the worst",
      [bad("A", "Info", "I", "i"), bad("B", "Error", "E", "e"), bad("C", "Warning", "W", "w")],
      bad("Ready", "Error", "E", "e"),
    ],
    [
      "is the first by type of two that are as bad",
      [bad("C", "Warning", "R", "c"), good("A"), bad("B", "Warning", "R", "b")],
      bad("Ready", "Warning", "R", "b"),
    ],
  ] as const)
    test(name, () => assert.deepEqual(summaryOf(others), expected));
});

describe("conditions", () => {
  test("are stored with Ready first, the others by type", () =>
    assert.deepEqual(
      conditionsFrom([good("B"), good("A"), good("Z")], undefined, NOW).map(({ type }) => type),
      ["Ready", "A", "B", "Z"],
    ));
  test("keep their time as long as they say the same", () => {
    const stored = [{ ...good("A"), reason: "", ...at(BEFORE) }];
    assert.deepEqual(conditionsFrom([good("A")], stored, NOW)[1], { ...good("A"), ...at(BEFORE) });
  });
  for (const [what, change] of [
    ["status", good("A")],
    ["severity", bad("A", "Error", "R", "m")],
    ["reason", bad("A", "Info", "Other", "m")],
    ["message", bad("A", "Info", "R", "other")],
  ] as const)
    test(`move it with their ${what}`, () => {
      const stored = [{ ...bad("A", "Info", "R", "m"), ...at(BEFORE) }];
      const found = conditionsFrom([change], stored, NOW).find(({ type }) => type === "A");
      assert.deepEqual(found, { ...change, ...at("2024-01-02T00:00:00Z") });
    });
});
