import assert from "node:assert/strict";
import { test } from "vitest";
import { manualClock } from "./settling-clock.ts";

test("fires what is due in its order, and nothing else", async () => {
  const clock = manualClock(1_000);
  const seen: string[] = [];
  clock.after(300, () => seen.push(`b at ${clock.now()}`));
  clock.after(100, () => {
    seen.push(`a at ${clock.now()}`);
    clock.after(100, () => seen.push(`a2 at ${clock.now()}`));
  });
  clock.after(501, () => seen.push("late"));
  const cancel = clock.after(50, () => seen.push("cancelled"));
  cancel();
  await clock.advance(500);
  assert.deepEqual(seen, ["a at 1100", "a2 at 1200", "b at 1300"]);
  assert.equal(clock.now(), 1_500);
  assert.equal(clock.alarms, 1);
});

test("a sleep ends with its time, or with its signal's reason", async () => {
  const clock = manualClock();
  let woke = false;
  const slept = clock.sleep(1_000).then(() => {
    woke = true;
  });
  await clock.advance(999);
  assert.equal(woke, false);
  await clock.advance(1);
  await slept;
  const controller = new AbortController();
  const cut = clock.sleep(1_000, controller.signal);
  controller.abort(new Error("stopped"));
  await assert.rejects(cut, /stopped/);
  assert.equal(clock.alarms, 0);
});

test("a jump moves the time and leaves timers where they are", async () => {
  const clock = manualClock(0);
  let rang = 0;
  clock.after(100, () => {
    rang = clock.now();
  });
  clock.jump(1_000);
  await clock.settle();
  assert.equal(rang, 0);
  await clock.advance(100);
  assert.equal(rang, 1_100);
});
