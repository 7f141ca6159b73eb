import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { test } from "vitest";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { lambdaHandler } from "../../infra/hosts/lambda/index.ts";
import { temporaryFolder } from "../../infra/testing/command-line.ts";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { openSqsBus, sqsOptions } from "../../shared/bus/sqs/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { contextOf } from "./event-source-mapping.ts";

const NAME = "sonataflow-workflows";
const QUEUES = {
  workQueue: "https://sqs.eu-central-1.amazonaws.com/000000000000/reveille-{function}.fifo",
  timerQueue: "https://sqs.eu-central-1.amazonaws.com/000000000000/reveille-timers",
  table: "reveille",
};

test("an API server that is away when a Lambda starts costs a key no attempt, and it is looked at again", async (t) => {
  const folder = temporaryFolder(t);
  const kubeconfig = join(folder, "kubeconfig");
  const named = (name: string, value: object): string => JSON.stringify([{ name: "away", [name]: value }]);
  writeFileSync(
    kubeconfig,
    `{apiVersion: v1, kind: Config, current-context: away,
contexts: ${named("context", { cluster: "away", user: "away" })},
clusters: ${named("cluster", { server: "http://127.0.0.1:9" })},
users: ${named("user", {})}}`,
  );
  const store = new MemoryStateStore(systemClock);
  const client = new SQSClient({
    region: "eu-central-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  client.middlewareStack.add(
    () => async () => ({ output: { $metadata: {}, Successful: [], Failed: [] }, response: {} }),
    { step: "initialize" },
  );
  t.onTestFinished(() => client.destroy());
  const handler = lambdaHandler({
    name: NAME,
    systems: [sonataflow],
    environment: {
      REVEILLE_CLUSTER_KUBECONFIG: kubeconfig,
      REVEILLE_LOG_LEVEL: "silent",
      REVEILLE_BUS_KIND: "sqs",
      REVEILLE_BUS_SQS_WORK_QUEUE: QUEUES.workQueue,
      REVEILLE_BUS_SQS_TIMER_QUEUE: QUEUES.timerQueue,
      REVEILLE_BUS_SQS_TABLE: QUEUES.table,
    },
    openBus: (_, { routing: { queues, route, types }, ...parts }) =>
      openSqsBus({ ...sqsOptions.parse(QUEUES), ...parts, functions: queues, route, types, store, client }),
  });
  const key = "away/sonataflow.org/SonataFlow/default/one";
  const waiting = {
    lane: "urgent",
    causes: [
      { sort: "own", eventId: "1", type: "resource.changed", revives: false, at: "2026-01-15T10:00:00Z" },
    ],
    causesIncomplete: false,
    notBefore: 0,
    enqueuedAt: 0,
  };
  const invoke = (times: number) =>
    handler(
      {
        Records: [
          {
            messageId: `m${times}`,
            receiptHandle: "r",
            body: JSON.stringify({ version: 1, function: NAME, key, waiting }),
            attributes: { ApproximateReceiveCount: "1" },
            eventSource: "aws:sqs",
            eventSourceARN: "arn:aws:sqs:eu-central-1:000000000000:reveille.fifo",
          },
        ],
      },
      contextOf(60_000),
    );
  for (const times of [1, 2]) {
    assert.deepEqual(await invoke(times), { batchItemFailures: [] });
    const { record } = (await store.load({ function: NAME, key })) ?? assert.fail("nothing is kept");
    assert.deepEqual([record.attempts, record.waiting?.behind], [0, "api"]);
    assert.ok((record.waiting?.notBefore ?? 0) > 0);
  }
});
