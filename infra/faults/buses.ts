import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { startFauxqs } from "fauxqs";
import { TABLE_KEYS } from "../../shared/bus/sqs/index.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import { startNatsServer } from "../testing/nats-server.ts";
import { FaultProxy } from "./proxy.ts";

/** A bus of real servers, and the places where it breaks. */
export interface FaultyBus {
  /** The settings under `bus` of every member. */
  readonly settings: object;
  /** Added to the environment of every member. */
  readonly environment: NodeJS.ProcessEnv;
  /** Between the members and the broker. */
  readonly broker: FaultProxy;
  /** Between the members and the table; undefined where there is none. */
  readonly table: FaultProxy | undefined;
  /** Ends the broker with SIGKILL, does what is asked meanwhile, and starts it again; undefined where it is emulated. */
  readonly whileKilled:
    | ((meanwhile: (storeFolder: string) => Promise<void> | void) => Promise<void>)
    | undefined;
  stop(): Promise<void>;
}

/** A nats-server with file storage, behind a proxy. */
export async function natsBehindProxy(): Promise<FaultyBus> {
  const server = await startNatsServer();
  const broker = await FaultProxy.start(server.port);
  return {
    settings: { kind: "nats", nats: { servers: [`nats://127.0.0.1:${broker.port}`] } },
    environment: {},
    broker,
    table: undefined,
    async whileKilled(meanwhile) {
      await server.kill();
      await meanwhile(server.folder);
      await server.start();
    },
    async stop() {
      await broker.stop();
      await server.stop();
    },
  };
}

const REGION = "us-east-1";
const ANYBODY = { accessKeyId: "anybody", secretAccessKey: "anything" };

/** Emulated queues and an emulated table for these functions, each behind a proxy. */
export async function sqsBehindProxies(functions: readonly string[]): Promise<FaultyBus> {
  const queues = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  for (const name of [...functions, COMMANDS])
    queues.createQueue(`reveille-${name}.fifo`, { attributes: { FifoQueue: "true" } });
  const { queueUrl } = queues.createQueue("reveille-timers");
  const tables = dynalite({ createTableMs: 0 });
  tables.listen(0, "127.0.0.1");
  await once(tables, "listening");
  const { port } = tables.address() as AddressInfo;
  const database = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: REGION,
    credentials: ANYBODY,
  });
  await database.send(
    new CreateTableCommand({
      TableName: "reveille",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [...TABLE_KEYS.KeySchema],
      AttributeDefinitions: [...TABLE_KEYS.AttributeDefinitions],
    }),
  );
  database.destroy();
  const [broker, table] = await Promise.all([FaultProxy.start(queues.port), FaultProxy.start(port)]);
  return {
    settings: {
      kind: "sqs",
      sqs: {
        workQueue: queueUrl.replace("-timers", "-{function}.fifo"),
        timerQueue: queueUrl,
        table: "reveille",
        region: REGION,
        endpoint: `http://127.0.0.1:${broker.port}`,
        tableEndpoint: `http://127.0.0.1:${table.port}`,
      },
    },
    environment: {
      AWS_ACCESS_KEY_ID: ANYBODY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ANYBODY.secretAccessKey,
    },
    broker,
    table,
    whileKilled: undefined,
    async stop() {
      await Promise.all([broker.stop(), table.stop()]);
      await queues.stop();
      tables.close();
    },
  };
}
