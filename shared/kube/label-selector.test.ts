import assert from "node:assert/strict";
import { test } from "vitest";
import { matchesLabelSelector } from "./label-selector.ts";

const LABELS = { team: "a", tier: "" };
const term = (key: string, operator: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key, operator, values }],
});
const ROWS: readonly (readonly [selector: unknown, expected: boolean])[] = [
  [undefined, false],
  [{}, true],
  [{ matchLabels: { team: "a" } }, true],
  [{ matchLabels: { team: "b" } }, false],
  [{ matchLabels: { team: "a", other: "b" } }, false],
  [term("team", "In", "a", "b"), true],
  [term("team", "In", "b"), false],
  [term("other", "In", "b"), false],
  [term("team", "NotIn", "a"), false],
  [term("other", "NotIn", "a"), true],
  [term("tier", "Exists"), true],
  [term("other", "Exists"), false],
  [term("tier", "DoesNotExist"), false],
  [term("other", "DoesNotExist"), true],
  [term("team", "Like", "a"), false],
  [{ matchLabels: { team: "a" }, ...term("tier", "DoesNotExist") }, false],
];

for (const [selector, expected] of ROWS)
  test(`${JSON.stringify(selector)}: ${expected}`, () =>
    assert.equal(matchesLabelSelector(selector, LABELS), expected));
