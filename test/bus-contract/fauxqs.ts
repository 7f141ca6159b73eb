import { SQSClient } from "@aws-sdk/client-sqs";
import { type FauxqsServer, startFauxqs } from "fauxqs";

import { vi } from "vitest";
import { ANYBODY } from "../../infra/testing/emulated-table.ts";

import {
  type DistantTimers,
  openSqsBus,
  type SqsBus,
  type SqsOptions,
  type StateStore,
  sqsOptions,
} from "../../shared/bus/sqs/index.ts";
import type { Log } from "../../shared/log/log.ts";
import { Emulation } from "./emulated-sqs.ts";
import { type BusRequest, F } from "./fixture.ts";

export const FUNCTIONS = [F, "other"];

/** An emulated SQS in this process, its clock and a client of it. */
export interface Emulated {
  readonly emulation: Emulation;
  readonly client: SQSClient;
  /** Another client, as of another process. */
  newClient(): SQSClient;
  /** New, empty queues. Returns their addresses. */
  queues(): Promise<Pick<SqsOptions, "workQueue" | "timerQueue">>;
  stop(): Promise<void>;
}

/** Starts it. From then on the date is that of its clock. */
export async function startEmulated(): Promise<Emulated> {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const emulation = new Emulation((now) => vi.setSystemTime(now));
  const server: FauxqsServer = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  const newClient = (): SQSClient => {
    const made = new SQSClient({
      endpoint: `http://127.0.0.1:${server.port}`,
      region: "us-east-1",
      credentials: ANYBODY,
      useQueueUrlAsEndpoint: false,
    });
    emulation.observe(made);
    return made;
  };
  const client = newClient();
  let number = 0;
  return {
    emulation,
    client,
    newClient,
    async queues() {
      number += 1;
      const prefix = `contract-${number}`;
      for (const name of FUNCTIONS)
        server.createQueue(`${prefix}-${name}.fifo`, { attributes: { FifoQueue: "true" } });
      const timerQueue = server.createQueue(`${prefix}-timers`).queueUrl;
      return { timerQueue, workQueue: timerQueue.replace("-timers", "-{function}.fifo") };
    },
    async stop() {
      client.destroy();
      await server.stop();
      vi.useRealTimers();
    },
  };
}

/** The bus of one process. */
export function openOn(
  { client, emulation }: Pick<Emulated, "client" | "emulation">,
  request: BusRequest,
  parts: {
    readonly queues: Pick<SqsOptions, "workQueue" | "timerQueue">;
    readonly store: StateStore;
    readonly distant?: DistantTimers;
    readonly log?: Log;
  },
): SqsBus {
  const { queues, ...others } = parts;
  const bus = openSqsBus({
    ...sqsOptions.parse({
      ...queues,
      table: "unused",
      waitSeconds: 0,
      leaseSeconds: request.leaseMilliseconds / 1000,
      historyDays: request.history.maximumAgeMilliseconds / 86_400_000,
      shortQueue: 4,
    }),
    ...request,
    ...others,
    functions: FUNCTIONS,
    random: () => 0,
    // The clock looks for itself.
    pollMilliseconds: 1_200_000,
    client,
  });
  emulation.watch(() => bus.look());
  return bus;
}
