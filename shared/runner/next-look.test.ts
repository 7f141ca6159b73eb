import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { nextLook } from "./next-look.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;
const looks = Array.from({ length: 1_000 }, (_, number) =>
  nextLook("30m", { function: "manifests", key: `key-${number}` }, NOW),
);

describe("the next look of a net", () => {
  it("comes after its time, a fifth sooner or later", () => {
    const minutes = looks.map((at) => (at - NOW) / MINUTE);
    assert.ok(Math.min(...minutes) >= 24 && Math.max(...minutes) <= 36);
    const mean = minutes.reduce((sum, one) => sum + one, 0) / minutes.length;
    assert.ok(Math.abs(mean - 30) < 0.5, `${mean}`);
  });
  it("is strewn over keys, and over times", () => {
    // Twelve minutes for a thousand keys: none has more than its share by far.
    const perMinute = new Map<number, number>();
    for (const at of looks)
      perMinute.set(Math.floor(at / MINUTE), (perMinute.get(Math.floor(at / MINUTE)) ?? 0) + 1);
    assert.ok(Math.max(...perMinute.values()) < 150);
    const key = { function: "manifests", key: "key-1" };
    assert.equal(nextLook("30m", key, NOW), nextLook("30m", key, NOW));
    assert.notEqual(nextLook("30m", key, NOW) - NOW, nextLook("30m", key, NOW + 1) - NOW - 1);
  });
});
