import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Finished, Lease } from "../contract.ts";
import type { NewItem } from "../item.ts";
import { openEmbeddedBus } from "./bus.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-lease-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const item = (key: string): NewItem => ({
  function: "f",
  key,
  lane: "urgent",
  cause: { sort: "own", eventId: `e-${key}`, type: "t", revives: false, at: "2026-01-15T10:00:00.000Z" },
});
const finished = ({ item: of }: Lease, over: Partial<Finished> = {}): Finished => ({
  state: "finished",
  echoes: [],
  waits: [],
  deadlines: {},
  net: undefined,
  again: false,
  enqueue: [],
  run: {
    id: `run-${of.key}-${of.attempt}`,
    function: of.function,
    key: of.key,
    lane: of.lane,
    attempt: of.attempt,
    startedAt: "2026-01-15T10:00:00.000Z",
    milliseconds: 1,
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    causes: of.causes,
    reads: [],
    writes: [],
    outcome: "done",
    waitingFor: [],
    deadlines: {},
  },
  ...over,
});

test("a process that was paused for longer than its lease has lost it, and its late ending counts for nothing", async () => {
  const clock = manualClock();
  let paused = false;
  const late: (() => void)[] = [];
  const pausable: Clock = {
    ...clock,
    after: (milliseconds, callback) =>
      clock.after(milliseconds, () => (paused ? late.push(callback) : callback())),
  };
  const file = join(folder, "paused.db");
  const sleeper = openEmbeddedBus({ file, route: () => [], clock: pausable });
  const other = openEmbeddedBus({ file, route: () => [], clock });
  const leases: Lease[] = [];
  const endings = [Promise.withResolvers<Finished>(), Promise.withResolvers<Finished>()];
  const work = (lease: Lease): Promise<Finished> => {
    leases.push(lease);
    return endings[leases.length - 1]?.promise ?? assert.fail("a third run");
  };
  sleeper.consume({ parallel: 1 }, work);
  await sleeper.enqueue([item("a")]);
  await clock.settle();
  other.consume({ parallel: 1 }, work);
  await clock.advance(29_000);
  assert.equal(leases.length, 1, "a renewed lease was taken");
  paused = true;
  await clock.advance(61_000);
  const [first, second] = leases;
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(second.item.attempt, 2);
  paused = false;
  for (const callback of late) callback();
  await clock.settle();
  assert.equal(await first.held(), false);
  assert.equal(first.signal.aborted, true);
  endings[0]?.resolve(finished(first, { enqueue: [item("never")] }));
  await clock.settle();
  assert.equal(await second.held(), true);
  assert.deepEqual(
    Object.values(await other.counts()).map(({ waiting, running }) => ({ waiting, running })),
    [{ waiting: 0, running: 1 }],
  );
  endings[1]?.resolve(finished(second));
  await clock.settle();
  assert.deepEqual(await other.counts(), {});
  assert.deepEqual(
    (await other.history.ofKey({ function: "f", key: "a" }, 10)).map(({ outcome }) => outcome),
    ["done", "lost"],
  );
  await sleeper.close();
  await other.close();
});

test("what is published and taken in one tick shares one transaction", async () => {
  const clock = manualClock();
  let transactions = 0;
  const hook = (sql: string, when: string): void => {
    if (sql.startsWith("BEGIN") && when === "before") transactions += 1;
  };
  const bus = openEmbeddedBus({ file: ":memory:", route: () => [], clock, hook });
  let runs = 0;
  bus.consume({ parallel: 100 }, async (lease) => {
    runs += 1;
    return finished(lease);
  });
  await clock.settle();
  transactions = 0;
  await Promise.all(Array.from({ length: 50 }, (_, i) => bus.enqueue([item(`k${i}`)])));
  await clock.settle();
  assert.equal(runs, 50);
  assert.ok(transactions <= 3, `${transactions} transactions`);
  await bus.close();
});

test("a bus at rest neither renews nor writes", async () => {
  const clock = manualClock();
  let writes = 0;
  const hook = (sql: string, when: string): void => {
    if (sql.startsWith("BEGIN") && when === "before") writes += 1;
  };
  const bus = openEmbeddedBus({ file: join(folder, "rest.db"), route: () => [], clock, hook });
  bus.consume({ parallel: 1 }, async (lease) => finished(lease));
  await clock.settle();
  writes = 0;
  await clock.advance(120_000);
  assert.equal(writes, 0);
  await bus.enqueue([item("a")]);
  await clock.settle();
  assert.deepEqual(await bus.counts(), {});
  await bus.close();
});
