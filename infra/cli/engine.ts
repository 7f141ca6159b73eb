import type { Envelope, ResourceDeleted } from "../../events/index.ts";
import type { Consumer } from "../../shared/bus/contract.ts";
import { type EmbeddedBus, openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { subjectOf } from "../../shared/function/key.ts";
import { createRouter, everyKey, type Router } from "../../shared/function/router.ts";
import type { System } from "../../shared/function/system.ts";
import { watchListOf } from "../../shared/function/watch-list-of.ts";
import { startLocalHost } from "../../shared/host/local.ts";
import { Sightings } from "../../shared/host/sightings.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { Log } from "../../shared/log/log.ts";
import { type LeaseOptions, startWatcher, type Watcher } from "../watcher/index.ts";
import { functionsOf } from "./install/declared.ts";

export interface EngineOptions {
  readonly client: KubeClient;
  readonly cluster: string;
  /** Paths, or `:memory:`. */
  readonly files: { readonly bus: string; readonly ledger: string };
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly nets?: boolean | undefined;
  readonly maximumAttempts?: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Names the watcher in its Lease. The same after a restart, so that it goes on at once. */
  readonly identity: string;
  readonly lease: LeaseOptions | false | undefined;
}

/** Watcher, bus and host in one process, with functions that may change while it runs. */
export interface Engine {
  readonly bus: EmbeddedBus;
  readonly watcher: Watcher;
  /** Runs these systems from now on; all keys of the named functions are looked at once more. */
  use(systems: readonly System[], lookAgain: readonly string[]): Promise<void>;
  /** Takes no new work, lets what runs end, and closes the bus. */
  stop(): Promise<void>;
  /** Ends as a killed process would. */
  abandon(): void;
}

/** How long what runs may take when the engine ends. */
const DRAIN_MILLISECONDS = 5_000;

/** Starts the engine on a cluster whose CRDs are there. Throws a `BusError` or a `LedgerError`. */
export function startEngine(options: EngineOptions): Engine {
  const { client, cluster, clock, log, namespaces } = options;
  let router: Router = createRouter(functionsOf(options.systems));
  const bus = openEmbeddedBus({
    file: options.files.bus,
    route: (event) => router.route(event),
    clock,
    log: log.child({ part: "bus" }),
  });
  const sightings = new Sightings();
  bus.subscribe({
    published: ({ type, data }) => {
      if (type !== "resource.deleted") return;
      const { ref } = data as ResourceDeleted["data"];
      sightings.gone(subjectOf(ref, ref));
    },
  });
  const host = (systems: readonly System[]): Consumer =>
    startLocalHost({
      systems,
      ...(options.configuration === undefined ? {} : { configuration: options.configuration }),
      client,
      cluster,
      bus,
      clock,
      log: log.child({ part: "host" }),
      sightings,
      namespaces,
      nets: options.nets ?? true,
      ...(options.maximumAttempts === undefined ? {} : { maximumAttempts: options.maximumAttempts }),
    });
  const publish = async (events: readonly Envelope[]): Promise<void> => {
    const { refused } = await bus.publish(events);
    for (const { id, issues } of refused) log.error({ id, issues }, "an event of the watcher was refused");
  };
  let consumer: Consumer;
  let watcher: Watcher;
  try {
    consumer = host(options.systems);
    watcher = startWatcher({
      client,
      cluster: { name: cluster },
      watchList: watchListOf(functionsOf(options.systems), namespaces),
      ledger: { file: options.files.ledger },
      publish,
      clock,
      log: log.child({ part: "watcher" }),
      identity: options.identity,
      lease: options.lease,
      onSeen: (object, kind) => sightings.saw(subjectOf(kind, object.metadata), object),
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
      const next = createRouter(functions);
      const watchList = watchListOf(functions, namespaces);
      await consumer.stop(DRAIN_MILLISECONDS);
      router = next;
      consumer = host(systems);
      await watcher.update(watchList);
      await lookAtAll(lookAgain, functions);
    },
    async stop() {
      await watcher.stop();
      await consumer.stop(DRAIN_MILLISECONDS);
      await bus.close();
    },
    abandon: () => bus.abandon(),
  };

  async function lookAtAll(
    names: readonly string[],
    functions: ReturnType<typeof functionsOf>,
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
