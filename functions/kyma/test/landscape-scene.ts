import assert from "node:assert/strict";
import { connectTo, type RemoteCluster, startRemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { installKinds as installKindsOf } from "../../../infra/testing/stack.ts";
import { type StackCluster, startStackCluster } from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import type { Configuration } from "../configuration.ts";
import { kyma as system } from "../index.ts";
import { CONTROL_PLANE, Kyma, runtimes } from "../kinds/index.ts";
import { memoryComponents } from "../ports/components/adapters/index.ts";
import { components } from "../ports/components/index.ts";
import { issuer } from "../ports/issuer/index.ts";
import { memoryHandlers } from "../ports/trusted-handlers/adapters/index.ts";
import { trustedHandlers } from "../ports/trusted-handlers/index.ts";
import { layerOf } from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { serveIstio } from "./foreign.ts";
import { quickIssuer } from "./issuing.ts";
import {
  CATALOG,
  COMPONENT,
  FOR_ALL,
  LAYER_FOR_ALL,
  type LayerSources,
  writeLandscape,
} from "./landscape.ts";

/** A landscape that the operator before has left, and Reveille on it. */
export interface Scene {
  /** The control plane. */
  readonly api: TestApi;
  readonly remote: RemoteCluster;
  /** Reveille, where it runs. */
  readonly cluster: StackCluster | undefined;
  /** Has Reveille take over, and waits until nothing more happens. */
  start(settings?: Partial<Configuration>): Promise<StackCluster>;
  /** Ends Reveille: what it wrote stays. */
  end(): Promise<void>;
  /** Has the operator before write what it writes, as it does when it is back. */
  writeAgain(): Promise<void>;
  isReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts the two clusters with the catalog, and with what the operator before left. `there` prepares the runtime. */
export async function landscape(there: (client: KubeClient) => Promise<void>): Promise<Scene> {
  const api = await startTestApi({ api: "local" });
  await serveIstio(api.client);
  await installKindsOf(api.client, [system]);
  const remote = await startRemoteCluster(runtimes, "rt-1", { api: "local" });
  await connectTo(api.client, remote);
  await there(remote.client);
  const memory = memoryComponents();
  for (const [name, layer] of [
    [COMPONENT, layerOf("1.0.0")],
    [FOR_ALL, LAYER_FOR_ALL],
  ] as const)
    await memory.put({ name, version: "1.0.0", layer });
  for (const [kind, name, spec] of CATALOG) {
    const place = { name, namespace: CONTROL_PLANE };
    const body = { apiVersion: "operator.kyma-project.io/v1beta2", kind: kind.kind, metadata: place, spec };
    await api.client.apply(resourceOf(kind), place, body, { fieldManager: "kubectl", force: true });
  }
  const sourceOf = async (name: string): Promise<LayerSources["module"]> => {
    const described = await memory.describe(name, "1.0.0");
    return described.state === "described" ? described.component.source : assert.fail(described.state);
  };
  const sources = { module: await sourceOf(COMPONENT), forAll: await sourceOf(FOR_ALL) };
  await writeLandscape(api.client, remote, sources);
  await remote.api.idle();
  let cluster: StackCluster | undefined;
  return {
    api,
    remote,
    get cluster() {
      return cluster;
    },
    start: async (settings = {}) => {
      cluster = await startStackCluster({
        system,
        api,
        configuration: { kyma: { target: "secret", ...settings } },
        engine: {
          ports: [components.bind(memory), issuer.bind(quickIssuer), trustedHandlers.bind(memoryHandlers())],
        },
      });
      await cluster.settled();
      return cluster;
    },
    end: async () => {
      await cluster?.stack.engine.stop();
      cluster = undefined;
    },
    writeAgain: () => writeLandscape(api.client, remote, sources),
    isReady: async () => (await cluster?.get(Kyma, at("rt-1")))?.status?.state === "Ready",
    stop: async () => {
      await (cluster ?? api).stop();
      await remote.stop();
    },
  };
}

/** The place of an object in the control plane. */
export const at = (name: string) => ({ name, namespace: CONTROL_PLANE });

/** The objects that only the server and its controllers make, or whose content is a certificate. */
const OF_OTHERS = /^(Event|Lease|Secret|Namespace reveille-system|Pod|ReplicaSet)/;

/** The paths at which two worlds differ, each with its object. */
export const changesIn = (
  before: ReadonlyMap<string, object>,
  after: ReadonlyMap<string, object>,
): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !OF_OTHERS.test(name))
    .flatMap((name) => {
      const [was, is] = [before.get(name), after.get(name)];
      if (was === undefined) return [`made: ${name}`];
      if (is === undefined) return [`gone: ${name}`];
      return differences(was, is).map((path) => `${name}: ${path}`);
    });

function differences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other ? [] : [path];
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].flatMap((field) =>
    differences(Reflect.get(one, field), Reflect.get(other, field), `${path}/${field}`),
  );
}

/** The finalizers that stand anywhere, but for those of the server. */
export async function finalizersIn({
  api,
  remote,
}: Pick<Scene, "api" | "remote">): Promise<readonly string[]> {
  const all = [...(await everythingIn(api.client)).values(), ...(await everythingIn(remote.client)).values()];
  const named = all.flatMap(
    (one) => (one as { metadata: { finalizers?: string[] } }).metadata.finalizers ?? [],
  );
  return [...new Set(named)].filter((name) => !/^(kubernetes|customresourcecleanup\..*)$/.test(name)).sort();
}
