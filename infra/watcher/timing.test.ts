import assert from "node:assert/strict";
import { test } from "vitest";
import { backOff, defaultTiming } from "./timing.ts";

test("a server that returns is asked again within 10 s, however long it was away", () => {
  const { backOffFirst, backOffMost } = defaultTiming;
  for (const attempt of [1, 2, 5, 10, 1_000])
    for (const random of [0, 0.5, 0.999]) {
      const pause = backOff(attempt, backOffFirst, backOffMost, () => random);
      assert.ok(pause >= backOffFirst / 2 && pause <= 8_000, `${pause} ms after attempt ${attempt}`);
    }
});
