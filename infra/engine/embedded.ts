import {
  type EmbeddedBus,
  type EmbeddedBusOptions,
  openEmbeddedBus,
} from "../../shared/bus/embedded/index.ts";
import { defaultRetry } from "../../shared/bus/retry.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import { silent } from "../../shared/log/log.ts";
import { type EngineOptions, startEngine, type WatchingEngine } from "./engine.ts";
import type { WatchRole, WorkRole } from "./roles.ts";
import { routingOf } from "./routing.ts";

export interface EmbeddedEngineOptions
  extends Omit<EngineOptions, "bus" | "roles" | "routing">,
    Omit<WatchRole, "ledger">,
    WorkRole {
  readonly systems: readonly System[];
  /** A folder for the bus and the ledger; absent, and without `files`: both in memory. */
  readonly directory?: string | undefined;
  /** Instead of a folder. */
  readonly files?: { readonly bus: string; readonly ledger: string } | undefined;
  /** After so many attempts a key goes to the dead letters. */
  readonly maximumAttempts?: number | undefined;
  readonly bus?: Partial<EmbeddedBusOptions> | undefined;
  /** Called with the bus before the first event is published. */
  readonly onBus?: ((bus: EmbeddedBus) => void) | undefined;
}

/** Watcher, bus and host in one process. */
export interface EmbeddedEngine extends WatchingEngine<EmbeddedBus> {
  /** Takes no new work, lets what runs end, and closes the bus. */
  stop(): Promise<void>;
  /**
   * Ends as the death of the process would: nothing is given back, nothing more is written. Resolves when the ledger may be
   * opened anew. For tests.
   */
  abandon(): Promise<void>;
}

/** Opens an embedded bus and starts the engine on it in both roles. Throws a `BusError`, and what `startEngine` throws. */
export async function startEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { systems, directory, maximumAttempts, clock = systemClock, log = silent, onBus } = options;
  const { client, others, clusterClient, cluster, configuration, code, namespaces, home } = options;
  const { identity, lease, memory, streams, timing } = options;
  const { clientOf, connections, limitMilliseconds, nets, only, parallel, ports } = options;
  const file = (name: string): string => (directory === undefined ? ":memory:" : `${directory}/${name}`);
  const files = options.files ?? { bus: file("bus.db"), ledger: file("ledger.db") };
  const routing = routingOf(systems);
  const bus = openEmbeddedBus({
    file: files.bus,
    route: routing.route,
    types: routing.types,
    isKnown: routing.knows,
    clock,
    log: log.child({ part: "bus" }),
    ...(maximumAttempts !== undefined && { retry: { ...defaultRetry, maximumAttempts } }),
    ...options.bus,
  });
  onBus?.(bus);
  try {
    const engine = await startEngine({
      bus,
      routing,
      roles: {
        watch: { ledger: files.ledger, identity, lease, memory, streams, timing },
        work: { clientOf, connections, limitMilliseconds, nets, only, parallel, ports },
      },
      client,
      others,
      clusterClient,
      cluster,
      configuration,
      code,
      namespaces,
      home,
      clock,
      log,
    });
    return {
      bus,
      watcher: engine.watcher,
      use: (next, replacing) => engine.use(next, replacing),
      async stop() {
        await engine.stop();
        await bus.close();
      },
      async abandon() {
        bus.abandon();
        await engine.abandon();
      },
    };
  } catch (thrown) {
    bus.abandon();
    throw thrown;
  }
}
