import {
  archiveNames,
  classArchive,
  metadataFile,
  packed,
  type ReleaseFiles,
} from "../../../functions/cluster-stacks/decide/assets/test-release.ts";
import { clusterStacks } from "../../../functions/cluster-stacks/index.ts";
import {
  Cluster,
  ClusterAddon,
  ClusterStack,
  workloads,
} from "../../../functions/cluster-stacks/kinds/index.ts";
import { builtInCharts } from "../../../functions/cluster-stacks/ports/charts/adapters/built-in/index.ts";
import { charts } from "../../../functions/cluster-stacks/ports/charts/index.ts";
import { memoryReleases } from "../../../functions/cluster-stacks/ports/releases/adapters/index.ts";
import { releases } from "../../../functions/cluster-stacks/ports/releases/index.ts";
import { FOREIGN, installForeign } from "../../../functions/cluster-stacks/test/kinds.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace, Secret } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { startEmbeddedEngine } from "../../engine/index.ts";
import { type RemoteCluster, startRemoteCluster } from "../../testing/remote-cluster.ts";
import { installKinds } from "../../testing/stack.ts";
import { startTestApi, type TestApi } from "../../testing/test-api.ts";
import { lookAt } from "../look-at.ts";
import type { Bench } from "../measure.ts";

/** The namespace of stacks and Clusters. */
export const TEAM = "team-a";
/** The namespace of addons in workload clusters. */
export const ADDONS = "kube-system";
const BY = { fieldManager: "bench", force: true } as const;

/** A stack of the fleet, by its number. */
export const stackName = (number: number): string => `s${number}`;
export const tagOf = (stack: string, version: string): string => `docker-${stack}-1-27-${version}`;

/** A release whose addons are so many ConfigMaps, named by their Cluster: many of these share a server. */
export async function releaseOf(tag: string, objects: number): Promise<ReleaseFiles> {
  const names = archiveNames(tag);
  const template = (index: number): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Values.cluster }}-${index}
data:
  release: ${tag}
`;
  const maps = Array.from({ length: objects }, (_, index) => [
    `addons/templates/${index}.yaml`,
    template(index),
  ]);
  return {
    "metadata.yaml": metadataFile(tag),
    [names.cluster]: await classArchive(tag),
    [names.addon]: await packed({
      "addons/Chart.yaml": "apiVersion: v2\nname: addons\nversion: 0.1.0\n",
      ...Object.fromEntries(maps),
    }),
    "cluster-addon-values.yaml": "cluster: {{ .Cluster.metadata.name }}\n",
  };
}

/** A management cluster with its engine, and servers that play the workload clusters. */
export interface Fleet {
  readonly client: KubeClient;
  readonly servers: readonly RemoteCluster[];
  /** Publishes releases whose addons are so many objects. */
  publish(stack: string, versions: readonly string[], objects: number): Promise<void>;
  /** Creates a ClusterStack that offers these versions. */
  offer(stack: string, versions: readonly string[]): Promise<void>;
  /** Creates a Cluster, or has it take up a class; resolves at once. */
  take(cluster: string, tag: string): Promise<void>;
  /** Puts the kubeconfig of a Cluster there, which leads to a server. `past`: past the network that breaks, which is in this process. */
  connect(cluster: string, server: RemoteCluster, options?: { readonly past: boolean }): Promise<void>;
  /** Resolves once the addons of a class are installed in a Cluster. */
  installed(cluster: string, tag: string): Promise<void>;
  /** The requests to all servers so far, watches apart. */
  requests(): number;
}

/** Starts it, with these servers for workload clusters. */
export async function startFleet(bench: Bench, apis: readonly TestApi["kind"][]): Promise<Fleet> {
  const api = await startTestApi({ api: "local", controllers: false });
  bench.after(() => api.stop());
  const servers: RemoteCluster[] = [];
  for (const [number, kind] of apis.entries()) {
    const server = await startRemoteCluster(workloads, `${TEAM}/server-${number}`, {
      api: kind,
      controllers: false,
    });
    bench.after(() => server.stop());
    servers.push(server);
    await put(server.client, Namespace, { name: ADDONS }, {});
  }
  const { client } = api;
  for (const kind of FOREIGN) await installForeign(client, kind);
  await installKinds(client, [clusterStacks]);
  await put(client, Namespace, { name: TEAM }, {});
  const source = memoryReleases();
  const own = api.newClient();
  const others: KubeClient[] = [];
  const engine = await startEmbeddedEngine({
    client: own,
    clusterClient: (other) => {
      others.push(other);
      return other;
    },
    cluster: "bench",
    systems: [clusterStacks],
    directory: bench.folder,
    lease: false,
    ports: [releases.bind(source), charts.bind(builtInCharts())],
  });
  bench.after(() => engine.stop());
  const waiting = new Map<string, () => void>();
  const seen = new Map<string, Obj<typeof ClusterAddon>>();
  const isThere = (cluster: string, tag: string): boolean => {
    const { status, spec } = seen.get(cluster) ?? {};
    return status?.ready === true && spec?.clusterStack === tag;
  };
  await lookAt({ bench, client }, resourceOf(ClusterAddon), TEAM, (object) => {
    const addon = object as unknown as Obj<typeof ClusterAddon>;
    const cluster = addon.spec?.clusterRef.name ?? "";
    seen.set(cluster, addon);
    if (isThere(cluster, addon.spec?.clusterStack ?? ""))
      waiting.get(`${cluster} ${addon.spec?.clusterStack}`)?.();
  });
  const sum = ({ requests: { watch: _, ...rest } }: KubeClient): number =>
    Object.values(rest).reduce((all, each) => all + each, 0);
  return {
    client,
    servers,
    async publish(stack, versions, objects) {
      for (const version of versions) {
        const tag = tagOf(stack, version);
        source.put(tag, await releaseOf(tag, objects));
      }
    },
    offer: (stack, versions) =>
      put(
        client,
        ClusterStack,
        { name: stack, namespace: TEAM },
        {
          spec: {
            provider: "docker",
            name: stack,
            kubernetesVersion: "1.27",
            versions,
            autoSubscribe: false,
            noProvider: true,
          },
        },
      ),
    take: (cluster, tag) =>
      put(
        client,
        Cluster,
        { name: cluster, namespace: TEAM },
        {
          apiVersion: "cluster.x-k8s.io/v1beta1",
          spec: { topology: { class: tag, version: "v1.27.3" } },
        },
      ),
    async connect(cluster, server, options) {
      const { data } = (await server.secret(options)) as KubeObject & { readonly data: object };
      await put(client, Secret, { name: `${cluster}-kubeconfig`, namespace: TEAM }, { data });
    },
    installed: (cluster, tag) =>
      new Promise((resolve) => {
        if (isThere(cluster, tag)) resolve();
        else waiting.set(`${cluster} ${tag}`, resolve);
      }),
    requests: () => [own, ...others].reduce((all, each) => all + sum(each), 0),
  };
}

async function put(
  client: KubeClient,
  kind: Parameters<typeof resourceOf>[0],
  place: { readonly name: string; readonly namespace?: string },
  fields: object,
): Promise<void> {
  const { versions: _, ...resource } = resourceOf(kind);
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  const body = { apiVersion, kind: kind.kind, metadata: { ...place }, ...fields };
  const version = body.apiVersion.split("/").at(-1) ?? kind.version;
  await client.apply({ ...resource, version }, place, body as KubeObject, BY);
}
