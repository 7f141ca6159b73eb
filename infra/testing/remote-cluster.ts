import { SECRETS, secretPlace } from "../../shared/kube/client/cluster-secret.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type ClusterReference, type ClustersStatics, referenceOf } from "../../shared/kube/cluster-names.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { FaultProxy, type ProxyMode } from "./fault-proxy.ts";
import { kubeconfigOf } from "./kubeconfig.ts";
import { type RequestsAtOnce, requestsAtOnce } from "./requests-at-once.ts";
import { startTestApi, type TestApi, type TestApiOptions } from "./test-api.ts";

const TESTER = { fieldManager: "tester" } as const;

/** Another cluster, which is reached over a network that breaks on demand. */
export interface RemoteCluster {
  readonly clusters: ClustersStatics;
  /** Its name, as functions name it. */
  readonly name: string;
  readonly reference: ClusterReference;
  readonly api: TestApi;
  /** The client of its administrator, past the network that breaks. */
  readonly client: KubeClient;
  /** Sets the network before it: it passes from now on what it is told to. */
  link(mode: ProxyMode): Promise<void>;
  /** The connections to it over that network that are open. */
  connections(): number;
  /** Looks at the requests that it has in flight, watches and probes apart. Undefined: its server is a process of its own. */
  atOnce(): RequestsAtOnce | undefined;
  /**
   * The Secret that leads there. `token`: other credentials than its administrator's. `named`: another name, where a label finds it.
   * `past`: past the network that breaks.
   */
  secret(options?: {
    readonly token?: string;
    readonly named?: string;
    readonly past?: boolean;
  }): Promise<KubeObject>;
  stop(): Promise<void>;
}

/** Starts an API server, and a network before it. */
export async function startRemoteCluster(
  clusters: ClustersStatics,
  name: string,
  options: TestApiOptions,
): Promise<RemoteCluster> {
  const api = await startTestApi(options);
  const server = new URL(api.connection.server);
  const ownPort = Number(server.port);
  const proxy = await FaultProxy.start(ownPort);
  server.port = String(proxy.port);
  const url = server.href.replace(/\/$/, "");
  return {
    clusters,
    name,
    reference: referenceOf(clusters, name),
    api,
    client: api.client,
    link: (mode) => proxy.set(mode),
    connections: () => proxy.connections,
    atOnce: () =>
      options.api === "real"
        ? undefined
        : requestsAtOnce(ownPort, ({ url = "" }) => !/^\/readyz|[?&]watch=/.test(url)),
    async secret({ token, named = `kubeconfig-${name}`, past = false } = {}) {
      const credentials =
        token === undefined
          ? api.connection.credentials
          : { current: () => ({ authorization: `Bearer ${token}` }), refused: () => false };
      const through = past ? api.connection.server : url;
      const text = await kubeconfigOf({ ...api.connection, server: through, credentials });
      const { secret } = clusters;
      const place = secretPlace(secret, name);
      return {
        apiVersion: "v1",
        kind: "Secret",
        metadata:
          "label" in secret
            ? { namespace: secret.namespace, name: named, labels: { [secret.label]: name } }
            : { namespace: place?.namespace ?? "", name: place?.name ?? "" },
        data: { [secret.key]: Buffer.from(text).toString("base64") },
      };
    },
    async stop() {
      await proxy.stop();
      await api.stop();
    },
  };
}

/** Puts a cluster's Secret into the home, and its namespace with it. */
export async function connectTo(
  home: KubeClient,
  remote: Pick<RemoteCluster, "secret">,
  options: Parameters<RemoteCluster["secret"]>[0] = {},
): Promise<KubeObject> {
  const secret = await remote.secret(options);
  const { namespace = "" } = secret.metadata;
  await home.apply(
    { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
    { name: namespace },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    TESTER,
  );
  return home.apply(SECRETS, { namespace, name: secret.metadata.name }, secret, { ...TESTER, force: true });
}
