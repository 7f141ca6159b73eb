import { randomBytes } from "node:crypto";
import type { Consumer } from "../../shared/bus/contract.ts";
import {
  type EmbeddedBus,
  type EmbeddedBusOptions,
  openEmbeddedBus,
} from "../../shared/bus/embedded/index.ts";
import { defaultRetry } from "../../shared/bus/retry.ts";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import type { BoundPort } from "../../shared/function/port.ts";
import type { System } from "../../shared/function/system.ts";
import { Hints } from "../../shared/hints/hints.ts";
import { startLocalHost } from "../../shared/host/local.ts";
import type { ConnectionPool } from "../../shared/kube/client/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { everyKey } from "../../shared/runner/router.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { functionsOf } from "../systems/declared.ts";
import {
  type LeaseOptions,
  type PublishedBefore,
  startWatcher,
  type Timing,
  type Watcher,
} from "../watcher/index.ts";
import { publishTo } from "./publish.ts";
import { routingOf } from "./routing.ts";

export interface EngineOptions {
  readonly client: KubeClient;
  /** As whom each function speaks to the API server. Default: all as `client`. */
  readonly clientOf?: ((declaration: FunctionDeclaration) => KubeClient) | undefined;
  /** As `clusterName` gives it. */
  readonly cluster: string;
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  /** What stands behind the functions' ports, in place of what their systems bring. */
  readonly ports?: readonly BoundPort[] | undefined;
  /** A folder for the bus and the ledger; absent, and without `files`: both in memory. */
  readonly directory?: string | undefined;
  /** Instead of a folder. */
  readonly files?: { readonly bus: string; readonly ledger: string } | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Default: on. */
  readonly nets?: boolean | undefined;
  readonly namespaces?: readonly string[] | undefined;
  /** The namespace of the installation, for the pauses. Default: `reveille-system`. */
  readonly home?: string | undefined;
  readonly parallel?: number | undefined;
  /** What is reached, and whether it is there. Default: the API server, asked with `client`, and the bus. */
  readonly connections?: ConnectionPool | undefined;
  /** After so many attempts a key goes to the dead letters. */
  readonly maximumAttempts?: number | undefined;
  /** Names the watcher in its Lease; the same after a restart, so that it goes on at once. Default: a new one. */
  readonly identity?: string | undefined;
  /** False: this watcher is the only one. */
  readonly lease?: LeaseOptions | false | undefined;
  /** Its watcher publishes from now on. Never without a Lease. */
  readonly onLead?: ((before: PublishedBefore) => void) | undefined;
  readonly bus?: Partial<EmbeddedBusOptions> | undefined;
  /** The watcher's times, where they are not the usual ones. */
  readonly timing?: Partial<Timing> | undefined;
}

/** Watcher, bus and host in one process, with functions that may change while it runs. */
export interface Engine {
  readonly bus: EmbeddedBus;
  readonly watcher: Watcher;
  /** Runs these systems from now on; all keys of the named functions are looked at once more. */
  use(systems: readonly System[], lookAgain: readonly string[]): Promise<void>;
  /** Takes no new work, lets what runs end, and closes the bus. */
  stop(): Promise<void>;
  /**
   * Ends as the death of the process would: nothing is given back, nothing more is written. Resolves when the ledger may be
   * opened anew. For tests.
   */
  abandon(): Promise<void>;
}

/** How long what runs may take when the engine ends. */
const DRAIN_MILLISECONDS = 5_000;

/**
 * Starts the engine on a cluster whose CRDs are there. Throws a `BusError` or a `LedgerError`, and a `DeclarationError` where nothing
 * stands behind a port.
 */
export function startEngine(options: EngineOptions): Engine {
  const { client, cluster, namespaces, clock = systemClock, log = silent } = options;
  const file = (name: string): string =>
    options.directory === undefined ? ":memory:" : `${options.directory}/${name}`;
  const files = options.files ?? { bus: file("bus.db"), ledger: file("ledger.db") };
  const routing = routingOf(options.systems);
  const bus = openEmbeddedBus({
    file: files.bus,
    route: routing.route,
    types: routing.types,
    clock,
    log: log.child({ part: "bus" }),
    ...(options.maximumAttempts !== undefined && {
      retry: { ...defaultRetry, maximumAttempts: options.maximumAttempts },
    }),
    ...options.bus,
  });
  const hints = new Hints(clock);
  const host = (systems: readonly System[]): Consumer =>
    startLocalHost({
      systems,
      ...(options.configuration !== undefined && { configuration: options.configuration }),
      ports: options.ports,
      client,
      clientOf: options.clientOf,
      cluster,
      bus,
      clock,
      log: log.child({ part: "host" }),
      hints,
      namespaces,
      home: options.home,
      nets: options.nets ?? true,
      connections: options.connections,
      ...(options.parallel !== undefined && { parallel: options.parallel }),
    });
  let running = options.systems;
  let consumer: Consumer;
  let watcher: Watcher;
  try {
    consumer = host(options.systems);
    watcher = startWatcher({
      client,
      cluster: { name: cluster },
      watchList: watchListOf(functionsOf(options.systems), namespaces),
      ledger: { file: files.ledger },
      publish: publishTo(bus, log),
      clock,
      log: log.child({ part: "watcher" }),
      identity: options.identity ?? randomBytes(4).toString("hex"),
      lease: options.lease,
      onLead: options.onLead,
      timing: options.timing,
      onlooker: hints,
    });
  } catch (thrown) {
    bus.abandon();
    throw thrown;
  }
  return {
    bus,
    watcher,
    async use(systems, lookAgain) {
      const functions = functionsOf(systems);
      const watchList = watchListOf(functions, namespaces);
      await consumer.stop(DRAIN_MILLISECONDS);
      try {
        consumer = host(systems);
      } catch (thrown) {
        consumer = host(running);
        throw thrown;
      }
      running = systems;
      routing.use(systems);
      await watcher.update(watchList);
      await lookAtAll(lookAgain, functions);
    },
    async stop() {
      await watcher.stop();
      await consumer.stop(DRAIN_MILLISECONDS);
      await bus.close();
    },
    async abandon() {
      bus.abandon();
      await watcher.stop();
    },
  };

  async function lookAtAll(
    names: readonly string[],
    functions: readonly FunctionDeclaration[],
  ): Promise<void> {
    const at = new Date(clock.now()).toISOString();
    await bus.enqueue(
      functions
        .filter(({ name }) => names.includes(name))
        .map((declaration) =>
          everyKey(declaration, cluster, {
            sort: "command",
            eventId: `function-changed/${declaration.name}/${at}`,
            type: "function.changed",
            revives: true,
            at,
          }),
        ),
    );
  }
}
