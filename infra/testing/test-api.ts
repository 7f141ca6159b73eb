import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Connection, fixedCredentials } from "../../shared/kube/http/connection.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ServiceAccount } from "../../shared/kube/kinds/index.ts";
import { type Controllers, startControllers } from "../controllers/index.ts";
import { startKubelet } from "../kubelet/kubelet.ts";
import { faces } from "../local/faces/index.ts";
import { startLocalApi, type TokenUser } from "../local/index.ts";
import { BESIDE_CONTROLLERS, type Simulator, startSimulator } from "../simulator/index.ts";
import { connectionTo, startControlPlane } from "./control-plane.ts";
import { eventually } from "./eventually.ts";

/** An API server with workloads that become ready, for tests. */
export interface TestApi {
  readonly kind: "local" | "real";
  /** The connection of its administrator. */
  readonly connection: Connection;
  /** The client of its administrator. */
  readonly client: KubeClient;
  /** A further client, with connections of its own; as somebody else where a token is given. */
  newClient(token?: string): KubeClient;
  readonly simulator: Simulator | undefined;
  /** Everything that is no function has done what it had to. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestApiOptions {
  readonly api: "local" | "real";
  readonly clock?: Clock;
  /** The time that simulated pods take. Default: none. */
  readonly delayMilliseconds?: number;
  /** False: no workloads become ready, nothing is collected. */
  readonly controllers?: boolean;
  /** The file for one JSON line a request, of the real server. */
  readonly auditLog?: string;
  /** The users beside the administrator, of the local server. */
  readonly users?: readonly TokenUser[];
  /** The admission plugins beside the usual ones, of the real server. */
  readonly admissionPlugins?: readonly string[];
}

/** Starts the local API with its controllers, or etcd + kube-apiserver + kube-controller-manager. */
export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const { clock = systemClock, controllers = true, delayMilliseconds = 0 } = options;
  const clients: KubeClient[] = [];
  const opened =
    options.api === "local" ? await openLocal(clock, options) : await openReal(options, controllers);
  const newClient = (token?: string): KubeClient => {
    const connection =
      token === undefined
        ? opened.connection
        : { ...opened.connection, credentials: fixedCredentials(`Bearer ${token}`) };
    const client = createKubeClient({ connection, clock });
    clients.push(client);
    return client;
  };
  const client = newClient();
  const collector: Controllers | undefined =
    controllers && options.api === "local"
      ? await startControllers({ client: newClient(), clock })
      : undefined;
  const simulator = controllers
    ? await startSimulator({
        client: newClient(),
        clock,
        delayMilliseconds,
        ...(options.api === "real" && { only: BESIDE_CONTROLLERS }),
      })
    : undefined;
  const kubelet =
    controllers && options.api === "real" ? await startKubelet({ client: newClient(), clock }) : undefined;
  // No Pod is admitted before its account is there, which a controller makes.
  if (controllers && options.api === "real")
    await eventually("the account of Pods to be there", () =>
      client.get(resourceOf(ServiceAccount), { name: "default", namespace: "default" }),
    );
  return {
    kind: options.api,
    connection: opened.connection,
    client,
    newClient,
    simulator,
    idle: async () => {
      await collector?.idle();
      await simulator?.idle();
    },
    stop: async () => {
      await kubelet?.stop();
      await simulator?.stop();
      await collector?.stop();
      for (const one of clients) one.close();
      await opened.stop();
    },
  };
}

interface Opened {
  readonly connection: ReturnType<typeof connectionTo>;
  stop(): Promise<void>;
}

async function openLocal(clock: Clock, { users }: TestApiOptions): Promise<Opened> {
  const local = await startLocalApi({ clock, faces, users });
  return {
    connection: connectionTo({
      url: local.url,
      ca: local.clientOptions.ca,
      token: local.clientOptions.token,
    }),
    stop: () => local.close(),
  };
}

async function openReal(
  { auditLog, admissionPlugins }: TestApiOptions,
  controllerManager: boolean,
): Promise<Opened> {
  const plane = await startControlPlane({
    controllerManager,
    ...(auditLog !== undefined && { auditLog }),
    ...(admissionPlugins !== undefined && { admissionPlugins }),
  });
  return { connection: connectionTo(plane), stop: () => plane.stop() };
}
