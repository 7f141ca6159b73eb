import assert from "node:assert/strict";
import { test } from "vitest";
import { ApiError } from "../api-error.ts";
import { parseLabelSelector } from "./labels.ts";

const labels = { app: "web", tier: "front", count: "5", "x.io/y": "" };
const cases: readonly (readonly [string, boolean])[] = [
  ["app=web", true],
  ["app==web,tier!=back", true],
  ["app in (api, web)", true],
  ["app notin (api)", true],
  ["missing notin (api)", true],
  ["missing!=x", true],
  ["!missing,x.io/y", true],
  ["x.io/y=", true],
  ["count>4,count<6", true],
  ["count>5", false],
  ["app in (api)", false],
  ["!app", false],
  ["missing", false],
];
for (const [selector, expected] of cases) {
  test(selector, () => assert.equal(parseLabelSelector(selector)?.(labels), expected));
}

test("nothing selects everything", () => assert.equal(parseLabelSelector(""), undefined));

for (const selector of ["a b", "a=b c", "a,,b", "in (x)", "-a", "a>x", `a=${"x".repeat(64)}`]) {
  test(`refused: ${selector.slice(0, 20)}`, () => {
    assert.throws(
      () => parseLabelSelector(selector),
      (error) => error instanceof ApiError && error.status.code === 400,
    );
  });
}
