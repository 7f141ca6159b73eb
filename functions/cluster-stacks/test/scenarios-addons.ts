import assert from "node:assert/strict";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles, type TestAddons } from "../decide/assets/test-release.ts";
import { Cluster, ClusterAddon } from "../kinds/index.ts";
import { DockerCluster } from "./kinds.ts";
import { type Stage, TEAM, tag } from "./stage.ts";

const MAPS = resourceOf(ConfigMap);
const SYSTEM = "kube-system";
const map = (name: string, value = "1"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {value: "${value}"}\n`;
const addonsOf = (...maps: readonly string[]): TestAddons => ({
  addons: { "templates/all.yaml": maps.join("---\n") },
});

/** Publishes a release with these addons, and offers it. */
async function offer(s: Stage, releases: Readonly<Record<string, TestAddons>>): Promise<void> {
  for (const [version, addons] of Object.entries(releases)) {
    const kubernetes = { kubernetes: "v1.27.3" };
    s.source.put(tag(version), await releaseFiles(tag(version), { ...kubernetes, ...addons }));
  }
  await s.wants({ versions: Object.keys(releases), autoSubscribe: false });
}

const infrastructureRef = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "DockerCluster",
  name: "demo",
};
/** Creates a Cluster of a class with its infrastructure, or changes its class. */
async function cluster(s: Stage, version: string, name = "demo"): Promise<void> {
  await s.put(DockerCluster, { name, namespace: TEAM }, { spec: { loadBalancer: name } });
  const topology = { class: tag(version), version: "v1.27.3" };
  await s.put(
    Cluster,
    { name, namespace: TEAM },
    { spec: { topology, infrastructureRef: { ...infrastructureRef, name } } },
  );
  await s.settled();
}

const ready = (s: Stage, version: string, name = "demo"): Promise<void> =>
  s.until(`the addons of ${version}`, async () => {
    const found = await s.addon(name);
    return found?.status?.ready === true && found.spec?.clusterStack === tag(version);
  });
const condition = async (s: Stage, type: string, name = "demo") =>
  (await s.addon(name))?.status?.conditions?.find((one) => one.type === type);
const names = async ({ client }: RemoteCluster, resource: Resource = MAPS): Promise<readonly string[]> =>
  (await client.list(resource, { namespace: SYSTEM })).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== "kube-root-ca.crt" && name !== "extension-apiserver-authentication")
    .sort();
const versions = async ({ client }: RemoteCluster): Promise<ReadonlyMap<string, string | undefined>> =>
  new Map(
    (await client.list(MAPS, { namespace: SYSTEM })).items.map(({ metadata }) => [
      metadata.name,
      metadata.resourceVersion,
    ]),
  );

/** The addons of workload clusters: 22, 23, 25, 26, 32 to 37. */
export const addons: readonly Scenario<Stage>[] = [
  {
    number: 22,
    name: "an upgrade deletes what vanished, updates what changed, and writes nothing else",
    async run(s) {
      await offer(s, {
        v1: addonsOf(map("same"), map("changed"), map("vanished")),
        v2: addonsOf(map("same"), map("changed", "2"), map("new")),
      });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      assert.deepEqual(await names(there), ["changed", "same", "vanished"]);
      const before = await versions(there);
      await cluster(s, "v2");
      await ready(s, "v2");
      const after = await versions(there);
      assert.deepEqual(await names(there), ["changed", "new", "same"]);
      assert.equal(after.get("same"), before.get("same"), "it was not written");
      assert.notEqual(after.get("changed"), before.get("changed"));
      const found = await s.addon("demo");
      assert.deepEqual(found?.status?.resources?.map(({ name, status }) => `${name} ${status}`).sort(), [
        "changed synced",
        "new synced",
        "same synced",
      ]);
      assert.deepEqual(
        [found?.spec?.version, found?.metadata.annotations.ClusterAddonStage],
        ["v2", "upgraded"],
      );
    },
  },
  {
    number: 23,
    name: "a class with the same addons asks the workload cluster for nothing but its readiness",
    async run(s) {
      await offer(s, { v2: addonsOf(map("a")), v3: { ...addonsOf(map("a")), addon: "v2" } });
      await s.workload("demo");
      await cluster(s, "v2");
      await ready(s, "v2");
      s.asked();
      await cluster(s, "v3");
      await ready(s, "v3");
      assert.deepEqual(
        s.asked().filter(({ verb }) => verb !== "raw"),
        [],
      );
      assert.equal((await s.addon("demo"))?.spec?.version, "v2");
    },
  },
  {
    number: 26,
    name: "without a kubeconfig, and while the cluster does not answer, it waits without an error",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")) });
      const there = await s.workload("demo", { connected: false });
      await cluster(s, "v1");
      const waits = await condition(s, "ClusterReady");
      assert.deepEqual([waits?.reason, waits?.severity], ["ControlPlaneNotReady", "Warning"]);
      await there.link("refuse");
      await s.connect(there);
      await s.until(
        "the cluster to be known",
        async () => (await condition(s, "ClusterReady"))?.severity === "Info",
      );
      await there.link("pass");
      await s.leap(1);
      await ready(s, "v1");
      assert.deepEqual(await names(there), ["a"]);
      assert.equal((await s.addon("demo"))?.metadata.annotations.ClusterAddonStage, "created");
      assert.deepEqual(
        s.stack.runs().filter(({ outcome }) => outcome === "retry" || outcome === "dead"),
        [],
      );
    },
  },
];
export { addonsOf, ClusterAddon, cluster, condition, map, names, offer, ready, Secret };
