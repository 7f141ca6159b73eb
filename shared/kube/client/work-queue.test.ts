import assert from "node:assert/strict";
import { test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { silent } from "../../log/log.ts";
import { WorkQueue } from "./work-queue.ts";

function queueOf(work: (key: string) => Promise<void>) {
  const clock = manualClock();
  return { clock, queue: new WorkQueue({ work, clock, log: silent, concurrency: 2 }) };
}

test("a key never runs twice at a time, and once more when it was added meanwhile", async () => {
  const gates: (() => void)[] = [];
  const { queue, clock } = queueOf(() => new Promise((resolve) => gates.push(resolve)));
  queue.add("a");
  queue.add("a");
  queue.add("a");
  await clock.settle();
  assert.equal(gates.length, 1);
  gates[0]?.();
  await clock.settle();
  assert.equal(gates.length, 2);
  gates[1]?.();
  await queue.idle();
  assert.equal(gates.length, 2);
});

test("a slow key does not delay others", async () => {
  const done: string[] = [];
  let finish = (): void => undefined;
  const { queue, clock } = queueOf(async (key) => {
    if (key === "slow") await new Promise<void>((resolve) => (finish = resolve));
    done.push(key);
  });
  for (const key of ["slow", "a", "b", "c"]) queue.add(key);
  await clock.settle();
  assert.deepEqual(done, ["a", "b", "c"]);
  finish();
  await queue.idle();
});

test("what fails is tried again later and later, and is not idle until it has succeeded", async () => {
  const at: number[] = [];
  const { queue, clock } = queueOf(async () => {
    at.push(clock.now());
    if (at.length < 4) throw new TypeError("not yet");
  });
  const start = clock.now();
  queue.add("a");
  let idle = false;
  const waiting = queue.idle().then(() => {
    idle = true;
  });
  await clock.advance(139);
  assert.deepEqual([at.map((time) => time - start), idle], [[0, 20, 60], false]);
  await clock.advance(1);
  await waiting;
  assert.deepEqual(
    at.map((time) => time - start),
    [0, 20, 60, 140],
  );
});

test("a key runs at the earliest time it was given, and what is due later does not keep it from being idle", async () => {
  const at: number[] = [];
  const { queue, clock } = queueOf(async () => {
    at.push(clock.now());
  });
  const start = clock.now();
  queue.addAt("a", start + 500);
  queue.addAt("a", start + 200);
  queue.addAt("a", start + 300);
  await queue.idle();
  await clock.advance(1000);
  assert.deepEqual(
    at.map((time) => time - start),
    [200],
  );
});

test("after stop nothing runs", async () => {
  let runs = 0;
  const { queue, clock } = queueOf(async () => {
    runs++;
  });
  queue.addAt("a", clock.now() + 10);
  await queue.stop();
  queue.add("b");
  await clock.advance(100);
  assert.deepEqual([runs, clock.alarms], [0, 0]);
});
