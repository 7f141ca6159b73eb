import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import type { Simulation as SystemSimulation } from "../../../shared/function/simulation.ts";
import type { System } from "../../../shared/function/system.ts";
import { type Log, silent } from "../../../shared/log/log.ts";
import type { Controllers } from "../../controllers/index.ts";
import { type EmbeddedEngine, startEmbeddedEngine } from "../../engine/index.ts";
import type { Simulator } from "../../simulator/index.ts";
import { functionsOf, knownFunctionsOf, knownKindsOf, ownKindsOf } from "../../systems/declared.ts";
import { version } from "../../systems/package.ts";
import { systemsWith } from "../../systems/parts.ts";
import { watcherLease } from "../../systems/rbac.ts";
import { applyObjects, sampleClustersOf, samplesOf } from "../../systems/samples.ts";
import { clusterName } from "../../watcher/index.ts";
import { applyCrds, isChange, planCrds } from "../install/crds.ts";
import {
  clusterFiles,
  type RunFile,
  readRunFile,
  type StateDirectory,
  stateDirectory,
  writeRunFile,
} from "../state-directory.ts";
import type { DevAdmissions } from "./admissions.ts";
import { type Api, type ApiChoice, startApi } from "./api.ts";

export interface StackOptions {
  readonly api: ApiChoice;
  /** The folder of all files; it exists and is ours. */
  readonly directory: string;
  readonly systems: readonly System[];
  /** Absolute paths of one's own modules, for the other commands. */
  readonly modules?: readonly string[];
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** A digest of the files that a system was loaded from, by system. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  /** True: apply the samples, `first`: only where they never were. Default false. */
  readonly samples?: boolean | "first";
  /** Plays workloads; where real controllers run, what these do not. */
  readonly simulate?: boolean;
  /** The time that a simulated Pod takes to become ready. */
  readonly simulatedDelayMilliseconds?: number;
  readonly namespaces?: readonly string[] | undefined;
  readonly nets?: boolean;
  readonly maximumAttempts?: number;
  /** Asked before anything is changed in the cluster; rejects to stop there. */
  readonly consent?: ((api: Api) => Promise<void>) | undefined;
  /** Called with the bus before the first event is published. */
  readonly onBus?: ((bus: EmbeddedEngine["bus"]) => void) | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Everything that `reveille dev` runs. */
export interface Stack {
  readonly api: Api;
  readonly cluster: string;
  readonly bus: EmbeddedEngine["bus"];
  readonly watcher: EmbeddedEngine["watcher"];
  readonly simulator: Simulator | undefined;
  readonly systems: readonly System[];
  /** The milliseconds from the start until changes are followed. */
  readonly readyMilliseconds: number;
  /** Applies the samples that the options ask for; resolves when they are applied. */
  applySamples(): Promise<readonly string[]>;
  /** Tells the other commands where this one answers. */
  monitoredAt(url: string): void;
  /** True when controllers and simulator have nothing to do now: the parts beside the bus. */
  idle(): Promise<void>;
  /** Replaces the functions while everything else stays up; all keys of `lookAgain` are reconciled again. */
  use(
    systems: readonly System[],
    lookAgain?: readonly string[],
    sources?: StackOptions["sources"],
  ): Promise<void>;
  /** Stops the parts in reverse order; what runs may end first. */
  stop(): Promise<void>;
}

/**
 * Composes the whole: API, CRDs, controllers, simulator, bus, host and watcher. Resolves when changes are followed.
 * Where a part fails, those before it are stopped, and its error says what to do.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const ending: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let end = ending.pop(); end !== undefined; end = ending.pop()) await end();
  };
  try {
    return await start(options, ending, stop);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function start(
  options: StackOptions,
  ending: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Stack> {
  const { clock = systemClock, log = silent, namespaces } = options;
  const directory = stateDirectory(options.directory);
  const began = clock.now();
  const before = readRunFile(directory);
  let systems = options.systems;

  const api = await startApi(options.api, directory, { clock, log: log.child({ part: "api" }) });
  ending.push(() => api.stop());
  await options.consent?.(api);
  const cluster = await clusterName(api.client, api.name);
  const install = async (): Promise<boolean> => {
    const plans = await planCrds(api.client, ownKindsOf(functionsOf(systems)));
    await applyCrds(api.client, plans, clock);
    return plans.some(isChange);
  };
  const [simulation] = await Promise.all([startSimulation(options, api, ending, clock, log), install()]);
  const admissions =
    api.kind === "kubeconfig"
      ? undefined
      : await startAdmissions(options, api, ending, { clock, log: log.child({ part: "admission" }) });

  const remotes = await startSampleClusters(options, api, { directory, clock, log }, ending);

  const files = clusterFiles(directory, cluster);
  mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  const known = before?.cluster === cluster ? before : undefined;
  let run: RunFile = {
    pid: process.pid,
    version,
    startedAt: new Date(began).toISOString(),
    api: api.kind,
    server: api.server,
    kubeconfig: api.kubeconfig,
    context: api.context,
    cluster,
    systems: systems.map(({ name }) => name),
    modules: options.modules ?? [],
    namespaces,
    publishedFor: known?.publishedFor,
    kinds: knownKindsOf(functionsOf(systems)),
    functions: knownFunctionsOf(systems),
    samples: known?.samples ?? [],
  };
  const tell = (now: Partial<RunFile>): void => {
    run = { ...run, ...now };
    writeRunFile(directory, run);
  };
  const engine = await startEmbeddedEngine({
    client: api.client,
    cluster,
    files,
    systems,
    configuration: options.configuration,
    namespaces,
    nets: options.nets,
    maximumAttempts: options.maximumAttempts,
    clock,
    log,
    identity: `${hostname()}:${directory.path}`,
    code: { version, sources: options.sources },
    ...(api.kind === "kubeconfig"
      ? { lease: watcherLease }
      : // The lock of the folder says that there is no other watcher.
        {
          lease: false,
          memory: {
            before: { for: known?.publishedFor, nothing: known === undefined },
            keep: (publishedFor) => tell({ publishedFor }),
          },
        }),
    onBus: options.onBus,
  });
  ending.push(() => engine.stop());
  tell({});
  await isFollowing(engine, clock);
  // Nobody waits for these to hear that all is ready: what workloads there lack, functions wait for.
  const played = simulateRemotes(options, remotes, ending, clock, log);
  // A failure is told by whoever applies the samples.
  const ended = Promise.allSettled([played]);
  ending.push(async () => void (await ended));

  return {
    api,
    cluster,
    bus: engine.bus,
    watcher: engine.watcher,
    simulator: simulation.simulator,
    get systems() {
      return systems;
    },
    readyMilliseconds: clock.now() - began,
    async applySamples() {
      const asked = systems
        .map(({ name }) => name)
        .filter(
          (name) => options.samples === true || (options.samples === "first" && !run.samples.includes(name)),
        );
      const objects = asked.map((name) => ({ name, objects: samplesOf(name) }));
      const applied = objects.filter((sample) => sample.objects.length > 0);
      for (const sample of applied) await applyObjects(api.client, sample.objects);
      await played;
      if (applied.length === 0) return [];
      tell({ samples: [...new Set([...run.samples, ...applied.map(({ name }) => name)])] });
      return applied.map(({ name }) => name);
    },
    monitoredAt(url) {
      tell({ monitor: url });
    },
    async idle() {
      await played;
      await Promise.all([
        simulation.simulator?.idle(),
        simulation.controllers?.idle(),
        ...simulation.systems.map((one) => one.idle()),
      ]);
    },
    async use(next, lookAgain, sources) {
      const former = systems;
      systems = next;
      try {
        if (await install()) engine.watcher.retry();
        await engine.use(next, { sources, lookAgain });
        await admissions?.use(next);
        tell({
          systems: next.map(({ name }) => name),
          kinds: knownKindsOf(functionsOf(next)),
          functions: knownFunctionsOf(next),
        });
      } catch (thrown) {
        systems = former;
        throw thrown;
      }
    },
    stop,
  };
}

/** Answers the questions of an API server on this machine; another cluster cannot reach us. */
async function startAdmissions(
  { systems, configuration, namespaces }: StackOptions,
  api: Api,
  ending: (() => Promise<void>)[],
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<DevAdmissions> {
  const client = api.newClient();
  ending.push(async () => client.close());
  const { answerHere } = await import("./admissions.ts");
  const admissions = await answerHere({ client, systems, configuration, namespaces, ...parts });
  ending.push(() => admissions.stop());
  return admissions;
}

/** Starts the other clusters of the samples; beside somebody's cluster there are none. */
async function startSampleClusters(
  options: StackOptions,
  home: Api,
  parts: { readonly directory: StateDirectory; readonly clock: Clock; readonly log: Log },
  ending: (() => Promise<void>)[],
): Promise<readonly Api[]> {
  const { kind, client } = home;
  if (kind === "kubeconfig" || options.samples === undefined || options.samples === false) return [];
  const samples = options.systems
    .map((system) => ({ system, clusters: sampleClustersOf(system.name) }))
    .filter(({ clusters }) => clusters.length > 0);
  if (samples.length === 0) return [];
  const { startRemotes } = await import("./remotes.ts");
  const remotes: Api[] = [];
  await startRemotes(samples, { kind, client }, parts, ({ api }) => {
    remotes.push(api);
    ending.push(() => api.stop());
  });
  return remotes;
}

/** Plays the controllers and workloads of the other clusters. */
async function simulateRemotes(
  options: StackOptions,
  remotes: readonly Api[],
  ending: (() => Promise<void>)[],
  clock: Clock,
  log: Log,
): Promise<void> {
  for (const api of remotes) await startSimulation({ ...options, systems: [] }, api, ending, clock, log);
}

/** The parts of a cluster that no function is, simulated. */
interface Simulation {
  readonly controllers: Controllers | undefined;
  readonly simulator: Simulator | undefined;
  readonly systems: readonly SystemSimulation[];
}

async function startSimulation(
  options: StackOptions,
  api: Api,
  ending: (() => Promise<void>)[],
  clock: Clock,
  log: Log,
): Promise<Simulation> {
  const own = async (): Promise<Controllers | undefined> => {
    if (api.hasControllers) return undefined;
    const { startControllers } = await import("../../controllers/index.ts");
    const client = api.newClient();
    const controllers = await startControllers({
      client,
      clock,
      log: log.child({ part: "controllers" }),
      certificate: api.certificate,
    });
    ending.push(async () => {
      await controllers.stop();
      client.close();
    });
    return controllers;
  };
  const simulated = async (): Promise<Simulator | undefined> => {
    if (options.simulate !== true) return undefined;
    const { BESIDE_CONTROLLERS, startSimulator } = await import("../../simulator/index.ts");
    const client = api.newClient();
    const simulator = await startSimulator({
      client,
      clock,
      log: log.child({ part: "simulator" }),
      // The cluster of somebody else has all controllers.
      ...(api.hasControllers && { only: api.kind === "real" ? BESIDE_CONTROLLERS : (["Pod"] as const) }),
      ...(options.simulatedDelayMilliseconds === undefined
        ? {}
        : { delayMilliseconds: options.simulatedDelayMilliseconds }),
    });
    ending.push(async () => {
      await simulator.stop();
      client.close();
    });
    return simulator;
  };
  const playedOf = async (system: string): Promise<SystemSimulation | undefined> => {
    const client = api.newClient();
    const { simulateSystem } = await import("../../simulator/index.ts");
    const played = await simulateSystem(system, {
      client,
      clock,
      log: log.child({ part: "simulator", system }),
      own: api.kind !== "kubeconfig",
    });
    ending.push(async () => {
      await played?.stop();
      client.close();
    });
    return played;
  };
  const systems = options.simulate === true ? options.systems.map(({ name }) => name) : [];
  const [controllers, simulator, ...played] = await Promise.all([
    own(),
    simulated(),
    ...systems.filter((name) => systemsWith("simulate").includes(name)).map(playedOf),
  ]);
  return { controllers, simulator, systems: played.filter((one) => one !== undefined) };
}

/** For so long the watcher may need until it follows everything; after that it goes on trying, and `status` says what it lacks. */
const FOLLOWING_MILLISECONDS = 10_000;

/** Resolves when an engine follows everything, or has had the time for it. */
export const isFollowing = (engine: EmbeddedEngine, clock: Clock): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(FOLLOWING_MILLISECONDS, resolve);
    const over = (end: () => void): void => {
      cancel();
      end();
    };
    engine.watcher.settled().then(
      () => over(resolve),
      (reason: Error) => over(() => reject(reason)),
    );
  });
