import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import {
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from "@nats-io/transport-node";
import type { Lane } from "../../../events/index.ts";
import { messageOf } from "../../errors.ts";
import { BusError } from "../errors.ts";
import type { Names } from "./names.ts";
import type { NatsOptions } from "./options.ts";
import { pause } from "./pause.ts";

const NANOSECONDS = 1_000_000;
/** The time, beyond the lease, for which a delivered message may be silent: its key then runs elsewhere already. */
const ACK_WAIT_BEYOND_LEASE = 2_000;
/** One id costs the server some 390 bytes. */
const KNOWN_MILLISECONDS = 30_000;

type Wanted = Partial<StreamConfig> & { readonly name: string };

/** The streams as they must be. The comments name what goes wrong otherwise. */
function wantedStreams(names: Names, options: NatsOptions): readonly Wanted[] {
  const { prefix } = names;
  const kept = { storage: StorageType.File, num_replicas: options.replicas, allow_direct: true };
  return [
    {
      ...kept,
      name: names.work,
      subjects: [`${prefix}.w.>`],
      retention: RetentionPolicy.Workqueue,
      // New: full is an error for whoever publishes. Old would drop work without a word.
      discard: DiscardPolicy.New,
      max_bytes: options.maximumBytes,
      max_msgs_per_subject: 1,
      duplicate_window: KNOWN_MILLISECONDS * NANOSECONDS,
    },
    {
      ...kept,
      name: names.state,
      subjects: [`${prefix}.x.>`, `${prefix}.r.>`],
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.Old,
      // Replacement is by Nats-Rollup: what a limit a subject displaces comes back when the server is killed.
      max_msgs_per_subject: -1,
      max_bytes: -1,
      allow_rollup_hdrs: true,
      deny_purge: false,
      allow_msg_schedules: true,
      allow_msg_ttl: true,
      duplicate_window: 1_000 * NANOSECONDS,
    },
    {
      ...kept,
      name: names.waits,
      subjects: [`${prefix}.v.>`],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_msgs_per_subject: -1,
      max_bytes: -1,
      allow_rollup_hdrs: true,
      deny_purge: false,
      allow_msg_ttl: true,
      duplicate_window: 1_000 * NANOSECONDS,
    },
    {
      ...kept,
      name: names.history,
      subjects: [`${prefix}.h.>`, `${prefix}.e`, `${prefix}.y.>`],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_bytes: options.history.maximumBytes,
      max_age: options.history.maximumAgeMilliseconds * NANOSECONDS,
      duplicate_window: 1_000 * NANOSECONDS,
    },
  ];
}

/** A durable pull consumer of one function. Attempts are counted in the state, so it never gives up itself. */
function wantedConsumer(
  names: Names,
  options: NatsOptions,
  name: string,
  sort: Lane | "due",
): { readonly stream: string; readonly config: ConsumerConfig } {
  const { stream, name: durable, filter } = names.consumer(name, sort);
  return {
    stream,
    config: {
      durable_name: durable,
      name: durable,
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      ack_wait: (options.leaseMilliseconds + ACK_WAIT_BEYOND_LEASE) * NANOSECONDS,
      // The server's own 1,000 lets a lane stand still while so many are delivered.
      max_ack_pending: -1,
      max_deliver: -1,
      max_waiting: 512,
    } as ConsumerConfig,
  };
}

/** True where this user lacks a right. */
export const isDenied = (thrown: unknown): boolean => /permissions violation/i.test(messageOf(thrown));
/** True where there is no such stream or consumer. */
export const isMissing = (thrown: unknown): boolean =>
  thrown instanceof JetStreamApiError && (thrown.code === 10059 || thrown.code === 10014);

const PATIENCE_MILLISECONDS = 15_000;
const PAUSE_MILLISECONDS = 250;

/** "No suitable peers for placement": of a cluster too few servers are there. */
const NO_PEERS = 10005;
/** JetStream is off, for all or for this account: that passes by no waiting. */
const OFF: ReadonlySet<number> = new Set([10039, 10076]);

/** True where servers, or their leader, are away: that passes, and nobody here has to change anything. */
function areAway(thrown: unknown): boolean {
  if (thrown instanceof JetStreamApiError)
    return (thrown.status === 503 && !OFF.has(thrown.code)) || thrown.code === NO_PEERS;
  return (
    thrown instanceof TimeoutError ||
    thrown instanceof NoRespondersError ||
    (thrown instanceof RequestError && !isDenied(thrown) && !isDeaf(thrown))
  );
}

/** A cluster that elects a leader answers nobody for a while: that is no reason to give up. */
async function patiently<T>(ask: () => Promise<T>, milliseconds = PATIENCE_MILLISECONDS): Promise<T> {
  for (const until = performance.now() + milliseconds; ; )
    try {
      return await ask();
    } catch (thrown) {
      if (!areAway(thrown) || performance.now() > until) throw thrown;
      await pause(PAUSE_MILLISECONDS);
    }
}

/**
 * Makes what is missing, brings what differs up to date, and refuses what the server understood otherwise.
 * @param patience for how many milliseconds in all a server is asked again that is away
 * @throws BusError `BUS_UNREACHABLE` where it is away for longer
 */
export async function ensureStreams(
  manager: Pick<JetStreamManager, "streams">,
  names: Names,
  options: NatsOptions,
  patience = PATIENCE_MILLISECONDS,
): Promise<void> {
  for (const wanted of wantedStreams(names, options)) {
    let config: StreamConfig;
    try {
      config = (await patiently(() => manager.streams.info(wanted.name), patience)).config;
      if (options.setUp && differencesOf(wanted, config).length > 0)
        config = (await patiently(() => manager.streams.update(wanted.name, wanted), patience)).config;
    } catch (thrown) {
      if (!isMissing(thrown)) throw refused(`The stream ${wanted.name} cannot be read or changed`, thrown);
      if (!options.setUp)
        throw new BusError(
          "BUS_NOT_SET_UP",
          `There is no stream ${wanted.name}: let a process that may make it start first, with \`setUp\` on.`,
          { cause: thrown },
        );
      config = (
        await patiently(() => manager.streams.add(wanted), patience).catch((cause: unknown) => {
          // Whoever may not make it waits for the watcher, which does.
          throw isDenied(cause)
            ? new BusError(
                "BUS_NOT_SET_UP",
                `There is no stream ${wanted.name}, and this user may not make it: start the watcher, or whoever else may.`,
                { cause },
              )
            : refused(`The stream ${wanted.name} cannot be made`, cause);
        })
      ).config;
    }
    const different = differencesOf(wanted, config);
    if (different.length > 0)
      throw new BusError(
        "BUS_MISCONFIGURED",
        `The stream ${wanted.name} is not as it must be (${different.join(", ")}): change it as docs/run-on-nats.md says, or choose another prefix.`,
      );
  }
}

/** Makes the consumers of a function where they are missing. */
export async function ensureConsumers(
  manager: JetStreamManager,
  names: Names,
  options: NatsOptions,
  name: string,
): Promise<void> {
  for (const sort of ["urgent", "sweep", "due"] as const) {
    const { stream, config } = wantedConsumer(names, options, name, sort);
    try {
      await patiently(() => manager.consumers.info(stream, config.durable_name ?? ""));
    } catch (thrown) {
      if (!isMissing(thrown)) throw refused(`The consumer ${config.durable_name} cannot be read`, thrown);
      if (!options.setUp)
        throw new BusError(
          "BUS_MISCONFIGURED",
          `There is no consumer ${config.durable_name} on ${stream}: let a process that may make it start first, with \`setUp\` on.`,
          { cause: thrown },
        );
      await patiently(() => manager.consumers.add(stream, config)).catch((cause: unknown) => {
        throw refused(`The consumer ${config.durable_name} cannot be made`, cause);
      });
    }
  }
}

function differencesOf(wanted: Wanted, config: StreamConfig): readonly string[] {
  const has = config as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).flatMap(([name, value]) => {
    const is = has[name] ?? (typeof value === "boolean" ? false : undefined);
    return JSON.stringify(is) === JSON.stringify(value)
      ? []
      : [`${name} is ${JSON.stringify(is)} and not ${JSON.stringify(value)}`];
  });
}

function refused(what: string, cause: unknown): BusError {
  if (areAway(cause))
    return new BusError(
      "BUS_UNREACHABLE",
      `${what}: ${messageOf(cause)}. Look whether all servers of NATS run and have a leader; it is tried again.`,
      { cause },
    );
  return new BusError(
    "BUS_MISCONFIGURED",
    isDeaf(cause)
      ? `${what}: this NATS user may not hear the answers. Set \`bus.nats.inbox\` to the inbox that \`reveille nats-users\` prints for it.`
      : `${what}: ${messageOf(cause)}. Look at the rights of this user and at JetStream's limits.`,
    { cause },
  );
}

/**
 * The creation times of the streams, in the order of their names.
 * @throws BusError
 */
export async function madeAt(
  manager: Pick<JetStreamManager, "streams">,
  streams: readonly string[],
): Promise<readonly string[]> {
  try {
    const found = streams.map((stream) => patiently(() => manager.streams.info(stream)));
    return (await Promise.all(found)).map(({ created }) => created);
  } catch (thrown) {
    throw refused("The streams cannot be read", thrown);
  }
}

/** True where the user may not subscribe to the subject of its answers. */
function isDeaf(thrown: unknown): boolean {
  const cause = thrown instanceof RequestError ? thrown.cause : thrown;
  return cause instanceof PermissionViolationError && cause.operation === "subscription";
}
