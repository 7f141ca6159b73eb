import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import { otherClustersOf } from "../../shared/host/other-clusters.ts";
import { BUS, busProbe } from "../../shared/host/reach.ts";
import { ConnectionPool, type OtherClusters, ownApiProbe } from "../../shared/kube/client/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import type { Log } from "../../shared/log/log.ts";
import { type Routing, routingOf } from "../engine/routing.ts";
import type { Settings } from "../settings/index.ts";
import { clusterName } from "../watcher/cluster-name.ts";
import { clusterConnection } from "./cluster-connection.ts";
import { listenHealth } from "./health-server.ts";
import type { Listening } from "./listen.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { openBus } from "./open-bus.ts";
import { Readiness } from "./readiness.ts";
import { eventually } from "./retry.ts";
import { logRuns } from "./run-log.ts";
import { startTraces } from "./traces.ts";

/** The options with which a host is started. */
export interface HostOptions {
  /** The role of the host: a label in metrics, a name in logs and traces. */
  readonly name: "run" | "watcher" | "worker" | "serve";
  readonly version: string;
  readonly settings: Settings;
  readonly systems: readonly System[];
  /** A digest of the files that a system was loaded from, by system. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when it shall end: it takes nothing more, lets what runs end, and gives back the rest. */
  readonly signal: AbortSignal;
}

/** The parts that a host has when its own part starts. */
export interface HostContext extends HostOptions {
  readonly client: KubeClient;
  /** The connections of the host, each with its state: the API server first. */
  readonly connections: ConnectionPool;
  /** The other clusters that functions name. */
  readonly others: OtherClusters;
  /** The cluster's name, as keys carry it. */
  readonly cluster: string;
  readonly bus: Bus;
  /** The routing of the systems' functions, for the bus. */
  readonly routing: Routing;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

/** A host's own part, beside answering how it is. `stop` may take `milliseconds`. */
export interface HostPart {
  /** The facts that the log tells when it is ready. */
  readonly facts?: object;
  stop(milliseconds: number): Promise<void>;
}

/**
 * Runs a host until its signal is aborted. `/healthz` and `/readyz` answer first; then API server and bus are waited for, for as
 * long as it takes, and the parts start. At the end the parts stop in reverse order, then the bus is closed.
 */
export async function runHost(
  options: HostOptions,
  parts: readonly ((context: HostContext) => HostPart | Promise<HostPart>)[],
): Promise<void> {
  const { settings, signal, log, clock } = options;
  const readiness = new Readiness();
  const metrics = createMetrics({ version: options.version, host: options.name, clock, log });
  const endings: ((milliseconds: number) => Promise<void>)[] = [];
  try {
    const urls = await listenAll(settings, readiness, metrics, endings);
    log.info(urls, "listening");
    const context = await connect(options, readiness, metrics, endings);
    const facts: object[] = [];
    for (const start of parts) {
      const part = await start(context);
      facts.push(part.facts ?? {});
      endings.push((milliseconds) => part.stop(milliseconds));
    }
    log.info(Object.assign({ cluster: context.cluster, ...urls }, ...facts), "ready");
    await aborted(signal);
  } catch (thrown) {
    if (!signal.aborted || thrown !== signal.reason) throw thrown;
  } finally {
    readiness.waits("end", "it was told to end and lets what runs finish");
    const until = clock.now() + settings.drain.limit;
    if (signal.aborted) log.info({ milliseconds: settings.drain.limit }, "ending");
    for (let end = endings.pop(); end !== undefined; end = endings.pop())
      await end(Math.max(0, until - clock.now()));
    log.info({}, "ended");
  }
}

async function listenAll(
  settings: Settings,
  readiness: Readiness,
  metrics: Metrics,
  endings: ((milliseconds: number) => Promise<void>)[],
): Promise<Readonly<Record<string, string>>> {
  const own = settings.metrics.listen;
  const listening = async (server: Promise<Listening>): Promise<string> => {
    const { address, stop } = await server;
    endings.push(stop);
    return `http://${address}`;
  };
  const health = await listening(
    listenHealth(settings.health.listen, own === undefined ? { readiness, metrics } : { readiness }),
  );
  if (own === undefined) return { health, metrics: `${health}/metrics` };
  return { health, metrics: `${await listening(listenHealth(own, { metrics }))}/metrics` };
}

/** Reaches API server and bus. */
async function connect(
  options: HostOptions,
  readiness: Readiness,
  metrics: Metrics,
  endings: ((milliseconds: number) => Promise<void>)[],
): Promise<HostContext> {
  const { settings, clock, log, signal, systems } = options;
  readiness.waits("api", "it has not answered yet");
  readiness.waits("bus", "it is not open yet");
  const { concurrentWrites, requestTimeout } = settings.cluster;
  const connection = await clusterConnection(settings.cluster, process.env, clock);
  const client = createKubeClient({
    connection,
    clock,
    concurrentWrites,
    timeoutMilliseconds: requestTimeout,
  });
  endings.push(async () => client.close());
  metrics.ofClient(client);
  const cluster = await eventually(() => clusterName(client, settings.cluster.name ?? connection.cluster), {
    clock,
    log: log.child({ part: "api" }),
    signal,
    waits: (reason) => readiness.waits("api", reason),
  });
  const { probe, close } = ownApiProbe(connection, clock);
  const connections = new ConnectionPool({
    home: { client, probe },
    clock,
    log: log.child({ part: "connections" }),
  });
  endings.push(async () => {
    connections.close();
    close();
  });
  readiness.connections(connections);
  metrics.ofConnections(connections);
  const { configuration } = settings;
  const others = otherClustersOf({
    systems,
    configuration,
    client,
    clock,
    log: log.child({ part: "clusters" }),
    isPatient: options.name === "watcher",
  });
  endings.push(async () => others.close());
  metrics.ofClusters(others);

  const routing = routingOf(systems);
  const busLog = log.child({ part: "bus" });
  const bus = await eventually(
    () =>
      openBus(settings, {
        name: `reveille-${options.name}`,
        // Whoever watches: of the generated users of a bus it alone may.
        cleans: options.name === "watcher" || options.name === "run",
        asks: options.name === "serve",
        routing,
        clock,
        log: busLog,
      }),
    { clock, log: busLog, signal, waits: (reason) => readiness.waits("bus", reason) },
  );
  endings.push(() => bus.close());
  readiness.check("bus", () =>
    bus.ready() ? undefined : "it cannot make anything durable now; the log says why",
  );
  connections.add(BUS, busProbe(bus));
  metrics.ofBus(bus, routing.names);
  logRuns(bus, log.child({ part: "host" }));
  const traces = await startTraces(settings, { bus, service: options.name, version: options.version, log });
  endings.push(() => traces.stop());
  return { ...options, client, connections, others, cluster, bus, routing, readiness, metrics };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    // The signal alone keeps no process alive, and a bus on a file neither.
    const alive = setInterval(() => undefined, 3_600_000);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
