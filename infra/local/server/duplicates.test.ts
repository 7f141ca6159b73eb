import assert from "node:assert/strict";
import { test } from "vitest";
import { duplicateFields } from "./duplicates.ts";

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":2}', ["a"]],
  ['{"a":{"b":[{"c":1},{"c":1,"c":2}]}}', ["a.b[1].c"]],
  ['{"a":"a","b":["a","a"],"c":{"a":1}}', []],
  ['{"a\\"":1,"a\\"":":,{"}', ['a"']],
  ['{"a":1,"a":2,"a":3}', ["a"]],
];
for (const [text, expected] of cases) {
  test(text, () => assert.deepEqual(duplicateFields(text), expected));
}
