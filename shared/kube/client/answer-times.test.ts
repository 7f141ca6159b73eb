import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { AnswerTimes } from "./answer-times.ts";

const after = (...answers: readonly number[]) => {
  const clock = new ManualClock();
  const times = new AnswerTimes(clock);
  for (const answer of answers) times.took(answer);
  return { clock, times };
};
const many = (count: number, milliseconds: number) => Array.from({ length: count }, () => milliseconds);

describe("a limit for a cluster", () => {
  for (const [title, answers, limit] of [
    ["is as it is before any answer", [], 1_000],
    ["is as it is where all answer quickly", many(20, 50), 1_000],
    ["is as it is where one answer was slow among quick ones", [...many(20, 50), 3_000], 1_000],
    ["is longer where all are slow", many(20, 600), 2_000],
    ["is three times as long at most", many(20, 5_000), 3_000],
    ["is as it was once all are quick again", [...many(20, 600), ...many(60, 50)], 1_000],
  ] as const)
    it(title, () => assert.equal(after(...answers).times.limit(1_000), limit));

  it("is as it is a minute after the last answer", () => {
    const { clock, times } = after(...many(20, 5_000));
    clock.advance(60_000);
    assert.equal(times.limit(1_000), 3_000);
    clock.advance(1);
    assert.equal(times.limit(1_000), 1_000);
  });
});
