import assert from "node:assert/strict";
import { test } from "vitest";
import { patternOf } from "./pattern.ts";

for (const [source, text, found] of [
  ["^(?i)abc$", "ABC", true],
  ["a(?i)b", "aB", true],
  ["a(?i)b", "AB", false],
  ["^(?P<n>a)$", "a", true],
  ["(?U)a+", "aa", true],
  ["^a{1000}$", "a".repeat(1000), true],
  ["^[[:alpha:]]+$", "ab1", false],
  ["\\Aab\\z", "ab\n", false],
  ["^\\p{L}+$", "ä", true],
  ["b", "abc", true],
] as const) {
  test(`${source} and ${text.slice(0, 5)}`, () => assert.equal(patternOf(source).test(text), found));
}

for (const source of ["(?=x)a", "(?<!x)a", "(a)\\1", "a{1001}", "a**", "(a", "[", "\\u0041"]) {
  test(`${source} is no pattern`, () => assert.throws(() => patternOf(source), SyntaxError));
}

test("a pattern that would go back for ever elsewhere is linear here", () => {
  assert.equal(patternOf("^(a+)+$").test(`${"a".repeat(5_000)}b`), false);
});

test("all matches, and only so many", () => {
  assert.deepEqual(patternOf("[a-c]").findAll("abcd"), ["a", "b", "c"]);
  assert.deepEqual(patternOf("[a-c]").findAll("abcd", 1), ["a"]);
  assert.deepEqual(patternOf("[a-c]").findAll("abcd", 0), []);
});
