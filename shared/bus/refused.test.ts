import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { KeptRefused, MOST_REFUSED } from "./refused.ts";

const letter = (number: number) => ({ key: `k${number}`, at: new Date(number * 1000).toISOString() });

describe("refused events that are kept", () => {
  it("let the oldest go that stood there before, whatever the order in which they are listed", async () => {
    const known = Array.from({ length: MOST_REFUSED }, (_, number) => letter(number));
    const kept = new KeptRefused(async () => known.toReversed());
    assert.deepEqual(await kept.add("new"), ["k0"]);
    assert.deepEqual(await kept.add("newer"), ["k1"]);
  });
  it("count one that is refused again as the newest", async () => {
    const kept = new KeptRefused(async () => [letter(1), letter(2)]);
    assert.deepEqual(await kept.add("k1"), []);
    for (let number = 3; number <= MOST_REFUSED; number += 1)
      assert.deepEqual(await kept.add(`k${number}`), []);
    assert.deepEqual(await kept.add("last"), ["k2"]);
  });
  it("are listed again after a list that failed", async () => {
    let lists = 0;
    const kept = new KeptRefused(async () => {
      lists += 1;
      if (lists === 1) throw new Error("away");
      return [];
    });
    await assert.rejects(kept.add("k"), /away/);
    assert.deepEqual(await kept.add("k"), []);
    await kept.add("l");
    assert.equal(lists, 2);
  });
});
