import assert from "node:assert/strict";
import { test } from "vitest";
import type { Cause } from "../bus/item.ts";
import { Wakers } from "./wakers.ts";

const cause = (sort: Cause["sort"], resourceVersion?: string): Cause => ({
  sort,
  eventId: `${sort}/${resourceVersion}`,
  type: "resource.changed",
  revives: false,
  at: "2026-01-15T10:00:00Z",
  ...(resourceVersion !== undefined && { uid: "u", resourceVersion }),
});
const woke = (...causes: readonly Cause[]): Promise<boolean> =>
  new Wakers(async ({ resourceVersion }) => resourceVersion === "ours").onlyFunctions(causes);

test("a run that goes on by itself, or by a net, was woken by nobody else", async () => {
  assert.equal(await woke(cause("again"), cause("net")), true);
});
test("a change counts as a function's where one of ours wrote that version", async () => {
  assert.equal(await woke(cause("own", "ours"), cause("again")), true);
  assert.equal(await woke(cause("own", "ours"), cause("own", "theirs")), false);
});
test("what tells of no version was somebody else", async () => {
  assert.equal(await woke(cause("command")), false);
});

/** A chain of runs, each woken by what the one before wrote; the first one by `began`. */
const chained = (runs: number, began: Cause): Promise<boolean> => {
  const wakers = new Wakers(async ({ resourceVersion }) => resourceVersion !== "theirs");
  let causes: readonly Cause[] = [began];
  for (let run = 1; run <= runs; run += 1) {
    wakers.remember([{ uid: "u", resourceVersion: String(run) }], causes);
    causes = [cause("own", String(run))];
  }
  return wakers.onlyFunctions(causes);
};
test("a copy of what another function made of somebody's change is nobody's loop", async () => {
  assert.equal(await chained(1, cause("child", "theirs")), false);
  assert.equal(await chained(3, cause("command")), false);
});
test("a chain that nobody but functions began is theirs", async () => {
  assert.equal(await chained(3, cause("net")), true);
});
test("a chain that goes on for ever is a loop, whoever began it", async () => {
  assert.equal(await chained(8, cause("child", "theirs")), true);
});
test("a version that another host's run wrote is a function's, whoever woke that", async () => {
  const wakers = new Wakers(async () => true);
  assert.equal(await wakers.onlyFunctions([cause("own", "elsewhere")]), true);
});
test("what was written longest ago is forgotten", async () => {
  const wakers = new Wakers(async ({ resourceVersion }) => resourceVersion !== "theirs");
  wakers.remember([{ uid: "u", resourceVersion: "first" }], [cause("own", "theirs")]);
  assert.equal(await wakers.onlyFunctions([cause("own", "first")]), false);
  for (let version = 0; version < 10_000; version += 1)
    wakers.remember([{ uid: "u", resourceVersion: String(version) }], []);
  assert.equal(await wakers.onlyFunctions([cause("own", "first")]), true);
});
