import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
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

test("what is published and taken in one tick shares one transaction", async () => {
  const clock = manualClock();
  let transactions = 0;
  const hook = (sql: string, when: string): void => {
    if ((sql.startsWith("BEGIN") || sql === "APPEND") && when === "before") transactions += 1;
  };
  const bus = openEmbeddedBus({ file: join(folder, "tick.db"), route: () => [], clock, hook });
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

test("a bus at rest writes nothing", async () => {
  const clock = manualClock();
  let writes = 0;
  const hook = (sql: string, when: string): void => {
    if ((sql.startsWith("BEGIN") || sql === "APPEND") && when === "before") writes += 1;
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

test("where the journal finds no space nothing is dropped, the bus is not ready, and what ends makes room", async () => {
  const clock = manualClock();
  let full = false;
  const hook = (sql: string): void => {
    if (full && sql === "APPEND")
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    if (full && sql.startsWith("INSERT OR REPLACE INTO probe"))
      throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  };
  const file = join(folder, "no-space.db");
  const bus = openEmbeddedBus({ file, route: () => [], clock, hook });
  await bus.enqueue([item("before")]);
  full = true;
  await assert.rejects(bus.enqueue([item("refused")]), { code: "BUS_FULL" });
  assert.equal(bus.ready(), false);
  await assert.rejects(bus.enqueue([item("refused")]), { code: "BUS_FULL" });
  const runs: string[] = [];
  const consumer = bus.consume({ parallel: 1 }, async (lease) => {
    runs.push(lease.item.key);
    return finished(lease);
  });
  await clock.advance(3_000);
  assert.deepEqual(runs, ["before"], "what was taken in before is run meanwhile");
  assert.equal(bus.ready(), false);
  full = false;
  await clock.advance(1_000);
  assert.equal(bus.ready(), true);
  await consumer.stop();
  await bus.enqueue([item("after")]);
  bus.abandon();
  const next = openEmbeddedBus({ file, route: () => [], clock });
  assert.deepEqual(
    await Promise.all(
      ["before", "refused", "after"].map(async (key) => (await next.pending({ function: "f", key })).waiting),
    ),
    [false, false, true],
  );
  await next.close();
});
