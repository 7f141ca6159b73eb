import { startFauxqs } from "fauxqs";
import { COMMANDS } from "../../shared/function/commands.ts";
import { ANYBODY, type EmulatedTable, REGION, startEmulatedTable } from "./emulated-table.ts";

/** Emulated queues and an emulated table in this process, for members that are processes of their own. */
export interface EmulatedAws {
  /** The port of the queues. */
  readonly port: number;
  readonly table: EmulatedTable;
  /** The value of `bus` in the settings of a member. Other ports where something lies between it and the emulators. */
  settings(ports?: { readonly queues: number; readonly table: number }): {
    readonly kind: "sqs";
    readonly sqs: Readonly<Record<SqsSetting, string>>;
  };
  /** The credentials in the environment of a member. */
  readonly credentials: Readonly<Record<"AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY", string>>;
  stop(): Promise<void>;
}

type SqsSetting = "workQueue" | "timerQueue" | "table" | "region" | "endpoint" | "tableEndpoint";

/** Starts both, with the queues of these functions. */
export async function startEmulatedAws(functions: readonly string[]): Promise<EmulatedAws> {
  const queues = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  for (const name of [...functions, COMMANDS])
    queues.createQueue(`reveille-${name}.fifo`, { attributes: { FifoQueue: "true" } });
  const { queueUrl } = queues.createQueue("reveille-timers");
  const table = await startEmulatedTable("reveille");
  return {
    port: queues.port,
    table,
    settings: (ports = { queues: queues.port, table: table.port }) => ({
      kind: "sqs",
      sqs: {
        workQueue: queueUrl.replace("-timers", "-{function}.fifo"),
        timerQueue: queueUrl,
        table: table.name,
        region: REGION,
        endpoint: `http://127.0.0.1:${ports.queues}`,
        tableEndpoint: `http://127.0.0.1:${ports.table}`,
      },
    }),
    credentials: {
      AWS_ACCESS_KEY_ID: ANYBODY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ANYBODY.secretAccessKey,
    },
    async stop() {
      await queues.stop();
      table.stop();
    },
  };
}

/** The whole environment of members that use them. */
export function environmentOf({ settings, credentials }: EmulatedAws): Readonly<Record<string, string>> {
  const { kind, sqs } = settings();
  return {
    REVEILLE_BUS_KIND: kind,
    REVEILLE_BUS_SQS_WORK_QUEUE: sqs.workQueue,
    REVEILLE_BUS_SQS_TIMER_QUEUE: sqs.timerQueue,
    REVEILLE_BUS_SQS_TABLE: sqs.table,
    REVEILLE_BUS_SQS_REGION: sqs.region,
    REVEILLE_BUS_SQS_ENDPOINT: sqs.endpoint,
    REVEILLE_BUS_SQS_TABLE_ENDPOINT: sqs.tableEndpoint,
    ...credentials,
  };
}
