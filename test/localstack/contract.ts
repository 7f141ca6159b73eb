// The bus's promises on LocalStack's SQS. Run by `npm run test:localstack`.

import { CreateQueueCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll } from "vitest";
import { ANYBODY } from "../../infra/testing/emulated-table.ts";
import { MemoryStateStore } from "../../infra/testing/memory-store.ts";
import { MemoryTimers } from "../../infra/testing/memory-timers.ts";
import type { SqsOptions } from "../../shared/bus/sqs/index.ts";
import { Emulation } from "../bus-contract/emulated-sqs.ts";
import { type Emulated, FUNCTIONS, openOn } from "../bus-contract/fauxqs.ts";
import type { BusRequest, BusUnderTest } from "../bus-contract/fixture.ts";
import { exceptions } from "../bus-contract/sqs-site.ts";
import { busContract } from "../bus-contract/suite.ts";
import { type LocalStack, startLocalStack } from "./server.ts";
import { VirtualTime } from "./virtual-time.ts";

type Queues = Pick<SqsOptions, "workQueue" | "timerQueue">;

let server: LocalStack | undefined;
let on: (Omit<Emulated, "newClient"> & { readonly time: VirtualTime }) | undefined;
const started = () => {
  if (on === undefined) throw new Error("LocalStack was not started");
  return on;
};

beforeAll(async () => {
  server = await startLocalStack();
  const client = new SQSClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: ANYBODY,
    useQueueUrlAsEndpoint: false,
  });
  const time = new VirtualTime(client);
  const emulation = new Emulation(() => undefined);
  emulation.observe(client);
  const installation = `contract-${process.pid}-${Date.now()}`;
  let number = 0;
  on = {
    client,
    emulation,
    time,
    async queues() {
      number += 1;
      const make = async (name: string, attributes: Readonly<Record<string, string>>): Promise<string> => {
        const QueueName = `${installation}-${number}-${name}`;
        const { QueueUrl = "" } = await client.send(
          new CreateQueueCommand({ QueueName, Attributes: attributes }),
        );
        return QueueUrl;
      };
      const high = {
        FifoQueue: "true",
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
      };
      for (const name of FUNCTIONS) await make(`${name}.fifo`, high);
      const timerQueue = await make("timers", {});
      return { timerQueue, workQueue: timerQueue.replace(/timers$/, "{function}.fifo") };
    },
    stop: async () => client.destroy(),
  };
});
afterAll(async () => {
  await on?.stop();
  await server?.stop();
});

async function open(request: BusRequest): Promise<BusUnderTest> {
  const { client, time } = started();
  time.follow(request.clock);
  const queues = await started().queues();
  const store = new MemoryStateStore(request.clock, { maximumRuns: request.history.maximumRuns });
  const distant = new MemoryTimers(request.clock, async (body) => {
    await client.send(new SendMessageCommand({ QueueUrl: queues.timerQueue, MessageBody: body }));
  });
  const opened = (to: Queues): BusUnderTest => {
    const bus = openOn(started(), request, { queues: to, store, distant });
    const again = async (): Promise<BusUnderTest> => opened(to);
    return { bus, reopen: again, beside: again, kill: () => bus.abandon() };
  };
  return opened(queues);
}

busContract("SQS FIFO on LocalStack, state in memory", open, {
  clock: () => started().emulation.clock(),
  can: exceptions,
  interleavings: 5,
});
