import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { sharedLook } from "./shared-look.ts";

const NOW = Date.parse("2026-02-03T10:00:00Z");

/** A look that takes so long, and how often it was made. */
function looked(milliseconds: number, answers: readonly (number | Error)[] = []) {
  const clock = new ManualClock(NOW);
  let looks = 0;
  const look = sharedLook(
    async () => {
      const answer = answers[looks] ?? looks;
      looks += 1;
      await clock.sleep(milliseconds);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    clock,
    (answer) => answer >= 0,
  );
  /** The answers to so many questions at once. */
  const scrape = async (gauges = 1): Promise<readonly PromiseSettledResult<number>[]> => {
    const asked = Promise.allSettled(Array.from({ length: gauges }, () => look()));
    clock.advance(milliseconds);
    return asked;
  };
  return { clock, scrape, looks: () => looks };
}

describe("the look of a scrape", () => {
  test("is one for all gauges", async () => {
    const { scrape, looks } = looked(10);
    assert.deepEqual(
      (await scrape(3)).map((one) => one.status === "fulfilled" && one.value),
      [0, 0, 0],
    );
    assert.equal(looks(), 1);
  });
  test.each([
    ["is made anew where it is quick", 500, 1, 2],
    ["counts thirty times as long where it takes its time", 1_000, 29_000, 1],
    ["is made anew after that", 1_000, 30_000, 2],
    ["counts for two minutes at most", 60_000, 120_000, 2],
    ["is made anew where the clock was set back", 1_000, -3_600_000, 2],
  ])("%s", async (_, takes, later, expected) => {
    const { clock, scrape, looks } = looked(takes);
    await scrape();
    clock.advance(later);
    await scrape();
    assert.equal(looks(), expected);
  });
  test.each([
    ["that fails", new Error("away")],
    ["whose answer lacks a part", -1],
  ])("%s is made anew", async (_, answer) => {
    const { scrape, looks } = looked(1_000, [answer]);
    await scrape();
    const [second] = await scrape();
    assert.deepEqual([looks(), second], [2, { status: "fulfilled", value: 1 }]);
  });
});
