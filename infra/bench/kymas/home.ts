import { join } from "node:path";
import { kyma } from "../../../functions/kyma/index.ts";
import {
  CONTROL_PLANE,
  Kyma,
  LABELS,
  ModuleReleaseMeta,
  ModuleTemplate,
  Watcher,
} from "../../../functions/kyma/kinds/index.ts";
import { serveIstio } from "../../../functions/kyma/test/foreign.ts";
import { GATEWAYS } from "../../../functions/kyma/test/issuing.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace, Secret } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { startControlPlane } from "../../control-plane/real-control-plane.ts";
import { connectionTo } from "../../testing/control-plane.ts";
import { installKinds } from "../../testing/stack.ts";
import type { Bench } from "../measure.ts";
import {
  channelOf,
  componentOf,
  MODULES,
  type Module,
  STEPPED,
  STEPS,
  VERSIONS,
  versionsOf,
} from "./catalog.ts";

const BY = { fieldManager: "bench", force: true } as const;
const at = (name: string) => ({ name, namespace: CONTROL_PLANE });

/** The control plane of the fleet: a real API server. */
export interface Home {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  /** The address of its etcd. */
  readonly etcd: string;
  /** Has the channel `regular` of a module lead to a version. */
  release(module: Module, version: string): Promise<void>;
  /** Adds a Kyma with all modules, and the kubeconfig of its runtime. */
  add(name: string, kubeconfig: string): Promise<void>;
}

/** Starts it, with the catalog. */
export async function startHome(bench: Bench): Promise<Home> {
  const plane = await startControlPlane({ directory: join(bench.folder, "plane") });
  bench.after(() => plane.stop());
  const client = createKubeClient({ connection: connectionTo(plane) });
  bench.after(() => client.close());
  const put = (kind: Kind, place: { readonly name: string; readonly namespace?: string }, fields: object) => {
    const { metadata, ...rest } = fields as { readonly metadata?: object };
    const body = {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: { ...place, ...metadata },
      ...rest,
    };
    return client.apply(resourceOf(kind), place, body as KubeObject, BY);
  };
  for (const name of [CONTROL_PLANE, GATEWAYS]) await put(Namespace, { name }, {});
  await serveIstio(client);
  await installKinds(client, [kyma]);
  const home: Home = {
    client,
    kubeconfig: plane.kubeconfigFile,
    etcd: plane.etcdUrl,
    async release(module, version) {
      const channels = [
        { channel: "regular", version },
        ...(module === STEPPED
          ? versionsOf(module).map((of, step) => ({ channel: channelOf(step), version: of }))
          : []),
      ];
      await put(ModuleReleaseMeta, at(module), {
        spec: { moduleName: module, ocmComponentName: componentOf(module), channels },
      });
    },
    async add(name, kubeconfig) {
      await put(Secret, at(`kubeconfig-${name}`), {
        metadata: { labels: { [LABELS.kymaName]: name } },
        data: { config: Buffer.from(kubeconfig).toString("base64") },
      });
      await put(Kyma, at(name), {
        metadata: {
          labels: { [LABELS.runtimeId]: name },
          annotations: { "skr-domain": `${name}.example.org` },
        },
        spec: { channel: "regular", modules: MODULES.map((module) => ({ name: module })) },
      });
    },
  };
  for (const module of MODULES) {
    for (const version of versionsOf(module))
      await put(ModuleTemplate, at(`${module}-${version}`), {
        spec: { moduleName: module, version, descriptor: {} },
      });
    await home.release(module, VERSIONS[0]);
  }
  await put(Watcher, at("kymas"), {
    spec: {
      manager: "lifecycle-manager",
      resourceToWatch: { group: "operator.kyma-project.io", version: "*", resource: "kymas" },
      labelsToWatch: { [LABELS.watchedBy]: "kyma" },
      field: "spec",
      serviceInfo: { name: "events", namespace: CONTROL_PLANE, port: 8082 },
      gateway: { selector: { matchLabels: { "operator.kyma-project.io/watcher-gateway": "default" } } },
    },
  });
  return home;
}

/** The channels of the module whose versions are taken up one by one: as many as steps. */
export const CHANNELS = Array.from({ length: STEPS }, (_, step) => channelOf(step));
