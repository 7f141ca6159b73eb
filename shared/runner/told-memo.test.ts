import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ToldMemo } from "./told-memo.ts";

describe("the Events that were told", () => {
  it("are remembered, the first ones forgotten beyond the bound", () => {
    const told = new ToldMemo(2);
    for (const subject of ["a", "b", "b", "c"]) told.add(subject);
    assert.deepEqual(
      ["a", "b", "c"].map((subject) => told.has(subject)),
      [false, true, true],
    );
  });
});
