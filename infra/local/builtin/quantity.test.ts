import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalQuantity, compareQuantities, parseQuantity } from "./quantity.ts";

const stored: readonly (readonly [string, string])[] = [
  ["1000m", "1"],
  ["0.5", "500m"],
  ["1024Mi", "1Gi"],
  ["1000", "1k"],
  ["1500", "1500"],
  ["1.5Gi", "1536Mi"],
  ["0.5Ki", "512"],
  ["1e3", "1e3"],
  ["12e2", "1200"],
  ["100u", "100u"],
  ["0", "0"],
  ["0Gi", "0"],
  ["-1000m", "-1"],
  ["+2", "2"],
  [".5", "500m"],
  ["0.0000000001", "1n"],
  ["1.5", "1500m"],
  ["2000000Ki", "2000000Ki"],
];
for (const [given, expected] of stored)
  test(`stores ${given} as ${expected}`, () => assert.equal(canonicalQuantity(given), expected));

test("leaves what is no quantity", () => {
  for (const text of ["", "abc", "1 Gi", "Gi", "1Gii"]) {
    assert.equal(parseQuantity(text), undefined, text);
    assert.equal(canonicalQuantity(text), text);
  }
});

test("the stored spelling means the same, and is stored as it is", () => {
  const suffix = fc.constantFrom("", "m", "u", "k", "M", "G", "Ki", "Mi", "Gi");
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), suffix, (amount, unit) => {
      const text = `${amount}${unit}`;
      const canonical = canonicalQuantity(text);
      assert.equal(compareQuantities(text, canonical), 0);
      assert.equal(canonicalQuantity(canonical), canonical);
    }),
  );
});
