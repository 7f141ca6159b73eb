import { readdirSync } from "node:fs";
import { stringify } from "yaml";
import type { Clock } from "../../../shared/clock/clock.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { fixedCredentials } from "../../../shared/kube/http/connection.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import type { Log } from "../../../shared/log/log.ts";
import { type Cluster, type ClusterChoice, openCluster } from "../cluster.ts";
import { readRunFile, type StateDirectory, writePrivately } from "../state-directory.ts";

/** The API server that the functions work on. */
export type ApiChoice =
  | { readonly kind: "local"; readonly port?: number | undefined }
  | { readonly kind: "real"; readonly port?: number | undefined }
  | ({ readonly kind: "kubeconfig" } & ClusterChoice);

/** An API server that answers. */
export interface Api {
  readonly kind: ApiChoice["kind"];
  readonly server: string;
  /** The name by which people know it; the cluster's identity adds to it. */
  readonly name: string;
  readonly client: KubeClient;
  /** Another client of its own connections, for parts that stand for somebody else. */
  newClient(): KubeClient;
  /** The value that KUBECONFIG must have. */
  readonly kubeconfig: string;
  readonly context: string | undefined;
  /** True where something else collects garbage, ends namespaces and makes Pods of Deployments. */
  readonly hasControllers: boolean;
  /** PEM of the local API's authority; absent elsewhere, where others tell it to namespaces. */
  readonly certificate?: string;
  stop(): Promise<void>;
}

/** Starts or finds the API server. Throws a sentence for each way in which that can fail. */
export async function startApi(
  choice: ApiChoice,
  directory: StateDirectory,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<Api> {
  switch (choice.kind) {
    case "local":
      return startLocal(choice.port, directory, parts);
    case "real":
      return startReal(choice.port, directory, parts);
    case "kubeconfig":
      return useCluster(openCluster(choice), choice);
  }
}

const HOST = "127.0.0.1";

async function startLocal(
  port: number | undefined,
  directory: StateDirectory,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Api> {
  const [{ startLocalApi }, { faces }] = await Promise.all([
    import("../../local/index.ts"),
    import("../../local/faces/index.ts"),
  ]);
  const start = (at: number) =>
    startLocalApi({ directory: directory.api, host: HOST, port: at, clock, log, faces });
  const last = lastPort(directory);
  const local =
    port !== undefined
      ? await start(port)
      : // The port of last time, so that what was told about it still holds, unless it is taken by now.
        await start(last).catch((thrown: unknown) => (last === 0 ? Promise.reject(thrown) : start(0)));
  writePrivately(directory.kubeconfig, stringify(local.kubeconfig));
  const { server, ca, token } = local.clientOptions;
  const connection = {
    server,
    namespace: "default",
    tls: { ca },
    credentials: fixedCredentials(`Bearer ${token}`),
    headers: {},
  };
  const client = createKubeClient({ connection, clock });
  return {
    kind: "local",
    server,
    name: "local",
    client,
    newClient: () => createKubeClient({ connection, clock }),
    kubeconfig: directory.kubeconfig,
    context: undefined,
    hasControllers: false,
    certificate: ca,
    stop: async () => {
      client.close();
      await local.close();
    },
  };
}

function lastPort(directory: StateDirectory): number {
  const run = readRunFile(directory);
  return run?.api === "local" ? Number(new URL(run.server).port) : 0;
}

async function startReal(
  port: number | undefined,
  directory: StateDirectory,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Api> {
  const { startControlPlane } = await import("../../control-plane/real-control-plane.ts");
  const controllerManager = hasControllerManager();
  const plane = await startControlPlane({
    directory: directory.controlPlane,
    controllerManager,
    keepAlive: true,
    clock,
    log,
    ...(port === undefined ? {} : { port }),
  });
  writePrivately(directory.kubeconfig, stringify(plane.kubeconfig));
  const cluster = openCluster({ kubeconfig: directory.kubeconfig });
  const { connection, client } = cluster;
  return {
    kind: "real",
    server: connection.server,
    name: "real",
    client,
    newClient: () => createKubeClient({ connection, clock }),
    kubeconfig: directory.kubeconfig,
    context: undefined,
    hasControllers: controllerManager,
    stop: async () => {
      client.close();
      await plane.stop();
    },
  };
}

const hasControllerManager = (): boolean => {
  const folder = process.env.KUBEBUILDER_ASSETS;
  if (folder === undefined || folder === "")
    throw new CliError(
      "CLI_NO_BINARIES",
      "--real needs etcd and kube-apiserver: set KUBEBUILDER_ASSETS to the folder that holds them (setup-envtest installs one).",
    );
  try {
    return readdirSync(folder).includes("kube-controller-manager");
  } catch (thrown) {
    throw new CliError("CLI_NO_BINARIES", `KUBEBUILDER_ASSETS names ${folder}, which cannot be read.`, {
      cause: thrown,
    });
  }
};

function useCluster({ connection, client }: Cluster, choice: ClusterChoice): Api {
  return {
    kind: "kubeconfig",
    server: connection.server,
    name: connection.cluster,
    client,
    newClient: () => createKubeClient({ connection }),
    kubeconfig: connection.files.join(process.platform === "win32" ? ";" : ":"),
    context: choice.context,
    hasControllers: true,
    stop: async () => client.close(),
  };
}
