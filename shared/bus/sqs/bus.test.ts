import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  ConflictException,
  type CreateScheduleCommandInput,
  SchedulerClient,
} from "@aws-sdk/client-scheduler";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, test } from "vitest";
import { MemoryStateStore } from "../../../infra/testing/memory-store.ts";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { openSqsBus, SchedulerTimers, sqsOptions, workQueueOf } from "./index.ts";

const queue = "https://sqs.eu-central-1.amazonaws.com/ACCOUNT/reveille-{function}.fifo";
const timerQueue = "https://sqs.eu-central-1.amazonaws.com/ACCOUNT/reveille-timers";
const credentials = { accessKeyId: "test", secretAccessKey: "test" };

/** A server that answers as `respond` says, and a bus that speaks to it. */
async function against(respond: () => { readonly status: number; readonly body: string }) {
  const server = createServer((_request, response) => {
    const { status, body } = respond();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new SQSClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "eu-central-1",
    credentials,
    maxAttempts: 1,
    useQueueUrlAsEndpoint: false,
  });
  const clock = manualClock();
  const store = new MemoryStateStore(clock);
  const options = sqsOptions.parse({ workQueue: queue, timerQueue, table: "reveille" });
  const bus = openSqsBus({ ...options, route: () => [], functions: ["widget"], clock, store, client });
  const end = async (): Promise<void> => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { bus, end };
}

const item = {
  function: "widget",
  key: "a",
  lane: "urgent",
  cause: { sort: "own", eventId: "1", type: "resource.changed", revives: false, at: "2026-01-15T10:00:00Z" },
} as const;

describe("the bus on SQS", () => {
  test("says what is wrong with its options", () => {
    const faults = sqsOptions.safeParse({ workQueue: "reveille", timerQueue, table: "t", leaseSeconds: 1 });
    assert.deepEqual(
      faults.error?.issues.map(({ path }) => path.join(".")),
      ["workQueue", "table", "leaseSeconds"],
    );
    assert.equal(
      workQueueOf({ workQueue: queue }, "widget"),
      "https://sqs.eu-central-1.amazonaws.com/ACCOUNT/reveille-widget.fifo",
    );
  });

  test("B10: while AWS does not answer nothing counts as durable, and it is not ready", async (t) => {
    let status = 503;
    const { bus, end } = await against(() => ({ status, body: status === 200 ? '{"Successful":[]}' : "{}" }));
    t.onTestFinished(end);
    assert.equal(bus.ready(), true);
    await assert.rejects(bus.enqueue([item]), { code: "BUS_UNREACHABLE" });
    assert.equal(bus.ready(), false);
    status = 200;
    await bus.enqueue([item]);
    assert.equal(bus.ready(), true);
  });

  test("what the installation has to mend says so", async (t) => {
    const { bus, end } = await against(() => ({
      status: 400,
      body: JSON.stringify({ __type: "com.amazonaws.sqs#QueueDoesNotExist", message: "no such queue" }),
    }));
    t.onTestFinished(end);
    await assert.rejects(bus.enqueue([item]), { code: "BUS_MISCONFIGURED", message: /queue's address/ });
  });

  test("B1: what SQS takes in part is sent again until all is durable, and a refusal is an error", async (t) => {
    let requests = 0;
    let senderFault = false;
    const { bus, end } = await against(() => {
      requests += 1;
      const Failed =
        requests > 2 && !senderFault ? [] : [{ Id: "0", Code: "InternalError", SenderFault: senderFault }];
      return { status: 200, body: JSON.stringify({ Successful: [], Failed }) };
    });
    t.onTestFinished(end);
    await bus.enqueue([item]);
    assert.equal(requests, 3);
    senderFault = true;
    await assert.rejects(bus.enqueue([item]), { code: "BUS_MISCONFIGURED" });
    assert.equal(requests, 4);
  });

  test("B7: a distant timer is made, and replaced where there is one", async () => {
    const client = new SchedulerClient({ region: "eu-central-1", credentials });
    const sent: object[] = [];
    let there = false;
    client.middlewareStack.add(
      () => async (args) => {
        sent.push(args.input);
        if (there) {
          there = false;
          throw new ConflictException({ Message: "it is there", message: "it is there", $metadata: {} });
        }
        return { output: { $metadata: {} }, response: {} };
      },
      { step: "initialize" },
    );
    const timers = new SchedulerTimers(client, { group: "g", role: "arn:role", queue: "arn:queue" });
    await timers.set({ name: "n", at: Date.UTC(2030, 0, 1, 0, 0, 0, 1), body: "hello" });
    there = true;
    await timers.set({ name: "n", at: Date.UTC(2031, 0, 1), body: "hello" });
    client.destroy();
    assert.equal(sent.length, 3);
    const [first, , last] = sent as readonly CreateScheduleCommandInput[];
    assert.equal(first?.ScheduleExpression, "at(2030-01-01T00:00:01)");
    assert.equal(last?.ScheduleExpression, "at(2031-01-01T00:00:00)");
    assert.deepEqual(last?.Target, { Arn: "arn:queue", RoleArn: "arn:role", Input: "hello" });
    assert.equal(last?.ActionAfterCompletion, "DELETE");
  });
});
