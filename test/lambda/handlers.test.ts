import assert from "node:assert/strict";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { keptLog } from "../../infra/testing/watched-cluster.ts";
import type { Finished, Work } from "../../shared/bus/contract.ts";
import type { WorkItem } from "../../shared/bus/item.ts";
import { type SqsBus, workQueueOf } from "../../shared/bus/sqs/index.ts";
import {
  createLambdaHandler,
  createSqsHandler,
  createTimerHandler,
  type SqsEvent,
} from "../../shared/host/lambda/index.ts";
import { type Emulated, openOn, startEmulated } from "../bus-contract/fauxqs.ts";
import { changed, done, echo, F, failed, keyOf, route } from "../bus-contract/fixture.ts";
import { LEASE, RETRY, RUNS } from "../bus-contract/stage.ts";
import { contextOf, recordOf, turn } from "./event-source-mapping.ts";

const TIME_LIMIT = 5_000;
let emulated: Emulated | undefined;
beforeAll(async () => {
  emulated = await startEmulated();
});
afterAll(() => emulated?.stop());

/** A Lambda with its queues. Each call of `turns` is a new host, so nothing may be remembered in memory. */
async function deployed() {
  const on = emulated ?? assert.fail("the emulator was not started");
  const clock = on.emulation.clock();
  const queues = await on.queues();
  const store = new MemoryStateStore(clock);
  const history = { maximumAgeMilliseconds: 86_400_000, maximumRuns: RUNS };
  const request = { clock, route, retry: RETRY, leaseMilliseconds: LEASE, history };
  const lines: Parameters<typeof keptLog>[0] = [];
  const open = (): SqsBus => openOn(on, request, { queues, store, log: keptLog(lines) });
  const client = open();
  const invoke = async (work: Work): Promise<number> => {
    const handler = createSqsHandler({ bus: open(), work, clock });
    return turn(on.client, workQueueOf(queues, F), handler, {
      visibilitySeconds: LEASE / 1000,
      timeLimit: TIME_LIMIT,
    });
  };
  const timers = (): Promise<number> =>
    turn(on.client, queues.timerQueue, createTimerHandler({ bus: open() }), {
      visibilitySeconds: LEASE / 1000,
      timeLimit: TIME_LIMIT,
    });
  const received = async () => {
    const QueueUrl = workQueueOf(queues, F);
    const { Messages = [] } = await on.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        VisibilityTimeout: LEASE / 1000,
        MessageSystemAttributeNames: ["All"],
      }),
    );
    return Messages.map((message) => recordOf(message, QueueUrl));
  };
  return { on, clock, client, invoke, timers, received, open, store, lines };
}

/** Work that does what `act` says, and tells what it was given. */
const working = (taken: WorkItem[], act: (item: WorkItem) => Finished): Work => {
  return async ({ item }) => {
    taken.push(item);
    return act(item);
  };
};

describe("Lambda on SQS", () => {
  test("an event is run and acknowledged, and its answer names no failure", async () => {
    const { client, invoke } = await deployed();
    await client.publish([changed("a"), changed("b")]);
    const taken: WorkItem[] = [];
    assert.equal(await invoke(working(taken, (item) => done(item))), 2);
    assert.deepEqual(
      taken.map(({ key }) => key),
      ["a", "b"],
    );
    assert.equal(await invoke(working(taken, (item) => done(item))), 0);
    assert.deepEqual(await client.counts(), {});
  });

  test("a host that dies between effect and acknowledgement: the key is run again, and it counts as no attempt yet", async () => {
    const { client, clock, invoke } = await deployed();
    await client.publish([changed("a", { id: "first" })]);
    const effects: string[] = [];
    // The handler's process is gone: nobody ever sees its answer or an acknowledgement.
    void invoke(({ item }) => {
      effects.push(`${item.causes[0]?.eventId} at attempt ${item.attempt}`);
      return new Promise<never>(() => undefined);
    });
    await clock.settle();
    await client.publish([changed("a", { id: "second" })]);
    const taken: WorkItem[] = [];
    const work = working(taken, (item) => {
      effects.push(`${item.causes[0]?.eventId} at attempt ${item.attempt}`);
      return done(item);
    });
    assert.equal(await invoke(work), 0, "the group is held while the host may live");
    await clock.advance(LEASE);
    assert.equal(await invoke(work), 1);
    assert.equal(await invoke(work), 1);
    assert.equal(await invoke(work), 0);
    assert.deepEqual(effects, ["first at attempt 1", "first at attempt 1", "second at attempt 1"]);
  });

  test("B5: a message that kills every host ends in the dead letters and does not run any more", async () => {
    const { client, clock, invoke } = await deployed();
    await client.publish([changed("poison", { uid: "u", generation: 4 })]);
    let runs = 0;
    const dying: Work = () => {
      runs += 1;
      return new Promise<never>(() => undefined);
    };
    // Of the first two deaths nobody knows what ran beside it.
    const hosts = RETRY.maximumAttempts + 2;
    for (let host = 0; host < hosts; host++) {
      void invoke(dying);
      await clock.settle();
      await clock.advance(LEASE);
    }
    assert.equal(runs, hosts);
    assert.equal(await invoke(dying), 1);
    assert.equal(runs, hosts);
    const letter = await client.deadLetters.show(keyOf("poison"));
    assert.equal(letter?.error.code, "BUS_HOST_DIED");
    assert.equal(letter?.attempts, RETRY.maximumAttempts);
    await clock.advance(LEASE);
    assert.equal(await invoke(dying), 0);
  });

  test("B5: what came in one batch with a message that kills its hosts runs without it, and that alone is given up", async () => {
    const { client, clock, invoke } = await deployed();
    const innocents = ["a", "b"];
    await client.publish([...innocents, "poison"].map((name) => changed(name)));
    const ended: Record<string, number> = {};
    const hosts = { killed: 0 };
    for (let round = 0; (await client.deadLetters.list()).length === 0; round++) {
      assert.ok(round < 30, "it is never given up");
      const running = new Set<string>();
      const invocation = invoke(async ({ item }) => {
        running.add(item.key);
        if (item.key === "poison" || hosts.killed < 2) return new Promise<never>(() => undefined);
        ended[item.key] = item.attempt;
        return done(item);
      });
      await clock.settle();
      if (hosts.killed >= 2) assert.ok(running.size <= 1, `${[...running].join()} ran side by side`);
      if (running.has("poison") || hosts.killed < 2) {
        hosts.killed += 1;
        await clock.advance(LEASE);
      } else await invocation;
    }
    assert.equal(hosts.killed, RETRY.maximumAttempts + 2);
    for (const _ of innocents)
      await invoke(async ({ item }) => {
        ended[item.key] = item.attempt;
        return done(item);
      });
    assert.deepEqual(ended, { a: 1, b: 1 });
    assert.deepEqual(
      (await client.deadLetters.list()).map(({ key, attempts }) => [key, attempts]),
      [["poison", RETRY.maximumAttempts]],
    );
  });

  test("a bystander of a suspect goes back before it runs, and its own deaths stay known", async () => {
    const { client, clock, invoke, received } = await deployed();
    await client.publish([changed("poison")]);
    const dying: Work = () => new Promise<never>(() => undefined);
    for (let host = 0; host < 2; host++) {
      void invoke(dying);
      await clock.settle();
      await clock.advance(LEASE);
    }
    await client.publish([changed("b")]);
    void invoke(dying);
    await clock.settle();
    assert.deepEqual(
      (await received()).map(({ body, attributes }) => [
        JSON.parse(body).key,
        attributes.ApproximateReceiveCount,
      ]),
      [[keyOf("b").key, "1"]],
    );
  });

  test("what still runs when the time is over has lost its lease, and comes again at once", async () => {
    const { client, clock, invoke } = await deployed();
    await client.publish([changed("slow"), changed("quick")]);
    const held: boolean[] = [];
    const work: Work = async ({ item, held: stillHeld, signal }) => {
      if (item.key === "quick" || item.attempt > 1) return done(item);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      held.push(await stillHeld());
      return { state: "lost" };
    };
    const first = invoke(work);
    await clock.settle();
    await clock.advance(TIME_LIMIT);
    assert.equal(await first, 2);
    assert.deepEqual(held, [false]);
    const taken: WorkItem[] = [];
    assert.equal(await invoke(working(taken, (item) => done(item))), 1);
    assert.deepEqual(
      taken.map(({ key, attempt }) => [key, attempt]),
      [["slow", 1]],
    );
  });

  test("B3: of messages that Lambda held back for long no other host gets any while they run", async () => {
    const { client, clock, open, received } = await deployed();
    await client.publish([changed("late")]);
    const held = await received();
    await clock.advance(LEASE - 5_000);
    const ended: string[] = [];
    const gate = Promise.withResolvers<void>();
    const running = createSqsHandler({
      bus: open(),
      work: async ({ item }) => {
        await gate.promise;
        ended.push(item.key);
        return done(item);
      },
      clock,
    })({ Records: held }, contextOf(20_000));
    await clock.settle();
    await clock.advance(10_000);
    assert.deepEqual(await received(), []);
    gate.resolve();
    assert.deepEqual(await running, { batchItemFailures: [] });
    assert.deepEqual(ended, ["late"]);
  });

  test("B2: of several messages of a key in one batch one run is made, with the causes of all", async () => {
    const { client, open, clock } = await deployed();
    const sent: SqsEvent["Records"][number][] = [];
    for (const [index, id] of ["one", "two", "three"].entries()) {
      const lane = id === "two" ? "urgent" : "sweep";
      const event = changed("a", { id, uid: "u", resourceVersion: String(index), lane });
      const [item] = route(event);
      assert.ok(item !== undefined);
      sent.push({
        messageId: id,
        receiptHandle: id,
        body: JSON.stringify({
          function: item.function,
          key: item.key,
          era: 0,
          waiting: {
            lane: item.lane,
            causes: [item.cause],
            causesIncomplete: false,
            notBefore: 0,
            enqueuedAt: clock.now(),
          },
        }),
        attributes: { ApproximateReceiveCount: "1", ApproximateFirstReceiveTimestamp: String(clock.now()) },
        eventSource: "aws:sqs",
        eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:widget.fifo",
      });
    }
    const taken: WorkItem[] = [];
    const handle = (bus: SqsBus, records: SqsEvent["Records"], act: (item: WorkItem) => Finished) =>
      createSqsHandler({ bus, work: working(taken, act), clock })(
        { Records: records },
        contextOf(TIME_LIMIT),
      );
    const echoes = [echo("u", "0"), echo("u", "1"), echo("u", "2")];
    assert.deepEqual(await handle(open(), sent, (item) => done(item, { echoes })), { batchItemFailures: [] });
    assert.equal(taken.length, 1);
    assert.equal(taken[0]?.lane, "urgent");
    assert.deepEqual(
      taken[0]?.causes.map(({ eventId }) => eventId),
      ["one", "two", "three"],
    );
    // The events of the run's own writes, in another batch and another host, tell it nothing.
    await handle(open(), sent, (item) => done(item));
    assert.equal(taken.length, 1);
    assert.equal((await client.history.ofKey(keyOf("a"), 10)).length, 1);
  });

  test("a failed run is acknowledged; its retry comes through the timer queue, over many hosts", async () => {
    const { client, clock, invoke, timers } = await deployed();
    await client.publish([changed("a")]);
    const attempts: number[] = [];
    const work: Work = async ({ item }) => {
      attempts.push(item.attempt);
      return item.attempt < 3 ? failed(item) : done(item);
    };
    assert.equal(await invoke(work), 1);
    assert.equal(await invoke(work), 0);
    for (const wait of [1_000, 2_000]) {
      assert.equal(await timers(), 0, "it is not due");
      await clock.advance(wait);
      assert.equal(await timers(), 1);
      assert.equal(await invoke(work), 1);
    }
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.deepEqual(await client.counts(), {});
    assert.equal((await client.pending(keyOf("a"))).attempts, 0);
  });

  test("a message that is none of ours is kept where people look, and does not come again", async () => {
    const { client, clock, open, lines } = await deployed();
    const handler = createSqsHandler({ bus: open(), work: () => assert.fail("it ran"), clock });
    const Records = [
      {
        messageId: "strange",
        receiptHandle: "r",
        body: "no JSON",
        attributes: { ApproximateReceiveCount: "1" },
        eventSource: "aws:sqs",
        eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:widget.fifo",
      },
    ] as const;
    const answer = await handler({ Records }, contextOf(TIME_LIMIT));
    assert.deepEqual(answer, { batchItemFailures: [] });
    assert.equal((await client.deadLetters.show({ function: "-", key: "strange" }))?.event, "no JSON");
    const told = (): readonly unknown[] =>
      lines.flatMap(({ level, fields }) => {
        const { outcome, key } = fields as { readonly outcome?: string; readonly key?: string };
        return level === "error" && outcome === "dead" ? [key] : [];
      });
    assert.deepEqual(told(), ["strange"], "and is told as what a function gave up: the same alarm sees it");
    const timers = createTimerHandler({ bus: open() });
    const [record] = Records;
    assert.deepEqual(
      await timers({ Records: [{ ...record, messageId: "odd", body: "[]" }] }, contextOf(TIME_LIMIT)),
      { batchItemFailures: [] },
    );
    assert.equal((await client.deadLetters.show({ function: "-", key: "odd" }))?.event, "[]");
    assert.deepEqual(told(), ["strange", "odd"]);
    assert.equal(await client.deadLetters.redrive({ function: "-", key: "odd" }, "alice"), true);
    assert.deepEqual(
      (await client.deadLetters.list({ function: "-" })).map(({ key }) => key).sort(),
      ["odd", "strange"],
      "what is no event cannot be published; it stays, alone",
    );
  });

  test("messages of a newer version alone are told as that, not as a bus that is away", async () => {
    const { clock, open } = await deployed();
    const handler = createSqsHandler({ bus: open(), work: () => assert.fail("it ran"), clock });
    const record = {
      messageId: "newer",
      receiptHandle: "r",
      body: JSON.stringify({ version: 1_000, function: F, key: "a" }),
      attributes: { ApproximateReceiveCount: "1", ApproximateFirstReceiveTimestamp: String(clock.now()) },
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:widget.fifo",
    };
    const invoked = handler({ Records: [record] }, contextOf(TIME_LIMIT));
    const refused = assert.rejects(invoked, { code: "BUS_NEWER" });
    await clock.advance(TIME_LIMIT);
    await refused;
  });

  test("what a person sends by hand goes to the console, batches of the queue do not", async () => {
    const handler = createLambdaHandler({
      queue: async () => ({ batchItemFailures: [] }),
      console: async (event) => ({ asked: event }),
    });
    assert.deepEqual(await handler({ subject: "x" }, contextOf(1)), { asked: { subject: "x" } });
    assert.deepEqual(await handler({ Records: [] }, contextOf(1)), { asked: { Records: [] } });
    const record = {
      messageId: "1",
      receiptHandle: "r",
      body: "{}",
      attributes: { ApproximateReceiveCount: "1" },
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:widget.fifo",
    };
    assert.deepEqual(await handler({ Records: [record] }, contextOf(1)), { batchItemFailures: [] });
    const { attributes: _, ...half } = record;
    assert.deepEqual(await handler({ Records: [half] }, contextOf(1)), { asked: { Records: [half] } });
  });
});
