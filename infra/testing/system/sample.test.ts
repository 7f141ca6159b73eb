import assert from "node:assert/strict";
import { afterEach, describe, it, vi } from "vitest";
import { isInSample, sampleNote } from "./sample.ts";

const NUMBERS = Array.from({ length: 40 }, (_, index) => index + 1);
const chosen = (share: number, name: string, seed: string): readonly number[] =>
  NUMBERS.filter((number) => isInSample(share, name, number, seed));

describe("a sample of a suite", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  it("is everything without a seed, and says nothing", () => {
    vi.stubEnv("TEST_SEED", undefined);
    assert.ok(NUMBERS.every((number) => isInSample(10, "any", number)));
    assert.equal(sampleNote(), undefined);
  });

  it("is the same whenever the seed is the same, and names it", () => {
    assert.deepEqual(chosen(4, "flows", "2026-11-22"), chosen(4, "flows", "2026-11-22"));
    assert.match(sampleNote("2026-11-22") ?? "", /^TEST_SEED=2026-11-22: one in 4 /);
  });

  for (const [share, seeds] of [
    [4, ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]],
    [10, ["7", "8", "9", "10", "11", "12", "13", "14", "15", "16"]],
  ] as const)
    it(`is one in ${share}, and in ${share} successive seeds everything once`, () => {
      const all = seeds.map((seed) => chosen(share, "flows", seed));
      for (const part of all) assert.equal(part.length, NUMBERS.length / share);
      assert.deepEqual(
        all.flat().toSorted((one, other) => one - other),
        NUMBERS,
      );
    });

  it("differs between suites and between seeds that are mere words", () => {
    const samples = ["flows", "releases", "widgets", "plans", "stacks"].map((name) =>
      chosen(10, name, "a word"),
    );
    assert.ok(new Set(samples.map(String)).size > 1);
    const turns = ["one", "two", "three", "four", "five"].map((seed) => chosen(10, "flows", seed));
    assert.ok(new Set(turns.map(String)).size > 1);
  });
});
