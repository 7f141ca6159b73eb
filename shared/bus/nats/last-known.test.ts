import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { LastKnown } from "./last-known.ts";

const widgets = { function: "widgets" };

describe("what is remembered of keys", () => {
  it("is trusted at first, and no more once it was wrong more often than right", () => {
    const known = new LastKnown();
    assert.equal(known.trusts(widgets), true);
    known.proved(widgets, true);
    known.proved(widgets, false);
    assert.equal(known.trusts(widgets), true);
    known.proved(widgets, false);
    assert.equal(known.trusts(widgets), false);
    assert.equal(
      known.trusts({ function: "gadgets" }),
      true,
      "another function's keys may stand as they were",
    );
  });

  it("is trusted again once it was right a few times, however often it was wrong", () => {
    const known = new LastKnown();
    for (let time = 0; time < 100; time++) known.proved(widgets, false);
    for (let time = 0; time < 3; time++) known.proved(widgets, true);
    assert.equal(known.trusts(widgets), false);
    known.proved(widgets, true);
    assert.equal(known.trusts(widgets), true);
  });

  it("is trusted as at first where all is forgotten", () => {
    const known = new LastKnown();
    known.proved(widgets, false);
    known.clear();
    assert.equal(known.trusts(widgets), true);
  });
});
