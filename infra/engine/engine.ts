import { randomBytes } from "node:crypto";
import type { Bus } from "../../shared/bus/contract.ts";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import type { System } from "../../shared/function/system.ts";
import { Hints } from "../../shared/hints/hints.ts";
import type { LocalHost } from "../../shared/host/local.ts";
import { otherClustersOf } from "../../shared/host/other-clusters.ts";
import type { OtherClusters } from "../../shared/kube/client/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { othersThrough } from "../../shared/runner/clients.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { clustersOf, functionsOf } from "../systems/declared.ts";
import type { Watcher } from "../watcher/index.ts";
import { type BesideParts, besideOn } from "./beside.ts";
import { Breaks } from "./breaks.ts";
import { connectionNews } from "./connection-news.ts";
import { publishTo } from "./publish.ts";
import type { Roles, WatchRole, WorkRole } from "./roles.ts";
import type { Routing } from "./routing.ts";
import { changedSince, type Signatures, type SignedParts, signaturesOf } from "./signatures.ts";
import { sweep } from "./sweep.ts";

export interface EngineOptions<B extends Bus = Bus> {
  /** Open, and asking `routing`. Whoever opened it closes it once the engine has stopped. */
  readonly bus: B;
  /** The functions, as the bus asks about them. */
  readonly routing: Routing;
  /** The roles of this process. */
  readonly roles: Roles;
  readonly client: KubeClient;
  /** The cluster's name, as `clusterName` gives it. */
  readonly cluster: string;
  /** The other clusters of the process. Default: those that its functions declare. */
  readonly others?: OtherClusters | undefined;
  /** The clients of other clusters that its runs work with, made of the real ones. For tests: to count, delay or end their requests. */
  readonly clusterClient?: ((client: KubeClient) => KubeClient) | undefined;
  readonly configuration?: Readonly<Record<string, unknown>> | undefined;
  /** The code that runs, so that a break is a sweep. Absent: no break is looked for. */
  readonly code?: Code | undefined;
  readonly namespaces?: readonly string[] | undefined;
  /** The namespace of the installation, for the pauses. Default: `reveille-system`. */
  readonly home?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
}

/** The code that runs: another one may see or decide otherwise. */
export type Code = Pick<SignedParts, "version" | "sources">;

/** The parts that are new beside the systems, where these are replaced. */
export interface Replacing {
  /** A digest of the files that a system was loaded from, by system. */
  readonly sources?: Code["sources"];
  /** The functions whose keys are resynced. Default: those whose signature is another one. */
  readonly lookAgain?: readonly string[] | undefined;
}

/** A watcher, a host of functions, or both, on one bus. The functions may change while it runs. */
export interface Engine<B extends Bus = Bus> {
  readonly bus: B;
  /** Undefined where it has not the role to watch. */
  readonly watcher: Watcher | undefined;
  /** Runs these systems from now on. Throws a `DeclarationError` where a port has no adapter, and goes on with the former ones. */
  use(systems: readonly System[], replacing?: Replacing): Promise<void>;
  /** Takes no new work, and lets what runs end within so many milliseconds (default 5,000). */
  stop(milliseconds?: number): Promise<void>;
  /** Ends as the death of the process would: nothing is given back. The bus was abandoned before. For tests. */
  abandon(): Promise<void>;
}

/** An engine that watches. */
export interface WatchingEngine<B extends Bus = Bus> extends Engine<B> {
  readonly watcher: Watcher;
}

const DRAIN_MILLISECONDS = 5_000;

/**
 * Starts the engine on a cluster whose CRDs are there; the one place that joins watcher, bus and host. Resolves when it runs and, where
 * its watcher is the only one, when the sweep that a break calls for is durable.
 * @throws LedgerError where its ledger cannot be used, `DeclarationError` where a port has no adapter; then nothing runs
 */
export function startEngine<B extends Bus>(
  options: EngineOptions<B> & { readonly roles: { readonly watch: WatchRole } },
): Promise<WatchingEngine<B>>;
export function startEngine<B extends Bus>(options: EngineOptions<B>): Promise<Engine<B>>;
export async function startEngine<B extends Bus>(options: EngineOptions<B>): Promise<Engine<B>> {
  const engine = new RunningEngine(options);
  await engine.start();
  return engine;
}

class RunningEngine<B extends Bus> implements Engine<B> {
  readonly bus: B;
  readonly #options: EngineOptions<B>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #breaks: Breaks | undefined;
  /** The objects that the watcher sees, for the functions beside it; without a watcher they may be old. */
  readonly #hints: Hints | undefined;
  /** The knowledge of each other that its watcher and its host have, where both are here. */
  readonly #beside: BesideParts | undefined;
  readonly #others: OtherClusters;
  readonly #endNews: () => void;
  #code: Code | undefined;
  #signatures: Signatures | undefined;
  #watcher: Watcher | undefined;
  #consumer: LocalHost | undefined;

  constructor(options: EngineOptions<B>) {
    const { bus, cluster, routing, code, roles, clock = systemClock, log = silent } = options;
    this.bus = bus;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    if (roles.watch !== undefined && roles.work !== undefined) {
      this.#hints = new Hints(clock);
      this.#beside = besideOn(bus, routing);
    }
    const { client, configuration } = options;
    this.#others =
      options.others ??
      otherClustersOf({
        systems: routing.systems,
        configuration,
        client,
        clock,
        log: log.child({ part: "connections" }),
        isPatient: roles.work === undefined,
      });
    this.#endNews = connectionNews({ others: this.#others, bus, home: cluster, clock, log });
    this.#code = code;
    this.#signatures = this.#sign(routing.systems, code);
    if (roles.watch !== undefined && this.#signatures !== undefined)
      this.#breaks = new Breaks({
        cluster,
        clock,
        log: log.child({ part: "watcher" }),
        systems: routing.systems,
        signatures: this.#signatures,
      });
  }

  get watcher(): Watcher | undefined {
    return this.#watcher;
  }

  async start(): Promise<void> {
    const { watch, work } = this.#options.roles;
    // Its ledger may fail; nothing has begun then.
    this.#watcher = watch && (await this.#watch(watch));
    try {
      this.#consumer = work && (await this.#work(work, this.#options.routing.systems));
    } catch (thrown) {
      await this.#watcher?.stop();
      throw thrown;
    }
    if (watch !== undefined) await this.#lookForBreaks(watch);
  }

  async use(systems: readonly System[], { sources, lookAgain }: Replacing = {}): Promise<void> {
    const { routing, roles, namespaces, cluster } = this.#options;
    const functions = functionsOf(systems);
    const watchList = watchListOf(functions, namespaces);
    const before = { systems: routing.systems, signatures: this.#signatures };
    const code = this.#code && { ...this.#code, sources: sources ?? this.#code.sources };
    await this.#consumer?.stop(DRAIN_MILLISECONDS);
    this.#signatures = this.#sign(systems, code);
    try {
      this.#consumer = roles.work && (await this.#work(roles.work, systems));
    } catch (thrown) {
      this.#signatures = before.signatures;
      this.#consumer = roles.work && (await this.#work(roles.work, before.systems));
      throw thrown;
    }
    this.#code = code;
    routing.use(systems);
    await this.#watcher?.update(watchList);
    const signatures = this.#signatures ?? {};
    const names = lookAgain ?? changedSince(before.signatures ?? {}, signatures);
    const concerned = functions.filter(({ name }) => names.includes(name));
    await sweep(this.bus, concerned, {
      because: "function.changed",
      cluster,
      signatures,
      now: this.#clock.now(),
    });
    this.#breaks?.use({ systems, signatures });
  }

  async stop(milliseconds = DRAIN_MILLISECONDS): Promise<void> {
    await this.#breaks?.stop();
    await this.#watcher?.stop();
    await this.#consumer?.stop(milliseconds);
    this.#beside?.stop();
    this.#leaveClusters();
  }

  async abandon(): Promise<void> {
    await this.#breaks?.stop();
    await this.#watcher?.stop();
    this.#leaveClusters();
  }

  #leaveClusters(): void {
    this.#endNews();
    if (this.#options.others === undefined) this.#others.close();
  }

  #sign(systems: readonly System[], code: Code | undefined): Signatures | undefined {
    const { configuration } = this.#options;
    return code && signaturesOf({ systems, configuration, ...code });
  }

  // A process loads the code of the roles that it has.
  async #watch({ ledger, identity, lease, streams, timing, onLead }: WatchRole): Promise<Watcher> {
    const { startWatcher } = await import("../watcher/index.ts");
    const { client, cluster, routing, namespaces } = this.#options;
    const log = this.#log.child({ part: "watcher" });
    return startWatcher({
      client,
      cluster: { name: cluster },
      watchList: watchListOf(routing.declarations, namespaces),
      ledger: { file: ledger, keptWith: this.bus },
      publish: publishTo(this.bus, log),
      waits: this.bus,
      elsewhere: {
        others: this.#others,
        clusters: () => clustersOf(routing.declarations),
        mostStreams: streams,
      },
      clock: this.#clock,
      log,
      identity: identity ?? randomBytes(4).toString("hex"),
      lease,
      onLead: (before) => {
        this.#breaks?.led(before);
        onLead?.();
      },
      onlooker: this.#hints,
      beside: this.#beside?.watcher,
      timing,
    });
  }

  async #work(role: WorkRole, systems: readonly System[]): Promise<LocalHost> {
    const { startLocalHost } = await import("../../shared/host/local.ts");
    const { client, cluster, clusterClient, configuration, namespaces, home } = this.#options;
    return startLocalHost({
      ...role,
      others: clusterClient === undefined ? this.#others : othersThrough(this.#others, clusterClient),
      systems,
      configuration,
      client,
      cluster,
      bus: this.bus,
      clock: this.#clock,
      log: this.#log.child({ part: "host" }),
      hints: this.#hints,
      beside: this.#beside,
      namespaces,
      home,
      signatures: this.#signatures,
    });
  }

  /** Looks for breaks. With a Lease the watcher says when it leads; one without is the only one, and leads from the start. */
  async #lookForBreaks({ lease, memory }: WatchRole): Promise<void> {
    const { bus } = this;
    const breaks = this.#breaks;
    const watcher = this.#watcher;
    if (breaks === undefined || watcher === undefined) return;
    if (lease !== false) {
      breaks.start({ bus, watcher, publishesFor: (text) => watcher.publishesFor(text) });
    } else if (memory !== undefined) {
      breaks.led(memory.before);
      breaks.start({ bus, watcher, publishesFor: memory.keep });
      await breaks.settled();
    }
  }
}
