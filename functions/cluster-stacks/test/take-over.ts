import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { apiVersionOf, type KubeObject } from "../../../shared/kube/object.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { Cluster, ClusterAddon, ClusterClass, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { addonsOf, map, SYSTEM } from "./addons.ts";
import { DockerCluster, DockerClusterTemplate } from "./kinds.ts";
import { type Stage, startStage, TEAM, tag } from "./stage.ts";
import { stagedFiles } from "./staged.ts";

type Tree = Readonly<Record<string, unknown>>;
const PAUSED = { "cluster.x-k8s.io/paused": "true" };
const OWNED = { "clusterstack.x-k8s.io/instance": "owned" };
const KUBERNETES = "v1.27.3";
/** Upstream's operator writes as `manager`, and applies what charts bring as `kubectl`. */
const [OPERATOR, CHARTS] = ["manager", "kubectl"] as const;
const V1 = tag("v1");
const READY = [{ type: "Ready", status: "True", lastTransitionTime: "2024-05-05T10:00:00Z" }];

/**
 * A management cluster that upstream's operator kept until now; it is its own workload cluster.
 * @param form how addons were installed: upstream empties its record once stages are done
 */
async function landscape(s: Stage, form: Form): Promise<void> {
  const { client } = s.stack;
  const made = async (kind: Kind, name: string, fields: Tree, metadata: Tree = {}): Promise<KubeObject> => {
    const apiVersion =
      kind === Cluster || kind === ClusterClass ? "cluster.x-k8s.io/v1beta1" : apiVersionOf(kind);
    const { status, ...spec } = fields;
    const at = { name, namespace: TEAM };
    const object = await client.create(
      resourceOf(kind),
      { apiVersion, kind: kind.kind, metadata: { ...at, annotations: PAUSED, ...metadata }, ...spec },
      { fieldManager: OPERATOR },
    );
    if (status !== undefined)
      await client.patch(
        resourceOf(kind),
        at,
        "merge",
        { status },
        { fieldManager: OPERATOR, subresource: "status" },
      );
    return object;
  };
  const applied = (
    kind: Kind,
    name: string,
    fields: Tree,
    namespace = TEAM,
    fieldManager: string = CHARTS,
  ) => {
    const apiVersion = kind === ClusterClass ? "cluster.x-k8s.io/v1beta1" : apiVersionOf(kind);
    const metadata = { name, namespace, ...(fieldManager === CHARTS && { labels: OWNED }) };
    return client.apply(
      resourceOf(kind),
      metadata,
      { apiVersion, kind: kind.kind, metadata, ...fields },
      { fieldManager },
    );
  };
  const owner = ({ apiVersion, kind, metadata: { name, uid = "" } }: KubeObject): Tree => ({
    ownerReferences: [{ apiVersion, kind, name, uid }],
  });
  const stack = await made(ClusterStack, "ferrol", {
    spec: {
      provider: "docker",
      name: "ferrol",
      kubernetesVersion: "1.27",
      noProvider: true,
      autoSubscribe: false,
      versions: ["v1", "v2"],
    },
    status: { usableVersions: "v1", latestRelease: `${V1} | ${KUBERNETES}`, conditions: READY },
  });
  const entry = { namespace: TEAM, status: "synced" };
  await made(
    ClusterStackRelease,
    V1,
    {
      status: {
        ready: true,
        kubernetesVersion: KUBERNETES,
        resources: [
          {
            group: "infrastructure.cluster.x-k8s.io",
            version: "v1beta1",
            kind: "DockerClusterTemplate",
            name: `${V1}-cluster`,
            ...entry,
          },
          { group: "cluster.x-k8s.io", version: "v1beta1", kind: "ClusterClass", name: V1, ...entry },
        ],
        conditions: READY,
      },
    },
    { ...owner(stack), finalizers: ["clusterstackrelease.clusterstack.x-k8s.io"] },
  );
  await applied(DockerClusterTemplate, `${V1}-cluster`, { spec: { template: { spec: {} } } });
  const { apiVersion } = { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1" };
  const infrastructure = { ref: { apiVersion, kind: "DockerClusterTemplate", name: `${V1}-cluster` } };
  await applied(ClusterClass, V1, { spec: { infrastructure } });
  for (const name of ["same", "gone"])
    await applied(ConfigMap, name, { data: { value: "1", dropped: "1" } }, SYSTEM);
  await applied(ConfigMap, "same", { data: { added: "1" } }, SYSTEM, "somebody");
  await made(DockerCluster, "demo", { spec: {} });
  const data = { value: Buffer.from(await kubeconfigOf(s.stack.api.connection)).toString("base64") };
  await made(Secret, "demo-kubeconfig", { data });
  const cluster = await made(Cluster, "demo", {
    spec: {
      topology: { class: V1, version: KUBERNETES },
      infrastructureRef: { apiVersion, kind: "DockerCluster", name: "demo" },
    },
  });
  await made(
    ClusterAddon,
    "cluster-addon-demo",
    {
      spec: {
        clusterRef: { apiVersion: cluster.apiVersion, kind: "Cluster", name: "demo", namespace: TEAM },
        clusterStack: V1,
        version: "v1",
      },
      status: {
        ready: true,
        ...(form === "at once" && {
          resources: ["same", "gone"].map((name) => ({
            ...{ group: "", version: "v1", kind: "ConfigMap", name, namespace: SYSTEM, status: "synced" },
          })),
        }),
        conditions: READY,
      },
    },
    {
      ...owner(cluster),
      annotations: { ...PAUSED, ClusterAddonStage: "created" },
      finalizers: ["clusteraddon.clusterstack.x-k8s.io"],
    },
  );
}

type Form = "at once" | "in stages";
const STAGE = "    - {name: maps, action: apply}\n";
/** A release whose addons are these ConfigMaps with their values. */
const releaseOf = (version: string, maps: Readonly<Record<string, string>>, form: Form) =>
  form === "at once"
    ? releaseFiles(tag(version), {
        kubernetes: KUBERNETES,
        ...addonsOf(...Object.entries(maps).map(([name, value]) => map(name, value))),
      })
    : stagedFiles(tag(version), {
        kubernetes: KUBERNETES,
        stages: { AfterControlPlaneInitialized: STAGE, BeforeClusterUpgrade: STAGE },
        charts: { maps: {} },
        plain: { maps },
      });

/** Has Reveille begin: whatever rested may be worked on. */
async function begun(s: Stage): Promise<void> {
  const annotations = { "cluster.x-k8s.io/paused": null };
  for (const kind of [ClusterStack, ClusterStackRelease, Cluster, ClusterAddon] as readonly Kind[])
    for (const { metadata } of await s.list(kind, TEAM))
      await s.stack.client.patch(
        resourceOf(kind),
        metadata,
        "merge",
        { metadata: { annotations } },
        { fieldManager: "user" },
      );
  await s.settled();
}

/** The landscape of upstream's operator is taken over: 22, with all that it left. */
export function takeOver(which: "local" | "real"): void {
  for (const form of ["at once", "in stages"] as const) takeOverOf(which, form);
}

function takeOverOf(which: "local" | "real", form: Form): void {
  const skip = which === "real" ? skipWithoutControlPlane() : false;
  describe(`what upstream's operator left, with addons that it installed ${form}, on the ${which} API`, {
    skip: skip !== false,
  }, () => {
    let s: Stage;
    beforeAll(async () => {
      s = await startStage({ api: which });
      s.source.put(V1, await releaseOf("v1", { same: "1", gone: "1" }, form));
      s.source.put(tag("v2"), await releaseOf("v2", { same: "2" }, form));
    }, 120_000);
    afterAll(() => s?.stop());
    const read = async (kind: Kind, name: string, namespace = TEAM): Promise<KubeObject | undefined> =>
      s.stack.client.get(resourceOf(kind), { name, namespace });
    const managers = async (kind: Kind, name: string, namespace = TEAM) => [
      ...new Set(
        ((await read(kind, name, namespace))?.metadata.managedFields ?? []).map(({ manager }) => manager),
      ),
    ];

    test("is Reveille's, stays as it is, and is upgraded", { timeout: 180_000 }, async () => {
      await landscape(s, form);
      const before = await Promise.all([read(ConfigMap, "same", SYSTEM), read(ClusterClass, V1)]);
      await begun(s);
      const [same, clusterClass] = await Promise.all([
        read(ConfigMap, "same", SYSTEM),
        read(ClusterClass, V1),
      ]);
      assert.equal(same?.metadata.resourceVersion, before[0]?.metadata.resourceVersion, "nobody wrote it");
      assert.equal(clusterClass?.metadata.uid, before[1]?.metadata.uid);
      const release = await s.release("v1");
      assert.deepEqual(release?.metadata.finalizers, ["clusterstackrelease.clusterstack.x-k8s.io"]);
      assert.deepEqual(release?.status?.resources?.map(({ kind, status }) => `${kind} ${status}`).sort(), [
        "ClusterClass synced",
        "DockerClusterTemplate synced",
      ]);
      assert.equal((await s.says()).usableVersions, "v1, v2");
      assert.deepEqual((await s.addon("demo"))?.metadata.finalizers, ["clusteraddon.clusterstack.x-k8s.io"]);
      assert.equal((await s.addon("demo"))?.status?.ready, true);

      const topology = { class: tag("v2"), version: KUBERNETES };
      await s.stack.client.patch(
        resourceOf(Cluster),
        { name: "demo", namespace: TEAM },
        "merge",
        { spec: { topology } },
        { fieldManager: "user" },
      );
      await s.until("the addons of v2", async () => {
        const { spec, status } = (await s.addon("demo")) ?? {};
        return status?.ready === true && spec?.clusterStack === tag("v2");
      });
      assert.deepEqual((await read(ConfigMap, "same", SYSTEM))?.data, { value: "2", added: "1" });
      assert.deepEqual((await managers(ConfigMap, "same", SYSTEM)).sort(), [
        "reveille-cluster-addons",
        "somebody",
      ]);
      assert.equal(await read(ConfigMap, "gone", SYSTEM), undefined);
      assert.equal((await s.addon("demo"))?.metadata.annotations.ClusterAddonStage, "upgraded");

      await s.stack.client.patch(
        resourceOf(ClusterStack),
        { name: "ferrol", namespace: TEAM },
        "merge",
        { spec: { versions: ["v2"] } },
        { fieldManager: "user" },
      );
      await s.until("the release of v1 to be gone", async () => (await s.release("v1")) === undefined);
      assert.deepEqual(await s.classes(), ["ClusterClass v2", "DockerClusterTemplate v2-cluster"]);
    });
  });
}
