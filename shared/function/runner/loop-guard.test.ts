import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LoopGuard } from "./loop-guard.ts";

const MINUTE = 60_000;

describe("a function that answers its own writes", () => {
  const spin = (guard: LoopGuard, runs: number, from: number): number => {
    let rests = 0;
    for (let run = 0; run < runs; run++) if (guard.wrote("f key", ["x"], true, from + run)) rests += 1;
    return rests;
  };
  it("rests for a minute after more than 20 writes of one object within one", () => {
    const guard = new LoopGuard();
    assert.equal(spin(guard, 20, 0), 0);
    assert.equal(guard.restsUntil("f key", 20), 0);
    assert.equal(spin(guard, 1, 20), 1);
    assert.equal(guard.restsUntil("f key", 21), MINUTE + 20);
    assert.equal(guard.restsUntil("another key", 21), 0);
  });
  it("rests again after one more write when it goes on", () => {
    const guard = new LoopGuard();
    spin(guard, 21, 0);
    assert.equal(guard.restsUntil("f key", MINUTE + 20), 0);
    assert.equal(spin(guard, 1, MINUTE + 20), 1);
  });
  it("is left alone when somebody else changed something", () => {
    const guard = new LoopGuard();
    spin(guard, 21, 0);
    guard.wrote("f key", ["x"], false, MINUTE + 30);
    assert.equal(spin(guard, 20, MINUTE + 31), 0);
  });
  it("may write many objects, or one of them slowly", () => {
    const guard = new LoopGuard();
    for (let run = 0; run < 100; run++)
      assert.equal(guard.wrote("f key", [`object-${run}`], true, run), false);
    for (let run = 0; run < 100; run++) assert.equal(guard.wrote("f slow", ["x"], true, run * 4_000), false);
  });
});
