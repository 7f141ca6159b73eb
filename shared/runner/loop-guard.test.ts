import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Cause } from "../bus/item.ts";
import { countedOf, LoopGuard } from "./loop-guard.ts";

const MINUTE = 60_000;
const at = "2026-01-01T00:00:00Z";
const cause = (eventId: string): readonly Cause[] => [
  { sort: "own", eventId, type: "resource.changed", revives: false, at },
];
const functions = cause("a function's write");
const somebody = cause("somebody's write");

describe("a function that answers its own writes", () => {
  const guardOf = (): { readonly guard: LoopGuard; asked: number } => {
    const kept = {
      asked: 0,
      guard: new LoopGuard(async (causes) => {
        kept.asked += 1;
        return causes === functions;
      }),
    };
    return kept;
  };
  const spin = async (guard: LoopGuard, runs: number, from: number): Promise<number> => {
    let rests = 0;
    for (let run = 0; run < runs; run++)
      if (await guard.wrote("f key", ["x"], functions, from + run)) rests += 1;
    return rests;
  };
  it("rests for a minute after more than 20 writes of one object within one", async () => {
    const { guard } = guardOf();
    assert.equal(await spin(guard, 20, 0), 0);
    assert.equal(guard.restsUntil("f key", 20), 0);
    assert.equal(await spin(guard, 1, 20), 1);
    assert.equal(guard.restsUntil("f key", 21), MINUTE + 20);
    assert.equal(guard.restsUntil("another key", 21), 0);
  });
  it("rests again after one more write when it goes on", async () => {
    const { guard } = guardOf();
    await spin(guard, 21, 0);
    assert.equal(guard.restsUntil("f key", MINUTE + 20), 0);
    assert.equal(await spin(guard, 1, MINUTE + 20), 1);
  });
  it("is forgotten in time, as a key that is gone would be, and before there are too many", async () => {
    const { guard } = guardOf();
    for (let key = 0; key < 50; key++)
      for (let run = 0; run < 21; run++) await guard.wrote(`f ${key}`, ["x"], functions, key + run);
    assert.equal(guard.resting, 50);
    for (let run = 0; run < 21; run++) await guard.wrote("f later", ["x"], functions, 20 * MINUTE + run);
    assert.equal(guard.resting, 1);
    const again: readonly Cause[] = [{ sort: "again", eventId: "e", type: "again", revives: false, at }];
    for (let key = 0; key < 10_050; key++)
      for (const now of [0, 11 * MINUTE]) await guard.wrote(`g ${key}`, [], again, 40 * MINUTE + now);
    assert.ok(guard.resting <= 10_000, `${guard.resting}`);
  });
  it("is left alone when somebody else changed something", async () => {
    const { guard } = guardOf();
    await spin(guard, 21, 0);
    await guard.wrote("f key", ["x"], somebody, MINUTE + 30);
    assert.equal(await spin(guard, 20, MINUTE + 31), 0);
  });
  it("counts from the last time that somebody else did", async () => {
    const { guard } = guardOf();
    await spin(guard, 15, 0);
    await guard.wrote("f key", ["x"], somebody, 15);
    assert.equal(await spin(guard, 20, 16), 0);
    assert.equal(await spin(guard, 1, 36), 1);
  });
  it("may write many objects, or one of them slowly", async () => {
    const { guard } = guardOf();
    for (let run = 0; run < 100; run++)
      assert.equal(await guard.wrote("f key", [`object-${run}`], functions, run), false);
    for (let run = 0; run < 100; run++)
      assert.equal(await guard.wrote("f slow", ["x"], functions, run * 4_000), false);
  });
  it("begins anew with an object that was made anew under its name, whose children were as well", async () => {
    const { guard } = guardOf();
    const applied = { verb: "apply", subject: "/ConfigMap/team/child", paths: [], sent: true } as const;
    for (let run = 0; run < 100; run++)
      for (const self of [`self-${run}`, undefined]) {
        const counted = countedOf(self, [{ ...applied, uid: `child-${run}` }]);
        assert.equal(await guard.wrote("f key", counted, functions, run), false);
      }
  });
  it("rests as well where it makes and removes one object for ever", async () => {
    const { guard } = guardOf();
    const removed = { verb: "remove", subject: "/ConfigMap/team/child", paths: [], sent: true } as const;
    let rests = false;
    for (let run = 0; run < 21; run++)
      rests = await guard.wrote("f key", countedOf("self", [{ ...removed, uid: `${run}` }]), functions, run);
    assert.equal(rests, true);
  });
  it("does not count what was not sent, nor Events", () => {
    const write = { subject: "/Event/team/e", paths: [], sent: true } as const;
    assert.deepEqual(
      countedOf("self", [
        { ...write, verb: "note" },
        { ...write, verb: "apply", sent: false },
      ]),
      [],
    );
  });
  it("may go on for as long as a long piece of work takes, slice by slice, and not for ever", async () => {
    const { guard } = guardOf();
    const slice: readonly Cause[] = [...functions, { ...cause("again")[0], sort: "again" } as Cause];
    for (let at = 0; at <= 10 * MINUTE; at += 2_000)
      assert.equal(await guard.wrote("f key", ["x"], slice, at), false);
    assert.equal(await guard.wrote("f key", ["x"], slice, 10 * MINUTE + 2_000), true);
    assert.equal(guard.restsUntil("f key", 10 * MINUTE + 3_000), 11 * MINUTE + 2_000);
  });
  it("begins a new chain with each new reason", async () => {
    const { guard } = guardOf();
    const slice: readonly Cause[] = [{ ...cause("again")[0], sort: "again" } as Cause];
    for (let piece = 0; piece < 4; piece++) {
      assert.equal(await guard.wrote("f key", ["x"], somebody, piece * 5 * MINUTE), false);
      assert.equal(await guard.wrote("f key", ["x"], slice, piece * 5 * MINUTE + 4 * MINUTE), false);
    }
  });
  it("is asked about who woke it only where it wrote so often", async () => {
    const kept = guardOf();
    await spin(kept.guard, 20, 0);
    assert.equal(kept.asked, 0);
    await spin(kept.guard, 1, 20);
    assert.equal(kept.asked, 21);
  });
});
