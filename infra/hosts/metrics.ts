import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Bus, FunctionCounts } from "../../shared/bus/contract.ts";
import { countsOf } from "../../shared/bus/counts-of.ts";
import type { RunRecord } from "../../shared/bus/run-record.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { SystemMetrics } from "../../shared/function/metrics.ts";
import type { PausedFunction } from "../../shared/host/commands/index.ts";
import type { ConnectionPool, OtherClusters } from "../../shared/kube/client/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { Log } from "../../shared/log/log.ts";
import type { Watcher } from "../watcher/index.ts";
import { measureClusters } from "./cluster-metrics.ts";
import { isNoOp } from "./run-fields.ts";
import { sharedLook } from "./shared-look.ts";
import { measureSystem } from "./system-metrics.ts";

/** The contents of `/metrics`, in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /**
   * Counts the runs of this bus from now on, and measures its queues at each scrape: of these functions also where they are
   * empty.
   */
  ofBus(bus: Pick<Bus, "counts" | "subscribe" | "ready">, functions: readonly string[]): void;
  ofClient(client: Pick<KubeClient, "answers">): void;
  ofConnections(connections: Pick<ConnectionPool, "names" | "isAway">): void;
  ofClusters(others: Pick<OtherClusters, "all">): void;
  ofWatcher(watcher: Pick<Watcher, "position">): void;
  /** Asks at each scrape from now on which functions are paused. */
  ofPauses(read: () => Promise<readonly PausedFunction[]>): void;
  /** Asks at each scrape from now on which secrets can be read. */
  ofSecrets(read: () => readonly { readonly secret: string; readonly readable: boolean }[]): void;
  /** Asks at each scrape from now on how many senders are heard, by trigger. */
  ofBeats(read: () => ReadonlyMap<string, number>): void;
  /** Reads the metrics of a system at each scrape from now on. */
  ofSystem(metrics: SystemMetrics, client: Pick<KubeClient, "get" | "list">): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Metrics of one process. Numbers that others keep are read at each scrape, and not before. */
export function createMetrics(build: {
  readonly version: string;
  readonly host: string;
  readonly clock: Clock;
  readonly log: Log;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: "reveille_build_info",
    help: "1; the labels say which version runs as what",
    labelNames: ["version", "node", "host"],
    registers,
  }).set({ version: build.version, node: process.version, host: build.host }, 1);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    ofBus: (bus, functions) => {
      countRuns(bus, registers);
      measureQueues(bus, functions, registers, build);
    },
    ofClient: (client) => countRequests(client, registers),
    ofConnections: (connections) => measureConnections(connections, registers),
    ofClusters: (others) => measureClusters(others, registers),
    ofWatcher: (watcher) => measureWatcher(watcher, registers),
    ofPauses: (read) => measurePauses(read, registers, build),
    ofSecrets: (read) => measureSecrets(read, registers),
    ofBeats: (read) => measureBeats(read, registers),
    ofSystem: (metrics, client) => measureSystem(metrics, client, registers, build),
  };
}

function countRuns(bus: Pick<Bus, "subscribe">, registers: Registry[]): void {
  const seconds = new Histogram({
    name: "reveille_reconcile_seconds",
    help: "How long runs took",
    labelNames: ["function"],
    buckets: SECONDS,
    registers,
  });
  const runs = new Counter({
    name: "reveille_runs_total",
    help: "Runs by how they ended: done, waiting, retry, dead, lost, parked, away, swept",
    labelNames: ["function", "outcome"],
    registers,
  });
  const noOps = new Counter({
    name: "reveille_noop_runs_total",
    help: "Runs that found all as it should be and sent nothing",
    labelNames: ["function"],
    registers,
  });
  const repeats = new Counter({
    name: "reveille_repeated_attempts_total",
    help: "Runs that were a second or later attempt",
    labelNames: ["function"],
    registers,
  });
  const writes = new Counter({
    name: "reveille_writes_total",
    help: "Writes that runs sent, by verb",
    labelNames: ["function", "verb"],
    registers,
  });
  bus.subscribe({
    ran: (run: RunRecord) => {
      const { function: name, outcome, attempt } = run;
      seconds.observe({ function: name }, run.milliseconds / 1000);
      runs.inc({ function: name, outcome });
      if (isNoOp(run)) noOps.inc({ function: name });
      if (attempt > 1) repeats.inc({ function: name });
      for (const { verb, sent } of run.writes) if (sent) writes.inc({ function: name, verb });
    },
  });
}

const QUEUE = {
  waiting: "Items that wait to be run",
  running: "Items that run now, on all hosts",
  retrying: "Items that wait for their next attempt",
  dead: "Keys in the dead letters; under the function - events that were refused",
  parked: "Keys that wait for an object",
  away: "Keys that wait behind a connection that was away",
  deadlines: "Deadlines that are set",
} as const;

function measureQueues(
  bus: Pick<Bus, "counts" | "ready">,
  functions: readonly string[],
  registers: Registry[],
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): void {
  const told = sharedLook(
    () => ask(bus, functions, log),
    clock,
    (answer) => answer !== undefined,
  );
  const counts = async (): ReturnType<typeof told> => (bus.ready() ? told() : undefined);
  const up: Gauge = new Gauge({
    name: "reveille_bus_up",
    help: "1 while the bus makes things durable and tells how much waits",
    registers,
    collect: async () => up.set((await counts()) === undefined ? 0 : 1),
  });
  const depth: Gauge<"function" | "state"> = new Gauge({
    name: "reveille_items",
    help: `Keys by state. ${Object.entries(QUEUE)
      .map(([state, meaning]) => `${state}: ${meaning}`)
      .join("; ")}`,
    labelNames: ["function", "state"],
    registers,
    collect: async () => {
      const found = await counts();
      depth.reset();
      for (const [name, of] of Object.entries(found ?? {}))
        for (const state of Object.keys(QUEUE) as (keyof typeof QUEUE)[])
          depth.set({ function: name, state }, of[state]);
    },
  });
  const age: Gauge<"function"> = new Gauge({
    name: "reveille_oldest_item_seconds",
    help: "How long the oldest waiting item has waited",
    labelNames: ["function"],
    registers,
    collect: async () => {
      const found = await counts();
      age.reset();
      for (const [name, { oldest }] of Object.entries(found ?? {}))
        age.set({ function: name }, oldest / 1000);
    },
  });
}

/** Undefined where the bus cannot tell. */
async function ask(
  bus: Pick<Bus, "counts">,
  functions: readonly string[],
  log: Log,
): Promise<Readonly<Record<string, FunctionCounts>> | undefined> {
  try {
    return await countsOf(bus, functions);
  } catch (thrown) {
    log.warn({ error: messageOf(thrown) }, "the counts of the bus could not be read");
    return undefined;
  }
}

function countRequests(client: Pick<KubeClient, "answers">, registers: Registry[]): void {
  const requests: Counter<"verb" | "code"> = new Counter({
    name: "reveille_api_requests_total",
    help: "Requests to the API server by verb and the code of the answer; 0 where none came",
    labelNames: ["verb", "code"],
    registers,
    collect: () => {
      requests.reset();
      for (const [key, count] of Object.entries(client.answers ?? {})) {
        const [verb = "", code = ""] = key.split(" ");
        requests.inc({ verb, code }, count);
      }
    },
  });
}

function measureConnections(
  connections: Pick<ConnectionPool, "names" | "isAway">,
  registers: Registry[],
): void {
  const gauge: Gauge<"connection"> = new Gauge({
    name: "reveille_connection_up",
    help: "0 while a connection of this process is away by its own probe, so that nothing is taken for it",
    labelNames: ["connection"],
    registers,
    collect: () => {
      gauge.reset();
      for (const name of connections.names) gauge.set({ connection: name }, connections.isAway(name) ? 0 : 1);
    },
  });
}

function measurePauses(
  read: () => Promise<readonly PausedFunction[]>,
  registers: Registry[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): void {
  const paused: Gauge<"function"> = new Gauge({
    name: "reveille_paused_seconds",
    help: "How long the function has been paused; nothing for one that is not",
    labelNames: ["function"],
    registers,
    collect: async () => {
      paused.reset();
      try {
        for (const { function: name, since } of await read())
          paused.set({ function: name }, (clock.now() - Date.parse(since)) / 1000);
      } catch (thrown) {
        log.warn({ error: messageOf(thrown) }, "the paused functions cannot be read for the metrics");
      }
    },
  });
}

function measureSecrets(
  read: () => readonly { readonly secret: string; readonly readable: boolean }[],
  registers: Registry[],
): void {
  const readable: Gauge<"secret"> = new Gauge({
    name: "reveille_secret_readable",
    help: "1 where the secret that proves a caller or a webhook can be read, 0 where it is missing or empty",
    labelNames: ["secret"],
    registers,
    collect: () => {
      readable.reset();
      for (const { secret, readable: is } of read()) readable.set({ secret }, is ? 1 : 0);
    },
  });
}

function measureBeats(read: () => ReadonlyMap<string, number>, registers: Registry[]): void {
  const heard: Gauge<"trigger"> = new Gauge({
    name: "reveille_heard_senders",
    help: "Senders whose beats this process heard last, or took over from one that is gone",
    labelNames: ["trigger"],
    registers,
    collect: () => {
      heard.reset();
      for (const [trigger, senders] of read()) heard.set({ trigger }, senders);
    },
  });
}

const WATCHER = {
  eventsRead: ["reveille_watch_events_total", "Lines of watches, bookmarks included"],
  published: ["reveille_published_events_total", "Events that the bus took"],
  noOpsDropped: ["reveille_unchanged_events_total", "Changes in which nothing that counts differed"],
  echoesDropped: [
    "reveille_echoes_total",
    "Lines of watches that only told what a function beside the watcher had written",
  ],
  watchRestarts: ["reveille_watch_restarts_total", "Watches opened again after one had ended"],
  silentWatches: ["reveille_silent_watches_total", "Watches cut off after 70 s without a byte"],
  lists: ["reveille_compares_total", "Compares of a kind with the ledger"],
  deletesFoundLate: ["reveille_deletes_found_late_total", "Deletes that only a compare found"],
  changesFoundLate: ["reveille_changes_found_late_total", "Changes that only a compare found"],
  unreadObjects: ["reveille_unread_objects_total", "Objects that could not be read and were told as unknown"],
  publishFailures: ["reveille_publish_failures_total", "Batches that the bus or the ledger refused"],
  backPressure: ["reveille_back_pressure_total", "Streams cut off because too many keys were dirty"],
} as const;

function measureWatcher(watcher: Pick<Watcher, "position">, registers: Registry[]): void {
  for (const [field, [name, help]] of Object.entries(WATCHER)) {
    const counter: Counter = new Counter({
      name,
      help,
      registers,
      collect: () => {
        counter.reset();
        counter.inc(watcher.position().counters[field as keyof typeof WATCHER]);
      },
    });
  }
  const leader: Gauge = new Gauge({
    name: "reveille_watcher_leader",
    help: "1 where this watcher publishes, 0 where it stands by",
    registers,
    collect: () => leader.set(watcher.position().leader ? 1 : 0),
  });
  const dirty: Gauge = new Gauge({
    name: "reveille_dirty_keys",
    help: "Changes seen and not yet published",
    registers,
    collect: () => dirty.set(watcher.position().dirty),
  });
  const awaited: Gauge<"state"> = new Gauge({
    name: "reveille_awaited_streams",
    help: "Streams into other clusters: open, and queued for a place",
    labelNames: ["state"],
    registers,
    collect: () => {
      const { open, queued } = watcher.position().elsewhere?.streams ?? { open: 0, queued: 0 };
      awaited.set({ state: "open" }, open);
      awaited.set({ state: "queued" }, queued);
    },
  });
  const followed: Gauge<"group" | "kind" | "namespace" | "state"> = new Gauge({
    name: "reveille_watched_kind",
    help: "1 where the kind is followed, 0 where it is not; the state says why",
    labelNames: ["group", "kind", "namespace", "state"],
    registers,
    collect: () => {
      followed.reset();
      for (const { group, kind, namespace = "", state } of watcher.position().streams)
        followed.set({ group, kind, namespace, state: state.name }, state.name === "streaming" ? 1 : 0);
    },
  });
}
