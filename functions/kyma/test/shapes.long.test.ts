// One engine in three shapes: a control plane for many clusters, a program that ends, and one inside the cluster. They leave the same.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { connectTo, startRemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { startStackCluster } from "../../../infra/testing/system/index.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { kyma as system } from "../index.ts";
import { CONTROL_PLANE, Kyma, runtimes } from "../kinds/index.ts";
import { configuredComponents } from "../ports/components/adapters/index.ts";
import { components } from "../ports/components/index.ts";
import { testLayout } from "../ports/components/test-layout.ts";
import { issuer } from "../ports/issuer/index.ts";
import { memoryHandlers } from "../ports/trusted-handlers/adapters/index.ts";
import { trustedHandlers } from "../ports/trusted-handlers/index.ts";
import { layerOf, OPERATOR, SYSTEM } from "./alpha-store.ts";
import { everythingIn } from "./everything.ts";
import { quickIssuer } from "./issuing.ts";

let folder: string;
const catalogFile = () => join(folder, "catalog", "catalog.yaml");
const kymaFile = () => join(folder, "kyma.yaml");

const CATALOG = `apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleReleaseMeta
metadata: {name: alpha-store, namespace: ${CONTROL_PLANE}}
spec: {moduleName: alpha-store, ocmComponentName: acme.test/mods/alpha-store, channels: [{channel: regular, version: 1.0.0}]}
---
apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata: {name: alpha-store-1.0.0, namespace: ${CONTROL_PLANE}}
spec:
  moduleName: alpha-store
  version: 1.0.0
  descriptor: {}
  manager: {group: apps, version: v1, kind: Deployment, name: ${OPERATOR}, namespace: ${SYSTEM}}
  data: {apiVersion: store.acme.test/v1, kind: AlphaStore, metadata: {name: default}, spec: {replicas: 2}}
---
apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleReleaseMeta
metadata: {name: beta-mesh, namespace: ${CONTROL_PLANE}}
spec: {moduleName: beta-mesh, ocmComponentName: acme.test/mods/beta-mesh, channels: [{channel: fast, version: 2.0.0-rc1}]}
---
apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata: {name: beta-mesh-2.0.0-rc1, namespace: ${CONTROL_PLANE}}
spec:
  moduleName: beta-mesh
  version: 2.0.0-rc1
  descriptor: {}
  requires: [{crd: {group: store.acme.test, version: v1, kind: AlphaStore}}]
  data: {apiVersion: store.acme.test/v1, kind: AlphaStore, metadata: {name: mesh, namespace: ${SYSTEM}}}
---
apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleReleaseMeta
metadata: {name: audit, namespace: ${CONTROL_PLANE}}
spec: {moduleName: audit, ocmComponentName: acme.test/mods/audit, mandatory: {version: 1.0.0}}
---
apiVersion: operator.kyma-project.io/v1beta2
kind: ModuleTemplate
metadata: {name: audit-1.0.0, namespace: ${CONTROL_PLANE}}
spec: {moduleName: audit, version: 1.0.0, descriptor: {}}
`;
const KYMA = `apiVersion: operator.kyma-project.io/v1beta2
kind: Kyma
metadata: {name: rt-1, namespace: ${CONTROL_PLANE}, labels: {kyma-project.io/runtime-id: rt-1}}
spec:
  channel: regular
  modules: [{name: alpha-store}, {name: beta-mesh, channel: fast, customResourcePolicy: Ignore}]
`;
const MESH = `apiVersion: v1
kind: ConfigMap
metadata: {name: mesh-settings, labels: {app: mesh}, annotations: {note: kept}}
data: {mode: strict}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: mesh, namespace: ignored}
rules: [{apiGroups: [""], resources: [services], verbs: [get, list]}]
`;
const AUDIT = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: audit, namespace: default}\ndata: {level: all}\n`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kyma-shapes-"));
  const layout = await testLayout();
  for (const [module, version, layer] of [
    ["alpha-store", "1.0.0", layerOf("1.0.0")],
    ["beta-mesh", "2.0.0-rc1", MESH],
    ["audit", "1.0.0", AUDIT],
  ] as const)
    await layout.put({ name: `acme.test/mods/${module}`, version, layer });
  await cp(layout.folder, join(folder, "catalog", "components"), { recursive: true });
  await layout.stop();
  await writeFile(catalogFile(), CATALOG);
  await writeFile(kymaFile(), KYMA);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Objects of a control plane: its kinds and its own namespaces, whoever's cluster it uses. */
const isOfControlPlane = (name: string): boolean =>
  /^(Kyma|Manifest|ModuleTemplate|ModuleReleaseMeta|Lease|Event) /.test(name) ||
  /^CustomResourceDefinition .*\.(operator\.kyma-project\.io|reveille\.dev|istio\.io)$/.test(name) ||
  /^(Namespace |\S+ )(kcp-system|reveille-system)(\/|$)/.test(name);
/** Objects that controllers of the cluster make of others, under names of their own. */
const isOfCluster = (name: string): boolean =>
  /^(Pod|ReplicaSet|EndpointSlice|ControllerRevision) /.test(name);

type Objects = Readonly<Record<string, object>>;

/** The objects that a cluster has beside those which its server had at first, and those of a control plane. */
async function left({ client }: Pick<TestApi, "client">): Promise<Objects> {
  const api = await startTestApi({ api: "local", controllers: false });
  const [all, own] = await Promise.all([everythingIn(client), everythingIn(api.client)]);
  await api.stop();
  return Object.fromEntries(
    [...all].filter(([name]) => !own.has(name) && !isOfControlPlane(name) && !isOfCluster(name)),
  );
}

async function byEngine(target: "secret" | "local"): Promise<Objects> {
  const registry = { folder: join(folder, "catalog", "components") };
  const cluster = await startStackCluster({
    system,
    api: "local",
    configuration: { kyma: { target, registry } },
    engine: {
      ports: [
        components.bind(configuredComponents({ ...registry })),
        issuer.bind(quickIssuer),
        trustedHandlers.bind(memoryHandlers()),
      ],
    },
  });
  const remote =
    target === "secret" ? await startRemoteCluster(runtimes, "rt-1", { api: "local" }) : undefined;
  try {
    await cluster.stack.apply(`apiVersion: v1\nkind: Namespace\nmetadata: {name: ${CONTROL_PLANE}}\n`);
    if (remote !== undefined) await connectTo(cluster.stack.client, remote);
    await cluster.stack.apply(`${CATALOG}---\n${KYMA}`);
    await eventually("all modules to be ready", async () => {
      const found = await cluster.get(Kyma, { name: "rt-1", namespace: CONTROL_PLANE });
      return found?.status?.state === "Ready";
    });
    await cluster.settled();
    return await left(remote ?? cluster.stack.api);
  } finally {
    await remote?.stop();
    await cluster.stop();
  }
}

async function byCommand(): Promise<Objects> {
  const api = await startTestApi({ api: "local" });
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, await kubeconfigOf(api.connection));
    const ended = await reveilleHere([
      ...["kyma", "run", "--kubeconfig", kubeconfig],
      ...["--catalog", join(folder, "catalog"), "-f", kymaFile()],
    ]);
    assert.equal(ended.code, 0, ended.stderr);
    return await left(api);
  } finally {
    await api.stop();
  }
}

it("leaves the same objects by a control plane, by a command and inside the cluster", async () => {
  const [plane, command, inside] = [await byEngine("secret"), await byCommand(), await byEngine("local")];
  assert.deepEqual(Object.keys(plane), [
    "AlphaStore kyma-system/default",
    "ClusterRole mesh",
    "ConfigMap alpha-system/one",
    "ConfigMap alpha-system/version",
    "ConfigMap default/audit",
    "ConfigMap default/mesh-settings",
    "CustomResourceDefinition alphastores.store.acme.test",
    "Deployment alpha-system/alpha-store-operator",
    "Namespace alpha-system",
    "Namespace kyma-system",
  ]);
  assert.deepEqual(command, plane);
  assert.deepEqual(inside, plane);
});
