// Delays, leases and schedules as LocalStack keeps them, by its own time. Run by `npm run test:localstack`.
import assert from "node:assert/strict";
import { GetScheduleCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, test } from "vitest";
import { ANYBODY } from "../../infra/testing/emulated-table.ts";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import type { Work } from "../../shared/bus/contract.ts";
import type { WorkItem } from "../../shared/bus/item.ts";
import { openSqsBus, SchedulerTimers, type SqsBus, sqsOptions } from "../../shared/bus/sqs/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { changed, done, F, failed, keyOf, route } from "../bus-contract/fixture.ts";
import { RETRY } from "../bus-contract/stage.ts";
import { type LocalStack, startLocalStack } from "./server.ts";

/** A lease as short as the options allow; LocalStack may end it a second late. */
const LEASE_SECONDS = 5;
const PATIENCE_MILLISECONDS = 20_000;

let server: LocalStack | undefined;
let client: SQSClient | undefined;
let number = 0;
beforeAll(async () => {
  server = await startLocalStack();
  client = new SQSClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: ANYBODY,
    useQueueUrlAsEndpoint: false,
  });
});
afterAll(async () => {
  client?.destroy();
  await server?.stop();
});

/** Buses of several processes on new queues; they end with the test. */
async function installation(t: { onTestFinished(end: () => Promise<void>): void }): Promise<() => SqsBus> {
  const sqs = client ?? assert.fail("LocalStack was not started");
  number += 1;
  const name = (what: string): string => `real-${process.pid}-${Date.now()}-${number}-${what}`;
  const make = async (QueueName: string, Attributes: Readonly<Record<string, string>>): Promise<string> =>
    (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? "";
  const workQueue = await make(name("work.fifo"), { FifoQueue: "true" });
  const timerQueue = await make(name("timers"), {});
  const store = new MemoryStateStore(systemClock);
  return () => {
    const bus = openSqsBus({
      ...sqsOptions.parse({
        workQueue,
        timerQueue,
        table: "unused",
        leaseSeconds: LEASE_SECONDS,
        waitSeconds: 1,
      }),
      functions: [F],
      route,
      retry: RETRY,
      clock: systemClock,
      random: () => 0,
      store,
      client: sqs,
    });
    t.onTestFinished(() => bus.close());
    return bus;
  };
}

/** What was run; `run` waits for the n-th run. */
function recorded(act: (item: WorkItem) => ReturnType<Work>) {
  const taken: { readonly item: WorkItem; readonly at: number }[] = [];
  const waiters: (() => void)[] = [];
  const work: Work = ({ item }) => {
    taken.push({ item, at: performance.now() });
    for (const waiter of waiters) waiter();
    return act(item);
  };
  const run = (n: number): Promise<{ readonly item: WorkItem; readonly at: number }> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`only ${taken.length} of ${n} runs`)),
        PATIENCE_MILLISECONDS,
      );
      const look = (): void => {
        const found = taken[n - 1];
        if (found === undefined) return;
        clearTimeout(late);
        resolve(found);
      };
      waiters.push(look);
      look();
    });
  return { work, run };
}

test("B5, B7: a retry is delayed by SQS itself, and woken by long polling", async (t) => {
  const bus = (await installation(t))();
  const { work, run } = recorded(async (item) => (item.attempt === 1 ? failed(item) : done(item)));
  bus.consume({ parallel: 2 }, work);
  await bus.publish([changed("a")]);
  const first = await run(1);
  const second = await run(2);
  assert.equal(second.item.attempt, 2);
  assert.deepEqual(
    second.item.causes.map(({ sort }) => sort),
    ["retry"],
  );
  assert.ok(second.at - first.at >= RETRY.initialMilliseconds, `after ${second.at - first.at} ms`);
});

test("B3: what a dead host held comes back when its lease is over, and not while a living one renews it", async (t) => {
  const open = await installation(t);
  const [dies, lives, third] = [open(), open(), open()];
  const hangs = recorded(() => new Promise<never>(() => undefined));
  dies.consume({ parallel: 1 }, hangs.work);
  await dies.publish([changed("a")]);
  const first = await hangs.run(1);
  dies.abandon();
  const ended = Promise.withResolvers<void>();
  const slow = recorded(async (item) => {
    await ended.promise;
    return done(item);
  });
  lives.consume({ parallel: 1 }, slow.work);
  const again = await slow.run(1);
  // A first death charges nobody: the host may have died of anything that it held.
  assert.equal(again.item.attempt, 1);
  assert.ok(again.at - first.at >= (LEASE_SECONDS - 1) * 1000, `after ${again.at - first.at} ms`);
  const other = recorded(async (item) => done(item));
  third.consume({ parallel: 1 }, other.work);
  await lives.publish([changed("b")]);
  // Longer than a lease: the key stays where it is renewed, and others go on meanwhile.
  assert.equal((await other.run(1)).item.key, "b");
  await systemClock.sleep((LEASE_SECONDS + 2) * 1000);
  const ran = Promise.withResolvers<number>();
  lives.subscribe({ ran: ({ attempt }) => ran.resolve(attempt) });
  ended.resolve();
  assert.equal(await ran.promise, 1);
  assert.equal((await lives.pending(keyOf("a"))).attempts, 0);
});

test("a distant timer is a schedule that is replaced by name", async () => {
  const endpoint = server?.endpoint ?? assert.fail("LocalStack was not started");
  const scheduler = new SchedulerClient({ endpoint, region: "us-east-1", credentials: ANYBODY });
  const timers = new SchedulerTimers(scheduler, {
    group: "default",
    role: "arn:aws:iam::000000000000:role/timers",
    queue: "arn:aws:sqs:us-east-1:000000000000:timers",
  });
  const name = `timer-${process.pid}-${Date.now()}`;
  await timers.set({ name, at: Date.UTC(2030, 0, 1), body: "first" });
  await timers.set({ name, at: Date.UTC(2031, 5, 1, 10, 0, 0, 1), body: "second" });
  const schedule = await scheduler.send(new GetScheduleCommand({ Name: name }));
  scheduler.destroy();
  assert.equal(schedule.ScheduleExpression, "at(2031-06-01T10:00:01)");
  assert.equal(schedule.Target?.Input, "second");
});
