import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import dynalite from "dynalite";
import { afterAll, beforeAll, test } from "vitest";
import { ANYBODY } from "../../infra/testing/emulated-table.ts";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { MemoryTimers } from "../../infra/testing/memory-timers.ts";
import {
  DynamoStateStore,
  type SqsOptions,
  type StateStore,
  TABLE_KEYS,
  workQueueOf,
} from "../../shared/bus/sqs/index.ts";
import { type Emulated, openOn, startEmulated } from "./fauxqs.ts";
import { type BusRequest, type BusUnderTest, done, F, keyOf } from "./fixture.ts";
import { RETRY, requestAt } from "./stage.ts";
import { busContract } from "./suite.ts";

let emulated: Emulated | undefined;
let database: DynamoDBClient | undefined;
const tables = dynalite({ createTableMs: 0 });
let number = 0;

const started = (): Emulated => {
  if (emulated === undefined) throw new Error("the emulator was not started");
  return emulated;
};

beforeAll(async () => {
  emulated = await startEmulated();
  tables.listen(0, "127.0.0.1");
  await once(tables, "listening");
  database = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(tables.address() as AddressInfo).port}`,
    region: "us-east-1",
    credentials: ANYBODY,
  });
  emulated.emulation.observe(database);
});
afterAll(async () => {
  database?.destroy();
  await new Promise((resolve) => tables.close(resolve));
  await emulated?.stop();
});

function openWith(
  request: BusRequest,
  queues: Pick<SqsOptions, "workQueue" | "timerQueue">,
  store: StateStore,
  distant: MemoryTimers,
): BusUnderTest {
  const bus = openOn(started(), request, { queues, store, distant });
  const again = async (): Promise<BusUnderTest> => openWith(request, queues, store, distant);
  return { bus, reopen: again, beside: again, kill: () => bus.abandon() };
}

async function open(request: BusRequest, store: StateStore): Promise<BusUnderTest> {
  const { client } = started();
  const queues = await started().queues();
  const distant = new MemoryTimers(request.clock, async (body) => {
    await client.send(new SendMessageCommand({ QueueUrl: queues.timerQueue, MessageBody: body }));
  });
  return openWith(request, queues, store, distant);
}

async function newStore({ clock, history }: BusRequest): Promise<StateStore> {
  if (database === undefined) throw new Error("the database was not started");
  number += 1;
  const table = `contract-${number}`;
  await database.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [...TABLE_KEYS.KeySchema],
      AttributeDefinitions: [...TABLE_KEYS.AttributeDefinitions],
    }),
  );
  for (let status: string | undefined; status !== "ACTIVE"; )
    status = (await database.send(new DescribeTableCommand({ TableName: table }))).Table?.TableStatus;
  const historyDays = history.maximumAgeMilliseconds / 86_400_000;
  return new DynamoStateStore({ client: database, table, clock, historyDays });
}

const exceptions = {
  mergesWaiting: false,
  handsOverAtOnce: false,
  knowsWaiting: false,
  ordersLanes: false,
  ordersKeys: false,
  ringsToTheMillisecond: false,
  knowsCompany: false,
  emptiesProcess: false,
};

busContract(
  "SQS FIFO on fauxqs, state in memory",
  async (request) =>
    open(request, new MemoryStateStore(request.clock, { maximumRuns: request.history.maximumRuns })),
  { clock: () => started().emulation.clock(), can: exceptions, interleavings: 15 },
);

busContract(
  "SQS FIFO on fauxqs, state in DynamoDB's table",
  async (request) => open(request, await newStore(request)),
  {
    clock: () => started().emulation.clock(),
    can: { ...exceptions, countsHistory: false },
    interleavings: 5,
  },
);

test("an item of a newer version goes back as it came, and counts as no attempt", async () => {
  const clock = started().emulation.clock();
  const { client } = started();
  const queues = await started().queues();
  const QueueUrl = workQueueOf(queues, F);
  const newer = { version: 2, ...keyOf("a"), waiting: ["in a form that nobody knows yet"], more: 1 };
  const send = (body: unknown, id: string) =>
    client.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: JSON.stringify(body),
        MessageGroupId: "a",
        MessageDeduplicationId: id,
      }),
    );
  await send(newer, "1");
  const bus = openOn(started(), requestAt(clock), { queues, store: new MemoryStateStore(clock) });
  const ran: string[] = [];
  const consumer = bus.consume({ parallel: 1 }, async ({ item }) => {
    ran.push(item.key);
    return done(item);
  });
  for (let round = 0; round < RETRY.maximumAttempts * 3; round++) await clock.advance(10_000);
  await send({ ...keyOf("b"), version: 1 }, "2");
  await clock.advance(10_000);
  const stopped = consumer.stop();
  await clock.advance(10_000);
  await stopped;
  assert.deepEqual(ran, []);
  assert.deepEqual(await bus.deadLetters.list(), []);
  await bus.close();
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    }),
  );
  assert.deepEqual(
    Messages.map(({ Body, Attributes }) => [JSON.parse(Body ?? ""), Attributes?.ApproximateReceiveCount]),
    [[newer, "1"]],
  );
});
