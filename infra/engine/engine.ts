import { randomBytes } from "node:crypto";
import type { ResourceDeleted } from "../../events/index.ts";
import {
  type EmbeddedBus,
  type EmbeddedBusOptions,
  openEmbeddedBus,
} from "../../shared/bus/embedded/index.ts";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import { subjectOf } from "../../shared/function/key.ts";
import { createRouter } from "../../shared/function/router.ts";
import type { System } from "../../shared/function/system.ts";
import { watchListOf } from "../../shared/function/watch-list-of.ts";
import { startLocalHost } from "../../shared/host/local.ts";
import { Sightings } from "../../shared/host/sightings.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { startWatcher, type Watcher } from "../watcher/index.ts";

export interface EngineOptions {
  readonly client: KubeClient;
  readonly cluster: string;
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** A folder for the bus and the ledger; absent: both in memory. */
  readonly directory?: string | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly nets?: boolean;
  readonly namespaces?: readonly string[] | undefined;
  readonly parallel?: number;
  readonly lease?: false;
  readonly bus?: Partial<EmbeddedBusOptions>;
  readonly maximumAttempts?: number;
}

/** Watcher, bus and host in one process. */
export interface Engine {
  readonly bus: EmbeddedBus;
  readonly watcher: Watcher;
  stop(): Promise<void>;
  /** Ends as the death of the process would: nothing is given back, nothing more is written. For tests. */
  abandon(): void;
}

/** Starts watcher, bus and host of some systems on one cluster. Throws where bus or ledger cannot be opened. */
export function startEngine(options: EngineOptions): Engine {
  const { client, cluster, systems, clock = systemClock, log = silent } = options;
  const functions = systems.flatMap((system) => system.functions);
  const file = (name: string): string =>
    options.directory === undefined ? ":memory:" : `${options.directory}/${name}`;
  const bus = openEmbeddedBus({
    file: file("bus.db"),
    route: createRouter(functions).route,
    clock,
    log,
    ...options.bus,
  });
  const sightings = new Sightings();
  bus.subscribe({
    published: ({ type, data }) => {
      if (type !== "resource.deleted") return;
      const { ref } = data as ResourceDeleted["data"];
      sightings.gone(subjectOf(ref, ref));
    },
  });
  const host = startLocalHost({
    systems,
    ...(options.configuration !== undefined && { configuration: options.configuration }),
    client,
    cluster,
    bus,
    clock,
    log,
    sightings,
    nets: options.nets ?? false,
    namespaces: options.namespaces,
    ...(options.parallel !== undefined && { parallel: options.parallel }),
    ...(options.maximumAttempts !== undefined && { maximumAttempts: options.maximumAttempts }),
  });
  const watcher = startWatcher({
    client,
    cluster: { name: cluster },
    watchList: watchListOf(functions, options.namespaces),
    ledger: { file: file("ledger.db") },
    publish: async (events) => {
      const { refused } = await bus.publish(events);
      for (const { id, issues } of refused) log.error({ id, issues }, "an event of the watcher was refused");
    },
    clock,
    log,
    identity: randomBytes(4).toString("hex"),
    lease: options.lease,
    onSeen: (object, kind) => sightings.saw(subjectOf(kind, object.metadata), object),
  });
  return {
    bus,
    watcher,
    abandon: () => {
      bus.abandon();
      void watcher.stop().catch((error: unknown) => log.debug({ err: error }, "the abandoned watcher ended"));
    },
    stop: async () => {
      await watcher.stop();
      await host.stop(5_000);
      await bus.close();
    },
  };
}
