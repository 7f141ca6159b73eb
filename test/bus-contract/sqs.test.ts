import assert from "node:assert/strict";
import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { test } from "vitest";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { workQueueOf } from "../../shared/bus/sqs/index.ts";
import { openOn } from "./fauxqs.ts";
import { done, F, keyOf } from "./fixture.ts";
import { exceptions, sqsSite } from "./sqs-site.ts";
import { RETRY, requestAt } from "./stage.ts";
import { busContract } from "./suite.ts";

const { started, open, newStore } = sqsSite();

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
