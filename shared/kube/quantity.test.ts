import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { canonicalQuantity, compareQuantities, sameQuantity } from "./quantity.ts";

test("quantities are compared as numbers, whatever their spelling", () => {
  for (const [a, b] of [
    ["1", "1000m"],
    ["0.5", "500m"],
    ["1Gi", "1024Mi"],
    ["1k", "1000"],
    [2, "2"],
    ["1e3", "1k"],
    ["1E3", "1000"],
    ["+1", "1"],
    [".5", "0.50"],
    ["0", "0Mi"],
    ["-1", "-1000m"],
    ["1E", "1000P"],
    ["5.", "5"],
  ]) {
    assert.equal(sameQuantity(a, b), true, `${a} ${b}`);
  }
  for (const [a, b] of [
    ["1", "1001m"],
    ["1Gi", "1G"],
    ["1Mi", "1M"],
    ["1", "1u"],
    ["9007199254740993", "9007199254740992"],
  ])
    assert.equal(sameQuantity(a, b), false, `${a} ${b}`);
  assert.equal(compareQuantities("100m", "1"), -1);
  assert.equal(compareQuantities("1Gi", "1G"), 1);
  for (const bad of ["", "x", "1KB", "1 Gi", "--1", "1ki", ".", "1e999999999", null, {}, true, Number.NaN])
    assert.equal(compareQuantities(bad, "1"), undefined, String(bad));
});

test("the canonical spelling is the server's", () => {
  const table: readonly [unknown, string | undefined][] = [
    ["1000m", "1"],
    ["0.5", "500m"],
    ["1024Mi", "1Gi"],
    ["1000", "1k"],
    ["1.5Gi", "1536Mi"],
    ["100", "100"],
    ["0", "0"],
    ["0Gi", "0"],
    [1, "1"],
    [0.25, "250m"],
    ["1500m", "1500m"],
    ["2000Ki", "2000Ki"],
    ["0.5Ki", "512"],
    ["1e3", "1e3"],
    ["1000e3", "1e6"],
    ["-0.1", "-100m"],
    ["0.1Gi", "107374182400m"],
    ["1n", "1n"],
    ["0.0000000001", "1n"],
    ["x", undefined],
  ];
  for (const [given, wanted] of table) assert.equal(canonicalQuantity(given), wanted, String(given));
});

test("the canonical spelling is the same number, and its own canonical spelling", () => {
  const suffix = fc.constantFrom("", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-3");
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), suffix, (digits, unit) => {
      const canonical = canonicalQuantity(`${digits}${unit}`);
      assert.equal(sameQuantity(canonical, `${digits}${unit}`), true);
      assert.equal(canonicalQuantity(canonical), canonical);
    }),
  );
});
