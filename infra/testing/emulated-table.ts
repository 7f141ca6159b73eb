import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import dynalite from "dynalite";
import { TABLE_KEYS } from "../../shared/bus/sqs/index.ts";

/** The region of everything emulated. */
export const REGION = "us-east-1";

/** Credentials that emulators take for good. */
export const ANYBODY = { accessKeyId: "test", secretAccessKey: "test" };

/** An emulated DynamoDB in this process with an empty table of the bus. */
export interface EmulatedTable {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  /** Takes no further connections. */
  stop(): void;
}

/** Starts it and makes the table. */
export async function startEmulatedTable(name: string): Promise<EmulatedTable> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ endpoint: url, region: REGION, credentials: ANYBODY });
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [...TABLE_KEYS.KeySchema],
      AttributeDefinitions: [...TABLE_KEYS.AttributeDefinitions],
    }),
  );
  client.destroy();
  return {
    name,
    url,
    port,
    stop() {
      // Not waited for: members that still run end their connections themselves, and a request that lost its database would throw.
      server.close();
    },
  };
}
