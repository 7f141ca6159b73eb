import assert from "node:assert/strict";
import { it } from "vitest";
import { Turns } from "./turns.ts";

it("lets so many go at once, the others in their order, and goes on after a failure", async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 5 }, (_, index) =>
    turns.take(async () => {
      begun.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 0) throw new Error("the first fails");
      return index;
    }),
  );
  const settled = Promise.allSettled(all);
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(begun.length <= round + 2);
    ends[round]?.();
  }
  const states = (await settled).map(({ status }) => status);
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  assert.deepEqual(states, ["rejected", "fulfilled", "fulfilled", "fulfilled", "fulfilled"]);
});
