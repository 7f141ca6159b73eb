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
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { type Request, wrapClient } from "../../../infra/testing/wrapped-client.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { clusterStacks } from "../index.ts";
import {
  Cluster,
  ClusterAddon,
  ClusterClass,
  ClusterStack,
  ClusterStackRelease,
  workloads,
} from "../kinds/index.ts";
import { builtInCharts } from "../ports/charts/adapters/built-in/index.ts";
import { charts } from "../ports/charts/index.ts";
import { type MemoryReleases, memoryReleases } from "../ports/releases/adapters/index.ts";
import { releases } from "../ports/releases/index.ts";
import {
  DockerClusterTemplate,
  FOREIGN,
  installForeign,
  ProviderRelease,
  ProviderTemplate,
} from "./kinds.ts";

/** The namespace of the scenarios. */
export const TEAM = "team-a";
const USER = { fieldManager: "user" } as const;
const STACK = { provider: "docker", name: "ferrol", kubernetesVersion: "1.27" } as const;
/** A source that is asked with a Secret of each namespace. */
export const CLOSED = { source: "closed", secretName: "closed-source" } as const;
const CONFIGURATION = {
  sources: {
    default: { folder: "releases" },
    [CLOSED.source]: { github: { repository: "acme/closed" }, secretName: CLOSED.secretName },
  },
  sourceSecrets: [`secrets/${CLOSED.secretName}`],
} as const;
/** The tag of a version of the scenarios' stack. */
export const tag = (version: string): string => `docker-ferrol-1-27-${version}`;

/** The words of a fault that the kit makes. */
const FAULT_WORDS = "did not answer";
type Tree = Readonly<Record<string, unknown>>;

/** The kind of which no object is applied, and how the server refuses it. */
interface Refusal {
  readonly kind: Kind;
  readonly as: "unavailable" | "invalid";
}

/** A management cluster in the words of those who offer stacks. */
export interface Stage extends UserCluster, Pick<StackCluster, "stack" | "restart" | "whileAway"> {
  readonly source: MemoryReleases;
  /** Publishes good releases of these versions. */
  publish(...versions: readonly string[]): Promise<void>;
  /** Creates or changes a stack, `ferrol` unless it is named. */
  wants(spec: Tree, name?: string): Promise<void>;
  /** The status of a stack. */
  says(name?: string): Promise<NonNullable<Obj<typeof ClusterStack>["status"]>>;
  release(version: string): Promise<Obj<typeof ClusterStackRelease> | undefined>;
  /** The names of the releases that are there. */
  there(): Promise<readonly string[]>;
  /** Creates a Cluster that names the class of a version. */
  cluster(name: string, topology: Tree, namespace?: string): Promise<void>;
  /** The names of ClusterClasses and templates that are there. */
  classes(): Promise<readonly string[]>;
  /** Has the provider say whether its work for a version is done. */
  provide(version: string, ready: boolean): Promise<void>;
  /** Has the API server fail to apply objects of a kind until it is called with none. */
  refuse(refusal: Refusal | undefined): void;
  /** Starts the workload cluster of a Cluster; its kubeconfig is at home unless `connected` is false. */
  workload(
    name: string,
    options?: { readonly connected?: boolean; readonly namespace?: string },
  ): Promise<RemoteCluster>;
  /** Puts the kubeconfig of a workload cluster into its Secret. */
  connect(workload: RemoteCluster): Promise<void>;
  /** The requests of functions to workload clusters since the last call. */
  asked(): readonly Request[];
  /** The ClusterAddon of a Cluster. */
  addon(name: string): Promise<Obj<typeof ClusterAddon> | undefined>;
  /** Has the API servers of workload clusters refuse writes of a kind, and lets them again without one. */
  refuseThere(
    refusal: { readonly kind: string; readonly as: "unavailable" | "invalid" | "forbidden" } | undefined,
  ): void;
  /** The time, in milliseconds. */
  now(): number;
  /** Lets time pass. */
  leap(minutes: number): Promise<void>;
  /** Nobody's patience with an answer ends during `act`. */
  holding(act: () => Promise<void>): Promise<void>;
  /** Resolves once that is so and all has settled: what a deadline begins goes in steps. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  stop(): Promise<void>;
}

/** Cluster stacks on the whole stack, beside a Cluster API that does nothing. */
export async function startStage({
  api: which,
  engineClient,
  clusterClient,
  workloads: sort = "local",
  configuration = {},
  ...options
}: StageOptions & {
  readonly workloads?: "local" | "real";
  /** Settings beside those of sources. */
  readonly configuration?: Tree;
}): Promise<Stage> {
  const clock = leapingClock();
  const api = await startTestApi({ api: which, clock });
  for (const kind of FOREIGN) await installForeign(api.client, kind);
  const source = memoryReleases({ clock });
  const refused: { refusal: Refusal | undefined } = { refusal: undefined };
  const remotes = new Map<string, RemoteCluster>();
  const there = watchedThere();
  const cluster = await startStackCluster({
    system: clusterStacks,
    api,
    engineClient: (client) => refusing(engineClient?.(client) ?? client, () => refused.refusal),
    clusterClient: (client) => there.client(clusterClient?.(client) ?? client),
    configuration: { [clusterStacks.name]: { ...CONFIGURATION, ...configuration } },
    engine: { clock, ports: [releases.bind(source), charts.bind(builtInCharts({ clock }))] },
    ...options,
  });
  const { client } = cluster.stack;
  await ensureNamespace(client, TEAM);
  const release = (version: string) =>
    cluster.get(ClusterStackRelease, { name: tag(version), namespace: TEAM });
  /** An object that the kit's fault kept from being applied is tried again after a while, which passes here. */
  const waitsForRetry = async (): Promise<boolean> =>
    (await cluster.list(ClusterStackRelease)).some(({ status }) =>
      status?.resources?.some(({ error }) => error?.includes(FAULT_WORDS)),
    );
  const settled = async (): Promise<void> => {
    await cluster.settled();
    for (const { api: remote } of remotes.values()) await remote.idle();
    while (await waitsForRetry()) {
      clock.leap(21_000);
      await cluster.settled();
    }
  };
  const removeAll = async (kind: Kind): Promise<void> => {
    for (const { metadata } of await cluster.list(kind)) await cluster.remove(kind, metadata);
  };
  const stage: Stage = {
    ...cluster,
    source,
    publish: async (...versions) => {
      for (const version of versions) {
        source.put(tag(version), await releaseFiles(tag(version)), { publishedAt: "2024-01-01T00:00:00Z" });
      }
    },
    async wants(spec, name = "ferrol") {
      await cluster.put(
        ClusterStack,
        { name, namespace: TEAM },
        { spec: { ...STACK, noProvider: true, ...spec } },
      );
      await this.settled();
    },
    says: async (name = "ferrol") => {
      const found = await cluster.get(ClusterStack, { name, namespace: TEAM });
      assert.ok(found?.status !== undefined, `ClusterStack ${name} says something`);
      return found.status;
    },
    release,
    there: async () =>
      (await cluster.list(ClusterStackRelease, TEAM))
        .map(({ metadata }) => metadata.name.replace(tag(""), ""))
        .sort(),
    async cluster(name, topology, namespace = TEAM) {
      await cluster.put(Cluster, { name, namespace }, { spec: { topology } });
      await this.settled();
    },
    classes: async () => {
      const kinds: readonly Kind[] = [ClusterClass, DockerClusterTemplate];
      const lists = await Promise.all(kinds.map((kind) => cluster.list(kind, TEAM)));
      return lists
        .flat()
        .map(({ kind, metadata }) => `${kind} ${metadata.name.replace(tag(""), "")}`)
        .sort();
    },
    async provide(version, ready) {
      const at = { name: tag(version), namespace: TEAM };
      await client.patch(
        resourceOf(ProviderRelease),
        at,
        "merge",
        { status: { ready } },
        { ...USER, subresource: "status" },
      );
      await this.settled();
    },
    refuse: (refusal) => {
      refused.refusal = refusal;
    },
    async workload(name, { connected = true, namespace = TEAM } = {}) {
      const remote = await startRemoteCluster(workloads, `${namespace}/${name}`, {
        api: sort,
        clock,
        controllers: false,
      });
      remotes.set(remote.name, remote);
      if (connected) await this.connect(remote);
      return remote;
    },
    async connect(workload) {
      await connectTo(client, workload);
    },
    asked: () => there.take(),
    refuseThere: (refusal) => there.refuse(refusal),
    addon: (name) => cluster.get(ClusterAddon, { name: `cluster-addon-${name}`, namespace: TEAM }),
    settled,
    now: () => clock.now(),
    holding: (act) => clock.holding(act),
    async leap(minutes) {
      clock.leap(minutes * 60_000);
      await this.settled();
    },
    async until(what, holds) {
      await eventually(what, holds);
      await this.settled();
    },
    empty: async () => {
      refused.refusal = undefined;
      there.refuse(undefined);
      await removeAll(Cluster);
      await removeAll(ClusterAddon);
      await settled();
      for (const [name, remote] of remotes) {
        const [namespace = "", of = ""] = name.split("/");
        await client.delete(resourceOf(Secret), { name: `${of}-kubeconfig`, namespace }, { uid: undefined });
        await remote.stop();
        remotes.delete(name);
      }
      await cluster.empty();
      for (const kind of FOREIGN) await removeAll(kind);
      source.clear();
      await eventually(
        "nothing of a stack to be left",
        async () =>
          (await cluster.list(ProviderTemplate)).length === 0 &&
          // The server takes what was rendered for a ClusterAddon along, in its own time: it looks for new kinds every 30 s.
          !(await cluster.list(Secret, TEAM)).some(({ metadata }) => metadata.name.includes("-rendered-")),
        90_000,
      );
      await settled();
    },
    stop: async () => {
      await cluster.stop();
      for (const remote of remotes.values()) await remote.stop();
    },
  };
  return stage;
}

/** The clients of workload clusters: what they ask is told, and what they write may be refused. */
function watchedThere() {
  let asked: Request[] = [];
  let refusal: Parameters<Stage["refuseThere"]>[0];
  return {
    client: (client: KubeClient): KubeClient => ({
      ...wrapClient(client, (request, send) => {
        asked.push(request);
        return send();
      }),
      get requests() {
        return client.requests;
      },
      apply: (...args) => {
        asked.push({ verb: "apply", write: true, status: false });
        if (args[0].kind === refusal?.kind)
          throw new KubeError(refusal.as, `The workload cluster ${FAULT_WORDS}.`, { request: "apply" });
        return client.apply(...args);
      },
    }),
    take: (): readonly Request[] => {
      const taken = asked;
      asked = [];
      return taken;
    },
    refuse: (next: typeof refusal): void => {
      refusal = next;
    },
  };
}

/** The client of the functions, whose applies to one kind are refused. */
const refusing = (client: KubeClient, refusal: () => Refusal | undefined): KubeClient => ({
  ...wrapClient(client, (_, send) => send()),
  get requests() {
    return client.requests;
  },
  apply: (...args) => {
    const refused = refusal();
    if (args[0].kind === refused?.kind.kind)
      throw new KubeError(refused.as, "The test does not let it be applied.", { request: "apply" });
    return client.apply(...args);
  },
});
