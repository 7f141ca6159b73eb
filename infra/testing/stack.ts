import { setTimeout as pause } from "node:timers/promises";
import type { RunRecord } from "../../shared/bus/run-record.ts";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import type { ClustersStatics } from "../../shared/kube/cluster-names.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../shared/kube/kinds/custom-resource-definition.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { everyKey } from "../../shared/runner/router.ts";
import { type EmbeddedEngineOptions, startEmbeddedEngine, type WatchingEngine } from "../engine/index.ts";
import { clusterName } from "../watcher/index.ts";
import type { KindState } from "../watcher/kind-state.ts";
import { applierTo } from "./apply-objects.ts";
import { type Fleet, type MortalBus, startFleet } from "./fleet.ts";
import { untilServed } from "./install-crds.ts";
import { connectTo, type RemoteCluster, startRemoteCluster } from "./remote-cluster.ts";
import { startTestApi, type TestApi } from "./test-api.ts";

export interface StackOptions {
  readonly api: "local" | "real" | TestApi;
  readonly systems: readonly System[];
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly clock?: Clock;
  readonly log?: Log;
  /** The client that the engine works with, made from one of its own: to delay, refuse or end its requests. */
  readonly engineClient?: ((client: KubeClient) => KubeClient) | undefined;
  /** The same for the clients of other clusters. */
  readonly clusterClient?: ((client: KubeClient) => KubeClient) | undefined;
  /** Other clusters beside the home. */
  readonly clusters?: readonly OtherClusterOptions[] | undefined;
  readonly engine?: Partial<EmbeddedEngineOptions>;
  /** The folder of bus and ledger; absent: in memory. */
  readonly directory?: string;
  /** Several hosts in place of one engine on an embedded bus. */
  readonly fleet?: Fleet | undefined;
}

/**
 * One of other clusters of a stack: one that runs already, or a new one on an API server of the home's sort, which ends with the stack.
 * `connected` false: its Secret is not put into the home.
 */
export type OtherClusterOptions = { readonly connected?: boolean } & (
  | { readonly remote: RemoteCluster }
  | { readonly clusters: ClustersStatics; readonly name: string }
);

/** Everything in one process: an API server, its controllers, and the functions of some systems. */
export interface Stack {
  readonly api: TestApi;
  /** The client of an administrator who is no function. */
  readonly client: KubeClient;
  readonly engine: WatchingEngine<MortalBus>;
  readonly cluster: string;
  /** The other clusters, in the order of the options. */
  readonly remotes: readonly RemoteCluster[];
  /** Applies objects, or YAML that holds several, server-side as `kubectl` would. */
  apply(objects: string | KubeObject | readonly KubeObject[]): Promise<readonly KubeObject[]>;
  /** Resolves when nothing waits, runs or is on its way anywhere; throws with what is left after a minute. */
  settled(): Promise<void>;
  /** All runs that ended so far, oldest first. */
  runs(): readonly RunRecord[];
  /** Runs every key of every function once more. A settled world must not change by it. */
  everyKeyOnce(): Promise<void>;
  /** Ends the engine and starts another on what it left. */
  restartEngine(options?: {
    readonly engineClient?: (client: KubeClient) => KubeClient;
    readonly clusterClient?: (client: KubeClient) => KubeClient;
    readonly abruptly?: boolean;
  }): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The time for which nothing may happen before the stack counts as settled. What goes over sockets within this process takes a few
 * turns of its event loop; the real server's watches are slower.
 */
const QUIET = { local: 20, real: 250 } as const;
/** The time after which a resumed watch on this machine has caught up. */
const CAUGHT_UP = { local: 40, real: 250 } as const;
/** The states in which a stream is about to be heard. */
const UNHEARD: ReadonlySet<KindState["name"]> = new Set([
  "beginning",
  "listing",
  "probing",
  "opening",
  "backingOff",
]);
/** The pause between two looks, in milliseconds: of a fleet a bus on a server is asked, and while work is left there is no haste. */
const LOOK = { embedded: 1, busy: 5, fleet: 25 } as const;

export async function startStack(options: StackOptions): Promise<Stack> {
  const api =
    typeof options.api === "string"
      ? await startTestApi({ api: options.api, ...(options.clock !== undefined && { clock: options.clock }) })
      : options.api;
  await installKinds(api.client, options.systems);
  const started: RemoteCluster[] = [];
  const remotes: RemoteCluster[] = [];
  for (const one of options.clusters ?? []) {
    const remote =
      "remote" in one ? one.remote : await startRemoteCluster(one.clusters, one.name, { api: api.kind });
    if (!("remote" in one)) started.push(remote);
    remotes.push(remote);
    await installKinds(remote.client, options.systems, remote.clusters.id);
    if (one.connected !== false) await connectTo(api.client, remote);
  }
  const cluster = await clusterName(api.client, "test");
  const stack = await RunningStack.start(api, cluster, options, { remotes, started });
  await stack.engine.watcher.settled();
  return stack;
}

/**
 * Installs the kinds that the functions own, and waits until they are served.
 * @param place the id of other clusters, where the client leads to one of these
 */
export async function installKinds(
  client: KubeClient,
  systems: readonly System[],
  place?: string,
): Promise<void> {
  const kinds = new Set<Kind>();
  for (const { key, wakes, owns, reads, writes } of systems.flatMap((system) => system.functions)) {
    const named = [...reads, ...(place === undefined ? [] : writes)].map((one) =>
      "unwatched" in one ? one.kind : one,
    );
    for (const kind of [key.kind, ...owns, ...wakes.flatMap((wake) => wake.kind ?? []), ...named])
      if (!kind.external && kind.clusters?.id === place) kinds.add(kind);
  }
  for (const kind of kinds) {
    const crd = crdOf(kind);
    await client.apply(
      resourceOf(CustomResourceDefinition),
      crd.metadata,
      { ...crd },
      {
        fieldManager: "reveille",
        force: true,
      },
    );
  }
  for (const kind of kinds) await untilServed(client, resourceOf(kind));
}

/** The messages that went over the bus of a stack, with any engine. */
interface Seen {
  readonly runs: RunRecord[];
}

function startObserved(
  api: TestApi,
  cluster: string,
  options: StackOptions,
  seen: Seen,
): Promise<WatchingEngine<MortalBus>> {
  const { systems, configuration, clock = systemClock, log = silent, directory, fleet } = options;
  const { engineClient, clusterClient } = options;
  const newClient = (): KubeClient => {
    const client = api.newClient();
    return engineClient?.(client) ?? client;
  };
  const ran = (run: RunRecord): void => void seen.runs.push(run);
  const parts = {
    clusterClient,
    cluster,
    systems,
    configuration,
    clock,
    log,
    nets: false,
    // The slow sweep is a net, too: no leap of a clock brings it.
    timing: { quiet: CAUGHT_UP[api.kind], sweep: Number.POSITIVE_INFINITY },
    ...options.engine,
  };
  if (fleet !== undefined) return startFleet(fleet, { ...parts, newClient, ran });
  const onBus = (bus: Pick<MortalBus, "subscribe">): void => void bus.subscribe({ ran });
  return startEmbeddedEngine({ client: newClient(), lease: false, directory, onBus, ...parts });
}

interface Remotes {
  readonly remotes: readonly RemoteCluster[];
  /** Those that the stack ends. */
  readonly started: readonly RemoteCluster[];
}

class RunningStack implements Stack {
  readonly api: TestApi;
  readonly cluster: string;
  readonly remotes: readonly RemoteCluster[];
  engine: WatchingEngine<MortalBus>;
  readonly #started: readonly RemoteCluster[];
  readonly #options: StackOptions;
  readonly #seen: Seen;
  readonly #apply: Stack["apply"];

  private constructor(
    api: TestApi,
    cluster: string,
    options: StackOptions,
    seen: Seen,
    engine: WatchingEngine<MortalBus>,
    { remotes, started }: Remotes,
  ) {
    this.api = api;
    this.remotes = remotes;
    this.#started = started;
    this.cluster = cluster;
    this.#options = options;
    this.#seen = seen;
    this.#apply = applierTo(api.client);
    this.engine = engine;
  }

  static async start(
    api: TestApi,
    cluster: string,
    options: StackOptions,
    remotes: Remotes,
  ): Promise<RunningStack> {
    const seen: Seen = { runs: [] };
    const engine = await startObserved(api, cluster, options, seen);
    return new RunningStack(api, cluster, options, seen, engine, remotes);
  }

  get client(): KubeClient {
    return this.api.client;
  }

  runs = (): readonly RunRecord[] => this.#seen.runs;
  apply: Stack["apply"] = (objects) => this.#apply(objects);

  async settled(): Promise<void> {
    const deadline = performance.now() + 60_000;
    while (!(await this.#staysQuiet())) {
      if (performance.now() > deadline)
        throw new Error(
          `not settled after a minute: ${JSON.stringify(await this.engine.bus.counts())}, last runs ${JSON.stringify(this.#seen.runs.slice(-3))}`,
        );
      await pause(LOOK.busy);
    }
  }

  /** True where nothing waits, runs or is on its way, and nothing comes for a while. */
  async #staysQuiet(): Promise<boolean> {
    const { fleet } = this.#options;
    const quiet = fleet?.quiet ?? QUIET[this.api.kind];
    const look = fleet === undefined ? LOOK.embedded : LOOK.fleet;
    if (await this.#isBusy()) return false;
    const before = this.#heard();
    const since = performance.now();
    // Counted in turns too: a process that was held up has seen nothing, which is not the same as quiet.
    for (let looks = 0; looks < quiet / look || performance.now() - since < quiet; looks += 1) {
      await pause(look);
      await this.#othersIdle();
      // A bus in this process tells of all that comes to it: by a run, or at the end.
      if (this.#heard() !== before || (fleet !== undefined && (await this.#isBusy()))) return false;
    }
    return !(await this.#isBusy()) && this.#heard() === before;
  }

  async #othersIdle(): Promise<void> {
    await this.api.idle();
    for (const { api } of this.remotes) await api.idle();
  }

  async #isBusy(): Promise<boolean> {
    await this.#othersIdle();
    const counts = Object.values(await this.engine.bus.counts());
    const { dirty, streams } = this.engine.watcher.position();
    return (
      counts.some(({ waiting, running, retrying }) => waiting + running + retrying > 0) ||
      dirty > 0 ||
      // A watch that a leap of the clock took for silent is opened again: until then nothing is heard.
      streams.some(({ state }) => UNHEARD.has(state.name))
    );
  }

  /** All that moves where something happens. */
  #heard(): string {
    const { dirty, streams } = this.engine.watcher.position();
    const versions = streams.map(({ resourceVersion, state }) => `${state.name} ${resourceVersion}`);
    return [this.#seen.runs.length, dirty, ...versions].join(",");
  }

  async everyKeyOnce(): Promise<void> {
    const at = new Date().toISOString();
    for (const declaration of this.#options.systems.flatMap((system) => system.functions)) {
      const cause = {
        sort: "command",
        eventId: `every-${declaration.name}-${at}`,
        type: "command.reconcile",
        revives: true,
        at,
      } as const;
      await this.engine.bus.enqueue([everyKey(declaration, this.cluster, cause)]);
    }
    await this.settled();
  }

  async restartEngine(options: Parameters<Stack["restartEngine"]>[0] = {}): Promise<void> {
    if (options.abruptly === true) await this.engine.abandon();
    else await this.engine.stop();
    const { engineClient, clusterClient } = options;
    const anew = { ...this.#options, engineClient, clusterClient };
    this.engine = await startObserved(this.api, this.cluster, anew, this.#seen);
    await this.engine.watcher.settled();
  }

  async stop(): Promise<void> {
    await this.engine.stop();
    for (const remote of this.#started) await remote.stop();
    await this.api.stop();
  }
}
