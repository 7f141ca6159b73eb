import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import * as dynamoSdk from "@aws-sdk/client-dynamodb";
import * as schedulerSdk from "@aws-sdk/client-scheduler";
import * as sqsSdk from "@aws-sdk/client-sqs";
import { type TestContext, test, vi } from "vitest";
import * as dynamo from "./client-dynamodb.ts";
import * as scheduler from "./client-scheduler.ts";
import * as sqs from "./client-sqs.ts";

interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** The connection is cut instead. */
  readonly cut?: true;
}

/** A service that keeps what it was asked, and answers as it was told, the last answer for ever. */
async function service(t: TestContext, ...answers: readonly Answer[]) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url: path, headers } = request;
    asked.push({ method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    const {
      status = 200,
      headers: more = {},
      text = "{}",
      cut,
    } = answers[Math.min(asked.length, answers.length) - 1] ?? {};
    if (cut) return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", ...more }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function signs(t: TestContext): void {
  const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_SESSION_TOKEN: "session" };
  for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value);
  t.onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

const QueueUrl = "https://sqs.eu-central-1.amazonaws.com/123456789012/reveille-widget.fifo";
const TableName = "state";
const Key = { pk: { S: "a" }, sk: { S: "b" } };
const Item = { ...Key, expires: { N: "12" } };
const schedule = {
  Name: "timer-1",
  GroupName: "reveille",
  ScheduleExpression: "at(2026-01-15T10:00:00)",
  ScheduleExpressionTimezone: "UTC",
  FlexibleTimeWindow: { Mode: "OFF" },
  ActionAfterCompletion: "DELETE",
  Target: { Arn: "arn:aws:sqs:::q", RoleArn: "arn:aws:iam:::r", Input: "{}" },
  ClientToken: "once",
} as const;

type Sends = (endpoint: string) => Promise<unknown>;
const at = (endpoint: string) => ({ region: "eu-central-1", endpoint });
const toQueues = {
  sdk: (endpoint: string) => new sqsSdk.SQSClient({ ...at(endpoint), useQueueUrlAsEndpoint: false }),
  own: (endpoint: string) => new sqs.SQSClient({ ...at(endpoint), useQueueUrlAsEndpoint: false }),
};
const toTable = {
  sdk: (endpoint: string) => new dynamoSdk.DynamoDBClient(at(endpoint)),
  own: (endpoint: string) => new dynamo.DynamoDBClient(at(endpoint)),
};
const toScheduler = {
  sdk: (endpoint: string) => new schedulerSdk.SchedulerClient(at(endpoint)),
  own: (endpoint: string) => new scheduler.SchedulerClient(at(endpoint)),
};

const beat = { QueueUrl, MessageBody: "beat" };
const sent = {
  QueueUrl,
  Entries: [{ Id: "0", MessageBody: "{}", MessageGroupId: "g", MessageDeduplicationId: "d" }],
};
const forgotten = { QueueUrl, Entries: [{ Id: "0", ReceiptHandle: "r" }] };
const kept = { QueueUrl, Entries: [{ Id: "0", ReceiptHandle: "r", VisibilityTimeout: 30 }] };
const received: sqsSdk.ReceiveMessageCommandInput = {
  QueueUrl,
  MaxNumberOfMessages: 10,
  WaitTimeSeconds: 20,
  VisibilityTimeout: 90,
  MessageSystemAttributeNames: ["ApproximateReceiveCount"],
};
const asked: sqsSdk.GetQueueAttributesCommandInput = {
  QueueUrl,
  AttributeNames: ["ApproximateNumberOfMessages"],
};
const put = {
  TableName,
  Item,
  ConditionExpression: "version = :v",
  ExpressionAttributeValues: { ":v": { N: "3" } },
};
const found = {
  TableName,
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": { S: "ä" } },
  Limit: 3,
};
const several = { RequestItems: { [TableName]: { Keys: [Key], ConsistentRead: true } } };
const written = { RequestItems: { [TableName]: [{ PutRequest: { Item } }, { DeleteRequest: { Key } }] } };

/** Each request of the bus: by the SDK, and by what stands in for it. */
const requests: Readonly<Record<string, readonly [sdk: Sends, own: Sends]>> = {
  SendMessageBatch: [
    (to) => toQueues.sdk(to).send(new sqsSdk.SendMessageBatchCommand(sent)),
    (to) => toQueues.own(to).send(new sqs.SendMessageBatchCommand(sent)),
  ],
  SendMessage: [
    (to) => toQueues.sdk(to).send(new sqsSdk.SendMessageCommand(beat)),
    (to) => toQueues.own(to).send(new sqs.SendMessageCommand(beat)),
  ],
  ReceiveMessage: [
    (to) => toQueues.sdk(to).send(new sqsSdk.ReceiveMessageCommand(received)),
    (to) => toQueues.own(to).send(new sqs.ReceiveMessageCommand({ ...received, QueueUrl })),
  ],
  DeleteMessageBatch: [
    (to) => toQueues.sdk(to).send(new sqsSdk.DeleteMessageBatchCommand(forgotten)),
    (to) => toQueues.own(to).send(new sqs.DeleteMessageBatchCommand(forgotten)),
  ],
  ChangeMessageVisibilityBatch: [
    (to) => toQueues.sdk(to).send(new sqsSdk.ChangeMessageVisibilityBatchCommand(kept)),
    (to) => toQueues.own(to).send(new sqs.ChangeMessageVisibilityBatchCommand(kept)),
  ],
  GetQueueAttributes: [
    (to) => toQueues.sdk(to).send(new sqsSdk.GetQueueAttributesCommand(asked)),
    (to) => toQueues.own(to).send(new sqs.GetQueueAttributesCommand({ ...asked, QueueUrl })),
  ],
  GetItem: [
    (to) => toTable.sdk(to).send(new dynamoSdk.GetItemCommand({ TableName, Key, ConsistentRead: true })),
    (to) => toTable.own(to).send(new dynamo.GetItemCommand({ TableName, Key, ConsistentRead: true })),
  ],
  PutItem: [
    (to) => toTable.sdk(to).send(new dynamoSdk.PutItemCommand(put)),
    (to) => toTable.own(to).send(new dynamo.PutItemCommand(put)),
  ],
  DeleteItem: [
    (to) => toTable.sdk(to).send(new dynamoSdk.DeleteItemCommand({ TableName, Key })),
    (to) => toTable.own(to).send(new dynamo.DeleteItemCommand({ TableName, Key })),
  ],
  Query: [
    (to) => toTable.sdk(to).send(new dynamoSdk.QueryCommand(found)),
    (to) => toTable.own(to).send(new dynamo.QueryCommand(found)),
  ],
  BatchGetItem: [
    (to) => toTable.sdk(to).send(new dynamoSdk.BatchGetItemCommand(several)),
    (to) => toTable.own(to).send(new dynamo.BatchGetItemCommand(several)),
  ],
  BatchWriteItem: [
    (to) => toTable.sdk(to).send(new dynamoSdk.BatchWriteItemCommand(written)),
    (to) => toTable.own(to).send(new dynamo.BatchWriteItemCommand(written)),
  ],
  CreateSchedule: [
    (to) => toScheduler.sdk(to).send(new schedulerSdk.CreateScheduleCommand(schedule)),
    (to) => toScheduler.own(to).send(new scheduler.CreateScheduleCommand(schedule)),
  ],
  UpdateSchedule: [
    (to) => toScheduler.sdk(to).send(new schedulerSdk.UpdateScheduleCommand(schedule)),
    (to) => toScheduler.own(to).send(new scheduler.UpdateScheduleCommand(schedule)),
  ],
};

/** The parts of a signature that do not go by the time: key, day and scope, and the session. */
const signatureOf = ({ headers }: Asked) => [
  /Credential=([^,]+)/.exec(headers.authorization ?? "")?.[1],
  headers["x-amz-security-token"],
];

for (const [name, sides] of Object.entries(requests))
  test(`${name} is asked as the SDK asks it`, async (t) => {
    signs(t);
    // The SDK compares the digest of what a queue took.
    const text = JSON.stringify({ MD5OfMessageBody: hash("md5", "beat") });
    const { asked: all, endpoint } = await service(t, { text });
    for (const side of sides) await side(endpoint);
    const [sdk, own] = all;
    assert.ok(sdk !== undefined && own !== undefined && all.length === 2);
    assert.deepEqual([own.method, own.path, own.body], [sdk.method, sdk.path, sdk.body]);
    for (const header of ["content-type", "x-amz-target", "content-length"])
      assert.equal(own.headers[header], sdk.headers[header], header);
    assert.deepEqual(signatureOf(own), signatureOf(sdk));
  });

/** The error of a request, as callers look at it. */
const errorOf = async (asks: Promise<unknown>) => {
  const error = await asks.then(
    () => assert.fail("it was answered"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error);
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return { name: error.name, message: error.message, status: $metadata?.httpStatusCode };
};

const json = (status: number, type: string, more: Answer = {}): Answer => ({
  status,
  text: JSON.stringify({ __type: type, message: "It is so." }),
  ...more,
});

const refusals: readonly (readonly [request: string, said: string, answer: Answer])[] = [
  [
    "PutItem",
    "a failed condition",
    json(400, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"),
  ],
  ["GetItem", "a missing table", json(400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException")],
  ["GetItem", "a missing right", json(400, "com.amazon.coral.service#AccessDeniedException")],
  ["SendMessageBatch", "a missing right", json(403, "com.amazonaws.sqs#AccessDenied")],
  [
    "SendMessageBatch",
    "a missing queue",
    json(400, "com.amazonaws.sqs#QueueDoesNotExist", {
      headers: { "x-amzn-query-error": "AWS.SimpleQueueService.NonExistentQueue;Sender" },
    }),
  ],
  [
    "CreateSchedule",
    "a schedule that is there",
    {
      status: 409,
      headers: { "x-amzn-errortype": "ConflictException:http://x/", "content-type": "application/json" },
      text: JSON.stringify({ Message: "It is so." }),
    },
  ],
];
for (const [name, said, answer] of refusals)
  test(`${name} tells ${said} as the SDK does, and asks once`, async (t) => {
    signs(t);
    const { asked: all, endpoint } = await service(t, answer);
    const [sdk, own] = requests[name] ?? assert.fail(name);
    assert.deepEqual(await errorOf(own(endpoint)), await errorOf(sdk(endpoint)));
    assert.equal(all.length, 2);
  });

test("a failed condition and a schedule that is there are errors of their own classes", async (t) => {
  signs(t);
  const condition = await service(t, json(400, "x#ConditionalCheckFailedException"));
  const put = new dynamo.PutItemCommand({ TableName, Item });
  await assert.rejects(toTable.own(condition.endpoint).send(put), dynamo.ConditionalCheckFailedException);
  const there = await service(t, { status: 409, headers: { "x-amzn-errortype": "ConflictException" } });
  const create = new scheduler.CreateScheduleCommand(schedule);
  await assert.rejects(toScheduler.own(there.endpoint).send(create), scheduler.ConflictException);
});

test("what may pass is asked again, three times in all: a broken connection, a server's fault, too many requests", async (t) => {
  signs(t);
  const get = new dynamo.GetItemCommand({ TableName, Key });
  const passing = await service(t, { cut: true }, { status: 500, text: "no JSON" }, { text: '{"Item":{}}' });
  assert.deepEqual(await toTable.own(passing.endpoint).send(get), { Item: {} });
  assert.equal(passing.asked.length, 3);
  const throttled = await service(t, json(400, "x#ProvisionedThroughputExceededException"));
  await assert.rejects(toTable.own(throttled.endpoint).send(get), {
    name: "ProvisionedThroughputExceededException",
  });
  assert.equal(throttled.asked.length, 3);
});

test("a request that is taken back, or that nobody answers, ends by the SDK's names for it", async (t) => {
  signs(t);
  const { promise: never } = Promise.withResolvers<never>();
  const server = createServer(() => never);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receive = new sqs.ReceiveMessageCommand({ QueueUrl });
  const abort = new AbortController();
  const asks = toQueues.own(endpoint).send(receive, { abortSignal: abort.signal });
  abort.abort();
  await assert.rejects(asks, { name: "AbortError" });
  const impatient = new dynamo.DynamoDBClient({ ...at(endpoint), requestHandler: { requestTimeout: 50 } });
  await assert.rejects(impatient.send(new dynamo.GetItemCommand({ TableName, Key })), {
    name: "TimeoutError",
  });
});

test("a queue's address says whom to ask where no endpoint is set", async (t) => {
  signs(t);
  const { asked: all, endpoint } = await service(t);
  const url = `${endpoint}/123456789012/reveille-widget.fifo`;
  await new sqs.SQSClient({ region: "eu-central-1", useQueueUrlAsEndpoint: true }).send(
    new sqs.DeleteMessageBatchCommand({ QueueUrl: url }),
  );
  assert.deepEqual(
    all.map(({ path, body }) => [path, body]),
    [["/", { QueueUrl: url }]],
  );
});
