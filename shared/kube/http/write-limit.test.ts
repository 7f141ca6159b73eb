import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { WriteLimit } from "./write-limit.ts";

/** Answers `writes` writes of a client that always has more, each after as long as `takes` says for the number in flight. */
function answer(limit: WriteLimit, writes: number, takes: (inFlight: number) => number, from = 0): number {
  const inFlight: { readonly sentAt: number; readonly until: number }[] = [];
  let now = from;
  let sent = 0;
  const send = (): void => {
    while (sent < writes && inFlight.length < limit.size) {
      sent++;
      inFlight.push({ sentAt: now, until: now + takes(limit.size) });
    }
  };
  for (send(); inFlight.length > 0; send()) {
    const next = inFlight.reduce((one, other) => (other.until < one.until ? other : one));
    inFlight.splice(inFlight.indexOf(next), 1);
    now = next.until;
    limit.answered(next.sentAt, now);
  }
  return now;
}

/** A server that does so many at once in 4 ms, and shares its time among more. */
const sharing = (atOnce: number) => (inFlight: number) => (4 * Math.max(atOnce, inFlight)) / atOnce;

describe("the number of writes in flight", () => {
  it("begins with 8, or with what is allowed", () => {
    assert.equal(new WriteLimit(32).size, 8);
    assert.equal(new WriteLimit(3).size, 3);
  });

  it("grows to what is allowed while a write costs the server no more", () => {
    for (const atOnce of [2, 8, 20, 100]) {
      const limit = new WriteLimit(32);
      answer(limit, 400, sharing(atOnce));
      assert.equal(limit.size, 32, `${atOnce} at once`);
    }
  });

  it("steps back where more of them make the server slower for each, and tries again only after a while", () => {
    const limit = new WriteLimit(32);
    const crowded = (inFlight: number): number => (inFlight <= 12 ? 6 : inFlight ** 2 / 20);
    const sizes = new Set<number>();
    let now = 0;
    for (let round = 0; round < 400; round++) {
      now = answer(limit, 1, crowded, now);
      sizes.add(limit.size);
    }
    now = answer(limit, 600, crowded, now);
    assert.ok(limit.size <= 18, `${limit.size}`);
    assert.ok(Math.max(...sizes) <= 27, `${Math.max(...sizes)}`);
  });

  it("falls where the server becomes slower, and grows again with it", () => {
    const limit = new WriteLimit(32);
    let now = answer(limit, 400, sharing(16));
    const inTrouble = (inFlight: number): number => inFlight ** 2;
    now = answer(limit, 400, inTrouble, now);
    assert.ok(limit.size <= 12, `${limit.size}`);
    answer(limit, 4_000, sharing(16), now);
    assert.equal(limit.size, 32);
  });

  it("is halved where the server refuses, once for all that were sent together, and never below 2", () => {
    const limit = new WriteLimit(32);
    const now = answer(limit, 400, sharing(16));
    const sizes = [];
    for (let round = 1; round <= 6; round++) {
      for (let each = 0; each < 5; each++) limit.refused(now + 10 * round, now + 10 * round + 5);
      sizes.push(limit.size);
    }
    assert.deepEqual(sizes, [16, 8, 4, 2, 2, 2]);
  });

  it("grows by one after a refusal", () => {
    const limit = new WriteLimit(32);
    let now = answer(limit, 400, sharing(16));
    limit.refused(now + 1, now + 2);
    const sizes = [limit.size];
    now += 10;
    for (let each = 0; each < 3_000; each++) {
      now = answer(limit, limit.size, sharing(16), now);
      if (sizes.at(-1) !== limit.size) sizes.push(limit.size);
    }
    assert.deepEqual(sizes.slice(0, 4), [16, 17, 18, 19]);
    assert.equal(limit.size, 32);
  });

  it("stays where a single write is allowed", () => {
    const limit = new WriteLimit(1);
    limit.refused(1, 2);
    answer(limit, 100, sharing(8), 10);
    assert.equal(limit.size, 1);
  });
});
