import assert from "node:assert/strict";
import { DeleteMessageCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, test, vi } from "vitest";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import type { Work } from "../../shared/bus/contract.ts";
import { BusError } from "../../shared/bus/errors.ts";
import type { WorkKey } from "../../shared/bus/item.ts";
import {
  type Delivery,
  type DistantTimer,
  type DistantTimers,
  type SqsBus,
  workQueueOf,
} from "../../shared/bus/sqs/index.ts";
import { type Emulated, openOn, startEmulated } from "./fauxqs.ts";
import { changed, done, F, failed, item, keyOf } from "./fixture.ts";
import { RETRY, requestAt } from "./stage.ts";

const HOUR = 3_600_000;
let emulated: Emulated | undefined;
beforeAll(async () => {
  emulated = await startEmulated();
});
afterAll(() => emulated?.stop());

/** Emulated queues with an empty table, and what Lambda's event source mapping does with their messages. */
async function lambda() {
  const started = emulated ?? assert.fail("the emulator was not started");
  const clock = started.emulation.clock();
  const queues = await started.queues();
  const store = new MemoryStateStore(clock);
  /** @param behind by how much the clock of its host is */
  const open = (distant?: DistantTimers, behind = 0): SqsBus =>
    openOn(started, requestAt({ ...clock, now: () => clock.now() - behind }), {
      queues,
      store,
      ...(distant !== undefined && { distant }),
    });
  /** Hands in what a queue holds; what does not come again is deleted, nothing where the invocation failed. */
  const drain = async (
    QueueUrl: string,
    invoke: (deliveries: readonly Delivery[]) => Promise<readonly Delivery[]>,
  ): Promise<string> => {
    const { Messages = [] } = await started.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 90,
        MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      }),
    );
    const deliveries = Messages.map(({ MessageId = "", ReceiptHandle = "", Body = "", Attributes }) => ({
      id: MessageId,
      receipt: ReceiptHandle,
      body: Body,
      receives: Number(Attributes?.ApproximateReceiveCount),
    }));
    const invocation = invoke(deliveries);
    invocation.catch(() => undefined);
    await clock.advance(5_000);
    try {
      const again = await invocation;
      for (const { receipt } of deliveries.filter((each) => !again.includes(each)))
        await started.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receipt }));
      return `${deliveries.length} received, ${again.length} again`;
    } catch (thrown) {
      assert.ok(thrown instanceof BusError, String(thrown));
      return `${deliveries.length} received, ${thrown.code}`;
    }
  };
  const invoke = (bus: SqsBus, work: Work): Promise<string> =>
    drain(workQueueOf(queues, F), (deliveries) =>
      bus.deliver(deliveries, work, { until: clock.now() + 59_000 }),
    );
  const ring = (bus: SqsBus): Promise<string> =>
    drain(queues.timerQueue, (deliveries) => bus.fire(deliveries));
  return { clock, store, open, invoke, ring };
}

test("a table that is away costs an item no attempt, however often Lambda is called meanwhile", async () => {
  const { store, open, invoke } = await lambda();
  let away = true;
  const load = store.load.bind(store);
  vi.spyOn(store, "load").mockImplementation((key: WorkKey) =>
    away ? Promise.reject(new Error("the table does not answer")) : load(key),
  );
  const bus = open();
  await bus.publish([changed("a", { id: "of-a" }), changed("b", { id: "of-b" })]);
  const ran: string[] = [];
  const work: Work = async ({ item }) => {
    ran.push(`${item.key} ${item.attempt} ${item.causes.map(({ eventId }) => eventId).join()}`);
    return done(item);
  };
  for (let round = 0; round < RETRY.maximumAttempts * 2; round++)
    assert.equal(await invoke(bus, work), "2 received, BUS_UNREACHABLE");
  away = false;
  assert.equal(await invoke(bus, work), "2 received, 0 again");
  assert.deepEqual(ran.toSorted(), ["a 1 of-a", "b 1 of-b"]);
  assert.deepEqual(await bus.deadLetters.list(), []);
  assert.equal(await invoke(bus, work), "0 received, 0 again");
});

test("a retry is not lost where the clock of the host that is to run it is behind", async () => {
  const { open, invoke, ring } = await lambda();
  const ahead = open();
  const behind = open(undefined, 10_000);
  await ahead.enqueue([item("a")]);
  assert.equal(await invoke(ahead, async ({ item }) => failed(item)), "1 received, 0 again");
  const ran: number[] = [];
  const work: Work = async ({ item }) => {
    ran.push(item.attempt);
    return done(item);
  };
  assert.equal(await ring(ahead), "1 received, 0 again");
  assert.equal(await invoke(behind, work), "1 received, 0 again");
  assert.deepEqual(ran, [2]);
});

test("a distant deadline rings though the table failed while an earlier one was being set", async () => {
  const { clock, store, open, invoke, ring } = await lambda();
  const schedules = new Map<string, DistantTimer>();
  const bus = open({ set: async (timer) => void schedules.set(timer.name, timer) });
  const at = (hours: number): string => new Date(start + hours * HOUR).toISOString();
  const start = clock.now();
  const wants = async (...hours: readonly number[]): Promise<void> => {
    await bus.enqueue([item("a")]);
    const deadlines = Object.fromEntries(hours.map((hour) => [`at-${hour}`, at(hour)]));
    await invoke(bus, async ({ item }) => done(item, { deadlines }));
  };
  await wants(10);
  const save = vi.spyOn(store, "save").mockRejectedValue(new Error("the table does not answer"));
  await wants(5, 10);
  save.mockRestore();
  await wants(10);
  assert.deepEqual((await bus.pending(keyOf("a"))).deadlines, { "at-10": at(10) });
  const woken: (string | undefined)[] = [];
  for (let hour = 1; hour <= 11; hour++) {
    await clock.advance(start + hour * HOUR - clock.now());
    for (const [name, timer] of schedules)
      if (timer.at <= clock.now()) {
        schedules.delete(name);
        await bus.fire([{ id: name, receipt: "", body: timer.body, receives: 1 }]);
      }
    await ring(bus);
    await invoke(bus, async ({ item }) => {
      woken.push(...item.causes.map(({ timer }) => timer));
      return done(item, { deadlines: undefined });
    });
  }
  assert.deepEqual(
    woken.filter((timer) => timer !== undefined),
    ["at-10"],
  );
});
