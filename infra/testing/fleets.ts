import { randomBytes } from "node:crypto";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { openSqsBus, sqsOptions } from "../../shared/bus/sqs/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { EmulatedAws } from "./emulated-aws.ts";
import type { Fleet } from "./fleet.ts";
import type { NatsServer } from "./nats-server.ts";

const LEASE_MILLISECONDS = 3_000;
const MAXIMUM_BYTES = 64 * 1024 * 1024;
/** A change passes through a server, and a queue tells how long it is by and by. */
const QUIET = { nats: 150, sqs: 600 } as const;
const AT_ONCE = 8;

/** So many workers over NATS, on streams of their own. */
export function natsFleet(server: Pick<NatsServer, "url">, workers: number): Fleet {
  const nats = natsOptions.parse({
    servers: [server.url],
    prefix: `fleet-${randomBytes(4).toString("hex")}`,
    leaseMilliseconds: LEASE_MILLISECONDS,
    // The server sets aside all that a stream may need.
    maximumBytes: MAXIMUM_BYTES,
    history: { maximumBytes: MAXIMUM_BYTES },
  });
  return {
    workers,
    quiet: QUIET.nats,
    parallel: AT_ONCE,
    open: ({ queues, route, types }, { clock, log }) =>
      openNatsBus({ nats, functions: queues, route, types, clock, log }),
  };
}

/** So many workers over emulated queues. Credentials come from the environment. */
export function sqsFleet(aws: EmulatedAws, workers: number): Fleet {
  const { sqs } = aws.settings();
  return {
    workers,
    quiet: QUIET.sqs,
    parallel: AT_ONCE,
    open: async ({ queues, route, types }, { clock = systemClock, log }) =>
      openSqsBus({ ...sqsOptions.parse(sqs), functions: queues, route, types, clock, log }),
  };
}
