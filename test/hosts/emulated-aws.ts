import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { startFauxqs } from "fauxqs";
import { TABLE_KEYS } from "../../shared/bus/sqs/index.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import { ANYBODY } from "../bus-contract/fauxqs.ts";

const REGION = "us-east-1";

/** Emulated queues for these functions and an emulated table. Returns the environment of processes that use them. */
export async function emulatedAws(
  t: TestContext,
  functions: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const queues = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  t.after(() => queues.stop());
  for (const name of [...functions, COMMANDS])
    queues.createQueue(`reveille-${name}.fifo`, { attributes: { FifoQueue: "true" } });
  const { queueUrl } = queues.createQueue("reveille-timers");

  const tables = dynalite({ createTableMs: 0 });
  tables.listen(0, "127.0.0.1");
  await once(tables, "listening");
  const endpoint = `http://127.0.0.1:${(tables.address() as AddressInfo).port}`;
  const database = new DynamoDBClient({ endpoint, region: REGION, credentials: ANYBODY });
  t.after(() => {
    database.destroy();
    tables.close();
  });
  await database.send(
    new CreateTableCommand({
      TableName: "reveille",
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [...TABLE_KEYS.KeySchema],
      AttributeDefinitions: [...TABLE_KEYS.AttributeDefinitions],
    }),
  );
  return {
    REVEILLE_BUS_KIND: "sqs",
    REVEILLE_BUS_SQS_WORK_QUEUE: queueUrl.replace("-timers", "-{function}.fifo"),
    REVEILLE_BUS_SQS_TIMER_QUEUE: queueUrl,
    REVEILLE_BUS_SQS_TABLE: "reveille",
    REVEILLE_BUS_SQS_REGION: REGION,
    REVEILLE_BUS_SQS_ENDPOINT: `http://127.0.0.1:${queues.port}`,
    REVEILLE_BUS_SQS_TABLE_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: ANYBODY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ANYBODY.secretAccessKey,
  };
}
