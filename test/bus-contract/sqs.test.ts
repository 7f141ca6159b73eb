import { after, before, mock } from "node:test";
import { SQSClient } from "@aws-sdk/client-sqs";
import { type FauxqsServer, startFauxqs } from "fauxqs";
import { MemoryStateStore, openSqsBus, type StateStore, sqsOptions } from "../../shared/bus/sqs/index.ts";
import { Emulation } from "./emulated-sqs.ts";
import { type BusRequest, type BusUnderTest, F } from "./fixture.ts";
import { busContract } from "./suite.ts";

const FUNCTIONS = [F, "other"];
const emulation = new Emulation();
let server: FauxqsServer | undefined;
let client: SQSClient | undefined;
let number = 0;

before(async () => {
  mock.timers.enable({ apis: ["Date"] });
  server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  client = new SQSClient({
    endpoint: `http://127.0.0.1:${server.port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    useQueueUrlAsEndpoint: false,
  });
  emulation.observe(client);
});
after(async () => {
  client?.destroy();
  await server?.stop();
});

function onServer(request: BusRequest, address: string, store: StateStore): BusUnderTest {
  if (client === undefined) throw new Error("the server was not started");
  const bus = openSqsBus({
    ...sqsOptions.parse({
      workQueue: address.replace("-timers", "-{function}.fifo"),
      timerQueue: address,
      table: "unused",
      waitSeconds: 0,
      leaseSeconds: request.leaseMilliseconds / 1000,
      historyDays: request.history.maximumAgeMilliseconds / 86_400_000,
      shortQueue: 4,
    }),
    ...request,
    functions: FUNCTIONS,
    random: () => 0,
    // The clock looks for itself.
    pollMilliseconds: 1_200_000,
    store,
    client,
  });
  emulation.watch(() => bus.look());
  const again = async (): Promise<BusUnderTest> => onServer(request, address, store);
  return { bus, reopen: again, beside: again, kill: () => bus.abandon() };
}

busContract(
  "SQS FIFO on fauxqs, state in memory",
  async (request) => {
    number += 1;
    if (server === undefined) throw new Error("the server was not started");
    const prefix = `contract-${number}`;
    for (const name of FUNCTIONS)
      server.createQueue(`${prefix}-${name}.fifo`, { attributes: { FifoQueue: "true" } });
    const { queueUrl } = server.createQueue(`${prefix}-timers`);
    const store = new MemoryStateStore(request.clock, { maximumRuns: request.history.maximumRuns });
    return onServer(request, queueUrl, store);
  },
  {
    clock: () => emulation.clock(),
    can: { mergesWaiting: false, knowsWaiting: false, ordersLanes: false, ordersFunctions: false },
    interleavings: 40,
  },
);
