import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { newestFirst, parseVersion } from "./versions.ts";

describe("what is a semantic version", () => {
  for (const [text, expected] of [
    ["1.2.3", true],
    ["1.2.3-rc.1+build.5", true],
    ["0.0.1-abc", true],
    ["v1.2.3", false],
    ["=1.2.3", false],
    [" 1.2.3", false],
    ["1.2", false],
    ["01.2.3", false],
    ["1.2.3-01", false],
    ["", false],
    [undefined, false],
  ] as const)
    test(JSON.stringify(text) ?? "undefined", () => assert.equal(parseVersion(text) !== undefined, expected));
});

test("newest first, by number and not by text; what is no version comes last", () =>
  assert.deepEqual(["5.1.9", "nightly", "5.2.0-rc.1", "5.1.10", "5.2.0", "5.1.9"].toSorted(newestFirst), [
    "5.2.0",
    "5.2.0-rc.1",
    "5.1.10",
    "5.1.9",
    "5.1.9",
    "nightly",
  ]));
