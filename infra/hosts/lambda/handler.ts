import pino from "pino";
import type { Work } from "../../../shared/bus/contract.ts";
import { threwRun } from "../../../shared/bus/run-of.ts";
import type { SqsBus } from "../../../shared/bus/sqs/index.ts";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import { messageOf } from "../../../shared/errors.ts";
import { COMMANDS } from "../../../shared/function/commands.ts";
import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { System } from "../../../shared/function/system.ts";
import { composeHost } from "../../../shared/host/compose.ts";
import {
  createLambdaHandler,
  createSqsHandler,
  createTimerHandler,
  type LambdaContext,
  type LambdaHandler,
} from "../../../shared/host/lambda/index.ts";
import type { otherClustersOf } from "../../../shared/host/other-clusters.ts";
import { connectionsOf } from "../../../shared/host/reach.ts";
import { HOME, ownApiProbe } from "../../../shared/kube/client/index.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { awayError } from "../../../shared/runner/parking.ts";
import { type Routing, routingOf } from "../../engine/routing.ts";
import { readSettings, type Settings } from "../../settings/index.ts";
import { clusterName } from "../../watcher/cluster-name.ts";
import type { BusParts } from "../bus-parts.ts";
import { clusterConnection } from "../cluster-connection.ts";
import { openSqs } from "../open-sqs.ts";
import { mayPass } from "../retry.ts";
import { logRuns } from "../run-log.ts";
import { type ByHand, LambdaEventError, readByHand } from "./by-hand.ts";
import { sweep } from "./sweep.ts";

export interface LambdaParts {
  /** The name of a function, or `commands`, or `timers`. */
  readonly name: string;
  /** All systems of the installation: what a function emits may wake any of them. */
  readonly systems: readonly System[];
  /** Makes the other clusters, where its functions name some. Absent: nothing here reaches any. */
  readonly otherClusters?: typeof otherClustersOf;
  /** Default: what Lambda sets. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Default: the one that the settings say. */
  readonly openBus?: (settings: Settings, parts: BusParts) => SqsBus;
}

type Handler = LambdaHandler<unknown, unknown>;
type ByHandRun = (asked: ByHand, context: LambdaContext) => Promise<unknown>;

/** Opens a thing once and keeps it; where that failed, the next caller tries anew. */
function kept<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return async () => {
    opened ??= open();
    try {
      return await opened;
    } catch (thrown) {
      opened = undefined;
      throw thrown;
    }
  };
}

/**
 * The handler of one Lambda. Importing it does nothing; the first invocation reads the settings, finds out which cluster this
 * is, and keeps what it opened for the next ones. If that fails, the next invocation tries anew.
 */
export function lambdaHandler(parts: LambdaParts): Handler {
  const opened = kept(() => open(parts));
  return async (event, context) => (await opened())(event, context);
}

async function open(parts: LambdaParts): Promise<Handler> {
  const { name, systems, environment = process.env, clock = systemClock, openBus = openSqs } = parts;
  const { settings } = await readSettings({ environment }, async () => ({ systems }));
  const log = pino(
    { level: settings.log.level, base: { host: name } },
    pino.destination({ fd: 1, sync: true }),
  );
  const routing = routingOf(systems);
  const bus = openBus(settings, {
    name: `reveille-${name}`,
    cleans: false,
    routing,
    clock,
    log: log.child({ part: "bus" }),
  });
  logRuns(bus, log.child({ part: "host" }));
  const declaration = routing.declarations.find((one) => one.name === name);
  if (declaration === undefined && name !== COMMANDS)
    return createLambdaHandler({ queue: createTimerHandler({ bus }), console: refuse });

  // The API server may be away: that is no host's death, and no attempt of a key.
  const connected = kept(() => connect(parts, { settings, clock, log, bus, declaration, routing }));
  const queue = createSqsHandler({ bus, work: onceConnected(connected, clock), clock });
  const console: Handler = async (input, context) => {
    const asked = readByHand(input);
    return (await connected()).byHand(asked, context);
  };
  return createLambdaHandler({ queue, console: declaration === undefined ? refuse : console });
}

/** Parks what comes while the cluster cannot be told; throws what waiting does not mend. */
const onceConnected =
  (connected: () => Promise<{ readonly work: Work }>, clock: Clock): Work =>
  async (lease) => {
    const startedAt = clock.now();
    let work: Work;
    try {
      work = (await connected()).work;
    } catch (thrown) {
      if (!mayPass(thrown)) throw thrown;
      const error = awayError({ behind: HOME, reason: messageOf(thrown) });
      const run = threwRun(lease.item, error, startedAt, clock.now());
      return { state: "parked", behind: HOME, milliseconds: PARKED_MILLISECONDS, error, echoes: [], run };
    }
    return work(lease);
  };

interface ConnectParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: pino.Logger;
  readonly bus: SqsBus;
  /** Absent for the Lambda of commands. */
  readonly declaration: FunctionDeclaration | undefined;
  readonly routing: Routing;
}

/** Finds out which cluster this is, and makes what runs there. */
async function connect(
  { name, systems, otherClusters, environment = process.env }: LambdaParts,
  { settings, clock, log, bus, declaration, routing }: ConnectParts,
): Promise<{ readonly work: Work; readonly byHand: ByHandRun }> {
  const connection = await clusterConnection(settings.cluster, environment, clock);
  const { concurrentWrites, requestTimeout } = settings.cluster;
  const client = createKubeClient({
    connection,
    clock,
    concurrentWrites,
    timeoutMilliseconds: requestTimeout,
  });
  let cluster: string;
  try {
    cluster = await clusterName(client, settings.cluster.name ?? connection.cluster);
  } catch (thrown) {
    client.close();
    throw thrown;
  }
  const { probe } = ownApiProbe(connection, clock);
  const connections = connectionsOf({ client, bus, clock, log: log.child({ part: "connections" }), probe });
  const { namespaces } = settings;
  const { nets, limit } = settings.runs;
  const others = otherClusters?.({
    systems,
    configuration: settings.configuration,
    client,
    clock,
    log: log.child({ part: "clusters" }),
  });
  const shared = { client, others, cluster, clock, log: log.child({ part: "host" }), namespaces, bus };
  const { work, functions, all } = composeHost({
    ...shared,
    systems,
    configuration: settings.configuration,
    only: [name],
    // The one of the commands knows all functions: it asks what they are keyed by.
    knows: declaration && [name],
    connections,
    home: settings.home.namespace,
    nets,
    limitMilliseconds: limit,
  });
  if (declaration === undefined) return { work, byHand: refuse };
  // Few are ever invoked by hand: what that takes is loaded where it begins.
  const console = kept(async () => {
    const { functionConsole } = await import("../../../shared/host/console/index.ts");
    return functionConsole({ ...shared, functions, all, types: routing.types });
  });
  const byHand: ByHandRun = async (asked, context) => {
    if (asked.asks === "sweep") return sweep(bus, declaration, cluster, clock.now());
    const left = context.getRemainingTimeInMillis() - SPARE_MILLISECONDS;
    return (await console()).invoke(name, asked.event, {
      dryRun: asked.dryRun,
      askedBy: "lambda",
      signal: AbortSignal.timeout(left),
      waitMilliseconds: Math.min(left, WAIT_MILLISECONDS),
    });
  };
  return { work, byHand };
}

/** Commands and timers come from their queues alone. */
const refuse = async (): Promise<never> => {
  throw new LambdaEventError(
    "LAMBDA_EVENT_UNKNOWN",
    "This Lambda takes messages of its queue only: invoke a function's Lambda, or use `reveille command`.",
  );
};

/** The time that an item waits where the cluster could not even be told. */
const PARKED_MILLISECONDS = 15_000;
/** The time that an invocation by hand waits for the run that it asked for. */
const WAIT_MILLISECONDS = 25_000;
const SPARE_MILLISECONDS = 1_000;
