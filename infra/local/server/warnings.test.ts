import assert from "node:assert/strict";
import { validateHeaderValue } from "node:http";
import { test } from "vitest";
import { warningHeader } from "./warnings.ts";

const read = (texts: readonly string[]): string => {
  const header = warningHeader(texts) ?? "";
  validateHeaderValue("warning", header);
  return Buffer.from(header, "latin1").toString();
};

test("a warning says any name as UTF-8", () => {
  assert.equal(
    read(['unknown field "spec.世界"', "a\\b", "\u{1F600}"]),
    '299 - "unknown field \\"spec.世界\\"", 299 - "a\\\\b", 299 - "\u{1F600}"',
  );
});

test("a warning is said once, and never with control characters in it", () => {
  assert.equal(read(["a", "b\u0000", "a", "c\r\nx: y", ""]), '299 - "a"');
  assert.equal(warningHeader(["\u0007"]), undefined);
});

test("warnings have an end: where they are long each is cut, and the last are left out", () => {
  const many = Array.from({ length: 100 }, (_, index) => `${index} ${"世".repeat(500)}`);
  const told = read(many).split(", ");
  assert.equal(told.length, 16);
  for (const one of told) assert.equal([...one].length, 256 + '299 - ""'.length);
  assert.equal(read(["x".repeat(4_000)]).length, 4_000 + '299 - ""'.length);
});
