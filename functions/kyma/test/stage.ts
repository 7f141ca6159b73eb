import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { connectTo, type RemoteCluster, startRemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import {
  ensureNamespace,
  type StackCluster,
  type StageOptions,
  startStackCluster,
  type UserCluster,
} from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApiOptions } from "../../../infra/testing/test-api.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { compare, isDeleting } from "../../../shared/kube/objects.ts";
import type { Configuration } from "../configuration.ts";
import { kyma as system } from "../index.ts";
import {
  ANNOTATIONS,
  CONTROL_PLANE,
  Kyma,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  type ModuleStatus,
  ModuleTemplate,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
  runtimes,
  type State,
} from "../kinds/index.ts";
import { type MemoryComponents, memoryComponents } from "../ports/components/adapters/index.ts";
import { components } from "../ports/components/index.ts";
import { issuer } from "../ports/issuer/index.ts";
import { type MemoryHandlers, memoryHandlers } from "../ports/trusted-handlers/adapters/index.ts";
import { trustedHandlers } from "../ports/trusted-handlers/index.ts";
import { serveIstio } from "./foreign.ts";
import { type Hearing, hearing } from "./hearing.ts";
import { quickIssuer, WATCHER } from "./issuing.ts";
import { type PlayedMaintenance, playedMaintenance } from "./maintenance.ts";
import { type HeardRequests, heardRequests } from "./requests.ts";
import { noneYet, worldThere } from "./there.ts";

const USER = { fieldManager: "user" } as const;
/** The words of a fault that the kit makes. */
const FAULT_WORDS = "did not answer (";
type Tree = Readonly<Record<string, unknown>>;

/** One version of a module as its team publishes it. */
export interface PublishedVersion {
  readonly module: string;
  readonly version: string;
  /** The objects in YAML. Default: a ConfigMap with the version. */
  readonly layer?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** More of the ModuleTemplate's spec. */
  readonly template?: Tree;
}

/** A control plane in the words of those who run it, of module teams and of users. */
export interface Stage extends UserCluster, HeardRequests, Pick<StackCluster, "stack" | "restart"> {
  readonly components: MemoryComponents;
  /** The trusted handlers of the control plane; none yet. */
  readonly handlers: MemoryHandlers;
  /** The host that hears signs of life. */
  readonly hearing: Hearing;
  /** Publishes versions of modules: their components, and a ModuleTemplate each. */
  publish(...versions: readonly PublishedVersion[]): Promise<void>;
  /** Sets the channels of a module, `{ regular: "1.0.0" }`, or the version that each cluster gets. */
  release(module: string, channels: Readonly<Record<string, string>> | string, spec?: Tree): Promise<void>;
  /** Creates or changes a Kyma, `rt-1` unless it is named. */
  wants(
    spec: Tree,
    options?: {
      readonly name?: string;
      readonly labels?: Readonly<Record<string, string>>;
      /** False: it is not waited for. */
      readonly settle?: boolean;
    },
  ): Promise<void>;
  /** Has the user of a runtime change the Kyma there, and waits until that is known at home. */
  userWants(name: string, spec: Tree): Promise<void>;
  /** The status of a Kyma. */
  says(name?: string): Promise<NonNullable<Obj<typeof Kyma>["status"]>>;
  /** The status of a module. */
  module(module: string, name?: string): Promise<ModuleStatus | undefined>;
  /** The modules of a Kyma that have a Manifest, in order. */
  installed(
    name?: string,
  ): Promise<readonly { readonly module: string; readonly version: string | undefined }[]>;
  /** The Manifest of a module. */
  manifest(module: string, name?: string): Promise<Obj<typeof Manifest> | undefined>;
  /** Has the Manifests that nobody brings anywhere be in this state from now on. Default: Ready. */
  plays(state: State): void;
  /** Starts the cluster of a Kyma, where modules go into clusters of their own; its kubeconfig is at home unless `connected` is false. */
  runtime(
    name?: string,
    options?: {
      readonly connected?: boolean;
      /** True: its workloads become ready, and what is deleted goes whole. */
      readonly controllers?: boolean;
      /** Users beside its administrator. */
      readonly users?: NonNullable<TestApiOptions["users"]>;
    },
  ): Promise<RemoteCluster>;
  /** Puts the kubeconfig of a runtime into its Secret: its administrator's, or that of the user with a token. */
  connect(
    remote: RemoteCluster,
    options?: { readonly named?: string; readonly token?: string },
  ): Promise<void>;
  /** Resolves once that is so and all has settled. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  now(): number;
  readonly maintenance: PlayedMaintenance;
  /** Lets time pass. */
  leap(minutes: number): Promise<void>;
  /** The objects in the runtimes, by the names of these. */
  elsewhere(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Kyma on the whole stack. Modules go into the control plane itself unless `target` is `secret`. */
export async function startStage({
  api: which,
  engineClient,
  clusterClient,
  target = "local",
  runtimes: sort = "local",
  settings = {},
  ...options
}: StageOptions & {
  readonly target?: Configuration["target"];
  /** The sort of API servers that runtimes have. */
  readonly runtimes?: "local" | "real";
  /** More of the configuration. */
  readonly settings?: Partial<Configuration>;
}): Promise<Stage> {
  const clock = leapingClock();
  const api = await startTestApi({ api: which, clock });
  await serveIstio(api.client);
  const memory = memoryComponents();
  const handlers = memoryHandlers();
  const maintenance = playedMaintenance(() => clock.now());
  const remotes = new Map<string, RemoteCluster>();
  const { ofHome, ofRuntimes, ...heard } = heardRequests();
  let played: State = "Ready";
  const cluster = await startStackCluster({
    system,
    api,
    engineClient: (client) => ofHome(engineClient?.(client) ?? client),
    clusterClient: (client) => ofRuntimes(clusterClient?.(client) ?? client),
    configuration: {
      kyma: {
        target,
        // Hosts cannot let the time pass that a bus of theirs counts.
        rollOutMinutes: 0,
        maintenancePolicy: maintenance.policy,
        watcher: WATCHER,
        injectingModules: ["alpha-store"],
        injectedSecrets: ["secrets/pull-secret"],
        ...settings,
      },
    },
    engine: {
      clock,
      ports: [components.bind(memory), issuer.bind(quickIssuer), trustedHandlers.bind(handlers)],
    },
    ...options,
  });
  const { client } = cluster.stack;
  const host = hearing(cluster.stack, clock);
  await ensureNamespace(client, CONTROL_PLANE);
  const isBrought = (options.system ?? system).functions.some(({ key }) => key.kind.id === Manifest.id);
  /** Plays what brings Manifests to their clusters, where nothing does. */
  const play = async (): Promise<boolean> => {
    if (isBrought) return false;
    const idle = (await cluster.list(Manifest, CONTROL_PLANE)).filter(
      (manifest) =>
        !isDeleting(manifest) &&
        (manifest.status?.state !== played ||
          manifest.metadata.annotations[ANNOTATIONS.syncedArtifact] !== manifest.spec?.install.source.ref),
    );
    for (const { metadata, spec } of idle) {
      const resource = resourceOf(Manifest);
      await client.patch(
        resource,
        metadata,
        "merge",
        { status: { state: played } },
        { ...USER, subresource: "status" },
      );
      const annotations = { [ANNOTATIONS.syncedArtifact]: spec?.install.source.ref };
      await client.patch(resource, metadata, "merge", { metadata: { annotations } }, USER);
    }
    return idle.length > 0;
  };
  /** A module that a fault of the kit kept from being applied is tried again after a while, which passes here. */
  const retried = async (): Promise<boolean> => {
    const manifests = await cluster.list(Manifest, CONTROL_PLANE);
    if (!manifests.some(({ status }) => status?.lastOperation?.operation?.includes(FAULT_WORDS)))
      return false;
    clock.leap(31_000);
    return true;
  };
  const settled = async (): Promise<void> => {
    do {
      await cluster.settled();
      for (const { api: remote } of remotes.values()) await remote.idle();
    } while ((await play()) || (await retried()));
  };
  const at = (name: string) => ({ name, namespace: CONTROL_PLANE });
  const stage: Stage = {
    ...cluster,
    ...heard,
    components: memory,
    handlers,
    hearing: host,
    maintenance,
    settled,
    async publish(...versions) {
      for (const { module, version, layer, labels, template } of versions) {
        await memory.put({ name: componentOf(module), version, layer: layer ?? layerOf(module, version) });
        await cluster.put(
          ModuleTemplate,
          { ...at(`${module}-${version}`), ...(labels && { labels }) },
          { spec: { moduleName: module, version, descriptor: {}, ...template } },
        );
      }
      await this.settled();
    },
    async release(module, channels, spec = {}) {
      const versions =
        typeof channels === "string"
          ? { mandatory: { version: channels } }
          : {
              channels: Object.entries(channels).map(([channel, version]) => ({ channel, version })),
            };
      await cluster.put(ModuleReleaseMeta, at(module), {
        spec: { moduleName: module, ocmComponentName: componentOf(module), ...versions, ...spec },
      });
      await this.settled();
    },
    async wants(spec, { name = "rt-1", labels, settle = true } = {}) {
      const metadata = { ...at(name), ...(labels && { labels }) };
      const wanted = { channel: "regular", ...spec };
      const there = remotes.get(name)?.client;
      const live = await there?.get(resourceOf(Kyma), RUNTIME_KYMA_AT).catch(noneYet);
      const first = await cluster.get(Kyma, at(name));
      // Once there is one in the runtime, its user writes that one.
      await cluster.put(
        Kyma,
        { ...metadata, annotations: first?.metadata.annotations ?? {} },
        {
          spec: live === undefined ? wanted : first?.spec,
        },
      );
      if (live !== undefined) await this.userWants(name, wanted);
      if (settle) await this.settled();
    },
    async userWants(name, spec) {
      const there = remotes.get(name)?.client ?? assert.fail(`${name} has no runtime`);
      await there.patch(resourceOf(Kyma), RUNTIME_KYMA_AT, "merge", { spec }, USER);
      const written = await there.get(resourceOf(Kyma), RUNTIME_KYMA_AT);
      await this.until("it to be known at home", async () => {
        const known = (await cluster.get(Kyma, at(name)))?.metadata.annotations[ANNOTATIONS.userSpec];
        return known !== undefined && sameJson(JSON.parse(known), written?.spec);
      });
    },
    says: async (name = "rt-1") => {
      const found = await cluster.get(Kyma, at(name));
      assert.ok(found?.status !== undefined, `Kyma ${name} says something`);
      return found.status;
    },
    async module(module, name = "rt-1") {
      return (await cluster.get(Kyma, at(name)))?.status?.modules?.find((one) => one.name === module);
    },
    installed: async (name = "rt-1") =>
      (await cluster.list(Manifest, CONTROL_PLANE))
        .filter(({ metadata: { labels } }) => labels[LABELS.kymaName] === name)
        .map(({ metadata, spec }) => ({
          module: metadata.labels[LABELS.moduleName] ?? "",
          version: spec?.version,
        }))
        .sort((one, other) => compare(one.module, other.module)),
    manifest: async (module, name = "rt-1") =>
      (await cluster.list(Manifest, CONTROL_PLANE)).find(
        ({ metadata: { labels } }) =>
          labels[LABELS.kymaName] === name && labels[LABELS.moduleName] === module,
      ),
    plays: (state) => {
      played = state;
    },
    async runtime(name = "rt-1", { connected = true, ...more } = {}) {
      const remote = await startRemoteCluster(runtimes, name, {
        api: sort,
        clock,
        controllers: false,
        ...more,
      });
      remotes.set(name, remote);
      if (connected) await connectTo(client, remote);
      return remote;
    },
    connect: async (remote, options) => {
      await connectTo(client, remote, options);
    },
    async until(what, holds) {
      const isSo = async (): Promise<boolean> => {
        if (await holds()) return true;
        if (await retried()) await this.settled();
        return false;
      };
      await eventually(what, isSo);
      await this.settled();
    },
    now: () => clock.now(),
    async leap(minutes) {
      clock.leap(minutes * 60_000);
      await host.idle();
      await this.settled();
    },
    empty: async () => {
      await host.stop();
      played = "Ready";
      heard.refuses(undefined);
      heard.failSecrets(false);
      for (const kind of [Kyma, ModuleReleaseMeta])
        for (const { metadata } of await cluster.list(kind)) await cluster.remove(kind, metadata);
      await settled();
      for (const kind of [Manifest, ModuleTemplate])
        for (const { metadata } of await cluster.list(kind)) await cluster.remove(kind, metadata);
      for (const { metadata } of await cluster.list(Secret, CONTROL_PLANE))
        await cluster.remove(Secret, metadata);
      for (const [name, remote] of remotes) {
        await remote.stop();
        remotes.delete(name);
      }
      await cluster.empty();
      // A connection that nobody uses any more is let go.
      if (target === "secret") clock.leap(11 * 60_000);
      await settled();
      memory.clear();
      heard.asked();
    },
    elsewhere: async () => {
      const worlds = [...remotes].map(async ([name, { client: there }]) => [name, await worldThere(there)]);
      return Object.fromEntries(await Promise.all(worlds));
    },
    stop: async () => {
      await host.stop();
      await cluster.stop();
      for (const remote of remotes.values()) await remote.stop();
    },
  };
  return stage;
}

const RUNTIME_KYMA_AT = { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE };

/** The component of a module. */
export const componentOf = (module: string): string => `acme.com/mods/${module}`;
const layerOf = (module: string, version: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${module}, namespace: default}\ndata: {version: "${version}"}\n`;
