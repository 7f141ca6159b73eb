import assert from "node:assert/strict";
import { test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { Alarm } from "./alarm.ts";

const DAY = 24 * 3_600_000;

test("rings at its time however far away, with no timer longer than the machine's hold", async () => {
  const clock = manualClock();
  let longest = 0;
  const rung: number[] = [];
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    longest = Math.max(longest, milliseconds);
    return clock.after(milliseconds, callback);
  };
  const alarm = new Alarm({ ...clock, after }, () => rung.push(clock.now()));
  const due = clock.now() + 2 * DAY;
  alarm.set(due);
  await clock.advance(3 * DAY);
  assert.deepEqual(rung, [due]);
  assert.ok(longest < 2 ** 31);
  assert.equal(clock.alarms, 0);
});

test("a newer time replaces the older one, and stopping forgets it", async () => {
  const clock = manualClock();
  const rung: number[] = [];
  const start = clock.now();
  const alarm = new Alarm(clock, () => rung.push(clock.now() - start));
  alarm.set(start + 1_000);
  alarm.set(start + 5_000);
  alarm.set(start + 3_000);
  await clock.advance(10_000);
  alarm.set(start + 20_000);
  alarm.stop();
  await clock.advance(60_000);
  assert.deepEqual(rung, [3_000]);
});
