import assert from "node:assert/strict";
import { test } from "vitest";
import { leapingClock } from "../../infra/testing/leaping-clock.ts";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { afterAwake } from "./awake.ts";

test("a wait ends after its time", () => {
  const clock = new ManualClock();
  let rang = 0;
  afterAwake(clock, 3_000, () => {
    rang += 1;
  });
  clock.advance(2_999);
  assert.equal(rang, 0);
  clock.advance(1);
  assert.equal(rang, 1);
  clock.advance(60_000);
  assert.equal(rang, 1);
});

test("the time that a process was held up does not count as waited", () => {
  const clock = leapingClock();
  let rang = 0;
  const cancel = afterAwake(clock, 3_000, () => {
    rang += 1;
  });
  for (let times = 0; times < 9; times += 1) clock.leap(10_000);
  assert.equal(rang, 0, "nine parts, each overslept");
  clock.leap(300);
  assert.equal(rang, 1);
  cancel();
});

test("a wait that is called off ends in no part", () => {
  const clock = new ManualClock();
  const cancel = afterAwake(clock, 3_000, () => assert.fail("it was called off"));
  clock.advance(1_000);
  cancel();
  clock.advance(60_000);
  assert.equal(clock.alarms, 0);
});
