import assert from "node:assert/strict";
import { test } from "vitest";
import { ManualClock } from "./manual-clock.ts";

test("time passes only by advance, and what falls due rings in order", () => {
  const clock = new ManualClock(0);
  const rung: string[] = [];
  clock.after(20, () => rung.push(`second at ${clock.now()}`));
  clock.after(10, () => {
    rung.push(`first at ${clock.now()}`);
    clock.after(5, () => rung.push(`nested at ${clock.now()}`));
  });
  clock.after(30, () => rung.push("cancelled"))();
  clock.advance(9);
  assert.deepEqual(rung, []);
  clock.advance(91);
  assert.deepEqual(rung, ["first at 10", "nested at 15", "second at 20"]);
  assert.equal(clock.now(), 100);
  assert.equal(clock.alarms, 0);
});

test("a sleep ends with time or with its signal", async () => {
  const clock = new ManualClock();
  const slept = clock.sleep(1000);
  clock.advance(1000);
  await slept;
  const controller = new AbortController();
  const stopped = clock.sleep(1000, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(stopped, /enough/);
  assert.equal(clock.alarms, 0);
});

test("armed waits for an alarm that is near enough", async () => {
  const clock = new ManualClock();
  clock.after(60_000, () => undefined);
  const armed = clock.armed(1000);
  clock.after(500, () => undefined);
  await armed;
  assert.equal(clock.alarms, 2);
});
