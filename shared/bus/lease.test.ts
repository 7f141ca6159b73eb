import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Held } from "./lease.ts";

describe("a hold on a key", () => {
  it("is lost once, and says so to whoever listens, by a signal or without one", () => {
    let isOurs = true;
    const held = new Held("fill on one", () => isOurs);
    const reasons: unknown[] = [];
    held.onLost((reason) => reasons.push(reason));
    const deaf = held.onLost(() => assert.fail("it listens no more"));
    deaf();
    const { signal } = held;
    assert.ok(held.held() && !signal.aborted);
    isOurs = false;
    assert.equal(held.held(), false);
    held.lose("twice");
    assert.ok(signal.aborted);
    assert.deepEqual(reasons, [signal.reason]);
    isOurs = true;
    assert.equal(held.held(), false, "lost stays lost");
  });

  it("tells late listeners at once", () => {
    const held = new Held("fill on one", () => true);
    held.lose("its host was told to stop");
    const reasons: unknown[] = [];
    held.onLost((reason) => reasons.push(reason));
    assert.ok(held.signal.aborted);
    assert.deepEqual(reasons, [held.signal.reason]);
  });
});
