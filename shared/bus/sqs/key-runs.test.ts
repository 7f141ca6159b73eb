import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { MemoryStateStore } from "../../../infra/testing/memory-store.ts";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { silent } from "../../log/log.ts";
import type { Finished } from "../contract.ts";
import type { WorkItem } from "../item.ts";
import { defaultRetry } from "../retry.ts";
import type { RunRecord } from "../run-record.ts";
import { type Arrival, KeyRuns } from "./key-runs.ts";
import { Holding } from "./leases.ts";
import type { Outbox } from "./outbox.ts";
import { KeyRecords } from "./records.ts";

const key = { function: "widget", key: "a" };
const needed = { cluster: "c", group: "", kind: "ConfigMap", namespace: "n", name: "needed" };
const LEASE = 90_000;

let number = 0;
const arrival = (): Arrival => {
  number += 1;
  const cause = {
    sort: "own",
    eventId: `e${number}`,
    type: "resource.changed",
    revives: false,
    at: "2026-01-15T10:00:00Z",
  } as const;
  const waiting = {
    lane: "urgent",
    causes: [cause],
    causesIncomplete: false,
    notBefore: 0,
    enqueuedAt: 0,
  } as const;
  return {
    delivery: { id: `m${number}`, receipt: `m${number}`, body: "", receives: 1 },
    work: { ...key, waiting, era: 0 },
  };
};

function runOf(item: WorkItem): RunRecord {
  number += 1;
  return {
    id: `run-${number}`,
    function: item.function,
    key: item.key,
    lane: item.lane,
    attempt: item.attempt,
    startedAt: "2026-01-15T10:00:00Z",
    milliseconds: 1,
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    causes: item.causes,
    reads: [],
    writes: [],
    outcome: "done",
    waitingFor: [],
    deadlines: {},
  };
}
const done = (item: WorkItem, over: Partial<Finished> = {}): Finished => ({
  state: "finished",
  echoes: [],
  waits: [],
  deadlines: {},
  net: undefined,
  again: false,
  enqueue: [],
  run: runOf(item),
  ...over,
});

/** Hosts on one table. Each may be stopped where it sends what its run leads to. */
function stage() {
  const clock = manualClock();
  const store = new MemoryStateStore(clock);
  const host = (sends: () => Promise<void> = async () => undefined): KeyRuns => {
    const outbox = { send: sends, alarm: async () => undefined } as unknown as Outbox;
    return new KeyRuns({
      store,
      records: new KeyRecords({ store, outbox, clock }),
      outbox,
      clock,
      log: silent,
      policy: defaultRetry,
      random: () => 0,
      historyMilliseconds: 1_000,
      ran: () => undefined,
    });
  };
  const held = (): Holding => new Holding(clock, clock.now() + LEASE);
  const begin = (on: KeyRuns, over: Partial<Finished>): Promise<boolean> =>
    on.run(key, [arrival()], held(), async ({ item }) => done(item, over));
  return { clock, store, host, begin };
}

describe("the end of a run that was overtaken", () => {
  for (const known of [false, true])
    test(`changes nothing of the newer run's, ${known ? "of a known key" : "of a new key"}`, async () => {
      const { clock, store, host, begin } = stage();
      if (known) assert.equal(await begin(host(), { echoes: [{ uid: "u", resourceVersion: "1" }] }), true);
      const sending = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const slow = host(() => {
        reached.resolve();
        return sending.promise;
      });
      const older = begin(slow, { echoes: [{ uid: "u", resourceVersion: "7" }] });
      await reached.promise;
      // It stands still for longer than it holds the key.
      clock.jump(LEASE + 1);
      const degraded = new Date(clock.now() + 600_000).toISOString();
      assert.equal(await begin(host(), { waits: [needed], deadlines: { degraded } }), true);
      sending.resolve();
      assert.equal(await older, false);
      const record = (await store.load(key))?.record;
      assert.deepEqual(record?.waits, [needed]);
      assert.deepEqual(record?.deadlines, { degraded });
      assert.deepEqual(record?.echoes, []);
      assert.equal((await store.waitingFor(needed)).length, 1);
    });

  test("is told by its number, where its own clock says that it still holds the key", async () => {
    const { store, host, begin } = stage();
    await begin(host(), { echoes: [{ uid: "u", resourceVersion: "1" }] });
    const sending = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = host(() => {
      reached.resolve();
      return sending.promise;
    });
    const older = begin(slow, { echoes: [{ uid: "u", resourceVersion: "7" }] });
    await reached.promise;
    // The newer one leaves nothing to remember; that it ran is remembered.
    assert.equal(await begin(host(), {}), true);
    sending.resolve();
    assert.equal(await older, false);
    assert.deepEqual((await store.load(key))?.record.echoes, []);
  });

  test("is told where nothing was known of the key, and the newer run of its message left nothing", async () => {
    const { clock, store, host } = stage();
    const { work, delivery } = arrival();
    const on = (receives: number, over: Partial<Finished>, sends?: () => Promise<void>): Promise<boolean> =>
      host(sends).run(
        key,
        [{ delivery: { ...delivery, receives }, work }],
        new Holding(clock, clock.now() + LEASE),
        async ({ item }) => done(item, over),
      );
    const sending = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const older = on(1, { waits: [needed] }, () => {
      reached.resolve();
      return sending.promise;
    });
    await reached.promise;
    assert.equal(await on(2, {}), true);
    sending.resolve();
    assert.equal(await older, false);
    assert.deepEqual((await store.load(key))?.record.waits, []);
  });

  test("is refused where the record that it began with was forgotten: its message comes again", async () => {
    const { store, host, begin } = stage();
    await begin(host(), { echoes: [{ uid: "u", resourceVersion: "1" }] });
    const sending = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = host(() => {
      reached.resolve();
      return sending.promise;
    });
    const older = begin(slow, { waits: [needed] });
    await reached.promise;
    await store.save(key, undefined, (await store.load(key))?.version ?? 0);
    sending.resolve();
    assert.equal(await older, false);
    assert.equal(await store.load(key), undefined);
    assert.equal(await begin(host(), { waits: [needed] }), true, "and then it is recorded");
    assert.deepEqual((await store.load(key))?.record.waits, [needed]);
  });

  test("is not taken for overtaken where only a timer fired meanwhile", async () => {
    const { clock, store, host, begin } = stage();
    const first = new Date(clock.now() + 1_000).toISOString();
    const second = new Date(clock.now() + 600_000).toISOString();
    await begin(host(), { deadlines: { first } });
    const on = host();
    const records = new KeyRecords({
      store,
      outbox: { alarm: async () => undefined } as unknown as Outbox,
      clock,
    });
    const ended = await on.run(
      key,
      [arrival()],
      new Holding(clock, clock.now() + LEASE),
      async ({ item }) => {
        await records.change(key, undefined, (record) => ({ ...record, deadlines: {} }));
        return done(item, { deadlines: { second } });
      },
    );
    assert.equal(ended, true);
    assert.deepEqual((await store.load(key))?.record.deadlines, { second });
  });

  test("leaves no record where there was none and nothing is to be remembered", async () => {
    const { store, host, begin } = stage();
    assert.equal(await begin(host(), {}), true);
    assert.equal(await store.load(key), undefined);
  });
});

test("of a suspect each run that ended with its host counts once, however often it was received without a run", async () => {
  const { clock, host } = stage();
  const { work, delivery } = arrival();
  const attempts: number[] = [];
  const receive = (receives: number): void => {
    const holding = new Holding(clock, clock.now() + LEASE);
    void host().run(key, [{ delivery: { ...delivery, receives }, work }], holding, async ({ item }) => {
      attempts.push(item.attempt);
      return new Promise<never>(() => undefined);
    });
  };
  // The fifth and the sixth were received by hosts that died before its turn came.
  for (const receives of [1, 2, 3, 4, 7, 8]) {
    receive(receives);
    await clock.settle();
  }
  assert.deepEqual(attempts, [1, 1, 1, 2, 3, 4]);
});
