import pino from "pino";
import type { SqsBus } from "../../../shared/bus/sqs/index.ts";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import { ReveilleError } from "../../../shared/errors.ts";
import { COMMANDS } from "../../../shared/function/commands.ts";
import { createRouter } from "../../../shared/function/router.ts";
import { refuseUnboundPorts } from "../../../shared/function/runner/ports.ts";
import type { System } from "../../../shared/function/system.ts";
import { configuredFunctions } from "../../../shared/host/configuration.ts";
import { functionConsole } from "../../../shared/host/console/index.ts";
import {
  createLambdaHandler,
  createSqsHandler,
  createTimerHandler,
  type LambdaContext,
  type LambdaHandler,
} from "../../../shared/host/lambda/index.ts";
import { hostWork } from "../../../shared/host/work.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { eventTypesOf } from "../../engine/event-types.ts";
import { readSettings, type Settings } from "../../settings/index.ts";
import { clusterName } from "../../watcher/cluster-name.ts";
import type { BusParts } from "../bus-parts.ts";
import { clusterConnection } from "../cluster-connection.ts";
import { openSqs } from "../open-sqs.ts";
import { logRuns } from "../run-log.ts";
import { isSweep, sweep } from "./sweep.ts";

export interface LambdaParts {
  /** The name of a function, or `commands`, or `timers`. */
  readonly name: string;
  /** All systems of the installation: what a function emits may wake any of them. */
  readonly systems: readonly System[];
  /** Default: what Lambda sets. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Default: the one that the settings say. */
  readonly openBus?: (settings: Settings, parts: BusParts) => SqsBus;
}

/** A Lambda was invoked with something that it does not take. */
export class LambdaEventError extends ReveilleError {}

type Handler = LambdaHandler<unknown, unknown>;

/** Sightings are of use only beside a watcher: here each run reads. */
const blind = { get: () => undefined, saw: () => undefined };

/**
 * The handler of one Lambda. Importing it does nothing; the first invocation reads the settings, finds out which cluster this
 * is, and keeps what it opened for the next ones. If that fails, the next invocation tries anew.
 */
export function lambdaHandler(parts: LambdaParts): Handler {
  let opened: Promise<Handler> | undefined;
  return async (event, context) => {
    opened ??= open(parts);
    let handler: Handler;
    try {
      handler = await opened;
    } catch (thrown) {
      opened = undefined;
      throw thrown;
    }
    return handler(event, context);
  };
}

async function open(parts: LambdaParts): Promise<Handler> {
  const { name, systems, environment = process.env, clock = systemClock, openBus = openSqs } = parts;
  const { settings } = await readSettings({ environment }, async () => ({ systems }));
  const log = pino(
    { level: settings.log.level, base: { host: name } },
    pino.destination({ fd: 1, sync: true }),
  );
  const functions = systems.flatMap((system) => system.functions);
  const router = createRouter(functions);
  const known = eventTypesOf(functions);
  const bus = openBus(settings, {
    name: `reveille-${name}`,
    functions: functions.map((one) => one.name),
    cleans: false,
    route: (event) => router.route(event),
    types: () => known,
    clock,
    log: log.child({ part: "bus" }),
  });
  logRuns(bus, log.child({ part: "host" }));
  const declaration = functions.find((one) => one.name === name);
  if (declaration === undefined && name !== COMMANDS)
    return createLambdaHandler({ queue: createTimerHandler({ bus }), console: refuse });

  const connection = await clusterConnection(settings.cluster, environment, clock);
  const { concurrentWrites, requestTimeout } = settings.cluster;
  const client = createKubeClient({
    connection,
    clock,
    concurrentWrites,
    timeoutMilliseconds: requestTimeout,
  });
  const cluster = await clusterName(client, settings.cluster.name ?? connection.cluster);
  const { namespaces } = settings;
  const { nets, limit } = settings.runs;
  const configured = configuredFunctions(systems, settings.configuration);
  // The one of the commands knows all functions: it asks what they are keyed by.
  const mine =
    declaration === undefined ? configured : new Map([...configured].filter(([one]) => one === declaration));
  if (declaration !== undefined) for (const [one, { ports }] of mine) refuseUnboundPorts(one, ports);
  const shared = { client, cluster, clock, log: log.child({ part: "host" }), namespaces };
  const work = hostWork({
    ...shared,
    functions: mine,
    bus,
    sightings: blind,
    nets,
    limitMilliseconds: limit,
  });
  const queue = createSqsHandler({ bus, work, clock });
  if (declaration === undefined) return createLambdaHandler({ queue, console: refuse });
  const console = functionConsole({
    ...shared,
    functions: mine,
    types: () => known,
    bus,
  });
  const invoke = async (event: unknown, context: LambdaContext): Promise<unknown> => {
    if (isSweep(event)) return sweep(bus, declaration, cluster, clock.now());
    const { dryRun, event: wrapped } = event as { readonly dryRun?: unknown; readonly event?: unknown };
    const left = context.getRemainingTimeInMillis() - SPARE_MILLISECONDS;
    return console.invoke(name, wrapped ?? event, {
      dryRun: dryRun === true,
      askedBy: "lambda",
      signal: AbortSignal.timeout(left),
      waitMilliseconds: Math.min(left, WAIT_MILLISECONDS),
    });
  };
  return createLambdaHandler({ queue, console: invoke });
}

/** Commands and timers come from their queues alone. */
const refuse = async (): Promise<never> => {
  throw new LambdaEventError(
    "LAMBDA_EVENT_UNKNOWN",
    "This Lambda takes messages of its queue only: invoke a function's Lambda, or use `reveille command`.",
  );
};

/** How long an invocation by hand waits for the run that it asked for. */
const WAIT_MILLISECONDS = 25_000;
const SPARE_MILLISECONDS = 1_000;
