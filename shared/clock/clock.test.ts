import assert from "node:assert/strict";
import { test, vi } from "vitest";
import { systemClock } from "./clock.ts";

const DAY = 24 * 3_600_000;

test("a timer may be longer than Node's own can be", async (t) => {
  t.onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let rung = 0;
  let slept = false;
  systemClock.after(30 * DAY, () => {
    rung += 1;
  });
  const cancel = systemClock.after(30 * DAY, () => {
    rung += 100;
  });
  void systemClock.sleep(30 * DAY).then(() => {
    slept = true;
  });
  for (let day = 0; day < 26; day++) vi.advanceTimersByTime(DAY);
  await Promise.resolve();
  assert.deepEqual([rung, slept], [0, false]);
  cancel();
  for (let day = 26; day < 31; day++) vi.advanceTimersByTime(DAY);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual([rung, slept], [1, true]);
});

test("a time that has passed comes at once, and without a warning of Node's", async (t) => {
  const warnings: string[] = [];
  const warned = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", warned);
  t.onTestFinished(() => void process.off("warning", warned));
  await new Promise<void>((resolve) => systemClock.after(-2, resolve));
  await systemClock.sleep(-1);
  assert.deepEqual(warnings, []);
});

test("a sleep of a month can be cut short", async () => {
  const cut = new AbortController();
  const sleeping = systemClock.sleep(30 * DAY, cut.signal);
  cut.abort(new Error("enough"));
  await assert.rejects(sleeping, /enough/);
});
