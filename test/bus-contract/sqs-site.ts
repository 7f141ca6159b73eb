import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import dynalite from "dynalite";
import { afterAll, beforeAll } from "vitest";
import { ANYBODY } from "../../infra/testing/emulated-table.ts";
import { MemoryTimers } from "../../infra/testing/memory-timers.ts";
import {
  DynamoStateStore,
  type SqsOptions,
  type StateStore,
  TABLE_KEYS,
} from "../../shared/bus/sqs/index.ts";
import { type Emulated, openOn, startEmulated } from "./fauxqs.ts";
import type { BusRequest, BusUnderTest } from "./fixture.ts";

/** Where SQS keeps a promise less exactly than others. */
export const exceptions = {
  mergesWaiting: false,
  handsOverAtOnce: false,
  knowsWaiting: false,
  ordersLanes: false,
  ordersKeys: false,
  ringsToTheMillisecond: false,
  knowsCompany: false,
  emptiesProcess: false,
};

/** Queues and tables for the tests of one file. */
export interface SqsSite {
  readonly started: () => Emulated;
  /** The bus of a new installation. */
  open(request: BusRequest, store: StateStore): Promise<BusUnderTest>;
  /** A state on a table of its own. */
  newStore(request: BusRequest): Promise<StateStore>;
}

/** Starts them before the tests of the file that calls it, and ends them after. */
export function sqsSite(): SqsSite {
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
  return { started, open, newStore };
}
