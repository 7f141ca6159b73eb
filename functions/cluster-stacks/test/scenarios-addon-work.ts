import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Namespace } from "../../../shared/kube/kinds/index.ts";
import { Cluster, ClusterAddon } from "../kinds/index.ts";
import { addonsOf, cluster, condition, map, names, offer, ready, SYSTEM, secret } from "./addons.ts";
import { DockerCluster } from "./kinds.ts";
import { type Stage, TEAM, tag } from "./stage.ts";

const MAPS = resourceOf(ConfigMap);
const namespace = (name: string): string => `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n`;
const at = { name: "cluster-addon-demo", namespace: TEAM };
const states = async (s: Stage): Promise<readonly string[]> =>
  ((await s.addon("demo"))?.status?.resources ?? []).map(({ name, status }) => `${name} ${status}`).sort();

/** One chart: taken back, refused, waiting for its own kinds, taken over. 22, 25, 32, 34, 35. */
export const addonWork: readonly Scenario<Stage>[] = [
  {
    number: 25,
    name: "a class that is taken back takes its objects along, and never a Namespace",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")), v2: addonsOf(map("a"), map("b"), namespace("extra")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      await cluster(s, "v2");
      await ready(s, "v2");
      await cluster(s, "v1");
      await ready(s, "v1");
      assert.deepEqual(await names(there), ["a"]);
      assert.ok(await there.client.get(resourceOf(Namespace), { name: "extra" }));
      assert.match(
        (await s.warnings("ObjectLeft"))[0]?.message ?? "",
        /^Namespace extra .*others may keep data/,
      );
      assert.deepEqual(await states(s), ["a synced"]);
    },
  },
  {
    number: 32,
    name: "a release that can never be applied is told as such, and a fixed one takes its place",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a"), secret("broken")), v2: addonsOf(map("a"), map("b")) });
      const there = await s.workload("demo");
      s.refuseThere({ kind: "Secret", as: "invalid" });
      await cluster(s, "v1");
      await s.until(
        "the refusal",
        async () => (await condition(s, "HelmChartApplied"))?.severity === "Error",
      );
      const told = await condition(s, "HelmChartApplied");
      assert.deepEqual([told?.reason, told?.severity], ["FailedToApplyObjects", "Error"]);
      assert.match(
        told?.message ?? "",
        /^1 of 2 objects are not applied, Secret broken: .*not tried again by itself/,
      );
      assert.deepEqual(await states(s), ["a synced", "broken not-synced"]);
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["a", "b"]);
      assert.deepEqual(await states(s), ["a synced", "b synced"]);
    },
  },
  {
    number: 34,
    name: "values that change before a stage is done are rendered anew, and afterwards no more",
    async run(s) {
      const values = "values: |\n  host: {{ .InfraCluster.spec.loadBalancer }}\n";
      const host = map("host", "{{ .Values.host }}");
      await offer(s, { v1: { addons: { "templates/all.yaml": `${host}---\n${secret("late")}` }, values } });
      const there = await s.workload("demo");
      const hosts = async () => (await there.client.get(MAPS, { name: "host", namespace: SYSTEM }))?.data;
      const moves = (loadBalancer: string): Promise<void> =>
        s.put(DockerCluster, { name: "demo", namespace: TEAM }, { spec: { loadBalancer } });
      s.refuseThere({ kind: "Secret", as: "invalid" });
      await cluster(s, "v1");
      await s.until("it to be half done", async () => (await hosts()) !== undefined);
      assert.deepEqual(await hosts(), { value: "demo" });
      await moves("other");
      await s.until(
        "the change to arrive",
        async () => JSON.stringify(await hosts()) === '{"value":"other"}',
      );
      s.refuseThere(undefined);
      await moves("third");
      await ready(s, "v1");
      assert.deepEqual(await hosts(), { value: "third" });
      await moves("fourth");
      await s.settled();
      assert.deepEqual(await hosts(), { value: "third" });
    },
  },
  {
    number: 22,
    name: "addons that upstream's operator installed are upgraded by its record",
    async run(s) {
      await offer(s, {
        v1: addonsOf(map("same"), map("gone")),
        v2: addonsOf(map("same"), map("mine")),
        v3: addonsOf(map("same", "3"), map("mine")),
      });
      const there = await s.workload("demo");
      const labels = { "clusterstack.x-k8s.io/instance": "owned" };
      const applied = (name: string, fieldManager: string, fields: object, more: object = {}) =>
        there.client.apply(
          MAPS,
          { name, namespace: SYSTEM },
          { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: SYSTEM, ...more }, ...fields },
          { fieldManager },
        );
      const upstreams = { data: { value: "1", dropped: "1" } };
      for (const name of ["same", "gone"]) await applied(name, "kubectl", upstreams, { labels });
      // A person applied one of the same name, and another person added a key.
      await applied("mine", "kubectl", { data: { value: "1", kept: "1" } });
      await applied("same", "somebody", { data: { added: "1" } });
      const read = async (name: string) => there.client.get(MAPS, { name, namespace: SYSTEM });
      const appliers = async (name: string) =>
        ((await read(name))?.metadata.managedFields ?? []).map(({ manager }) => manager).sort();
      const spec = { clusterRef: { kind: "Cluster", name: "demo" }, clusterStack: tag("v1"), version: "v1" };
      await s.put(ClusterAddon, at, { spec });
      const resources = ["same", "gone"].map((name) => ({
        ...{ group: "", version: "v1", kind: "ConfigMap", name, namespace: SYSTEM, status: "synced" },
      }));
      await s.stack.client.patch(
        resourceOf(ClusterAddon),
        at,
        "merge",
        { status: { ready: true, resources } },
        { fieldManager: "manager", subresource: "status" },
      );
      s.asked();
      await cluster(s, "v1");
      assert.deepEqual(
        s.asked().filter(({ write }) => write),
        [],
      );
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["mine", "same"]);
      assert.equal((await s.addon("demo"))?.metadata.annotations.ClusterAddonStage, "upgraded");
      assert.deepEqual((await read("same"))?.data, { value: "1", added: "1" });
      assert.deepEqual(await appliers("same"), ["reveille-cluster-addons", "somebody"]);
      assert.deepEqual((await read("mine"))?.data, { value: "1", kept: "1" }, "it was not upstream's");
      await applied("same", "kubectl", { data: { later: "1" } });
      await cluster(s, "v3");
      await ready(s, "v3");
      assert.deepEqual((await read("same"))?.data, { value: "3", added: "1", later: "1" });
    },
  },
  {
    number: 35,
    name: "objects of a kind that the chart itself brings wait for it",
    async run(s) {
      const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pools.net.example.org}
spec:
  group: net.example.org
  scope: Cluster
  names: {kind: Pool, plural: pools, singular: pool, listKind: PoolList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
      const pool = "apiVersion: net.example.org/v1\nkind: Pool\nmetadata:\n  name: main\nspec: {size: 3}\n";
      await offer(s, { v1: { addons: { "crds/pool.yaml": crd, "templates/pool.yaml": pool } } });
      const there = await s.workload("demo");
      s.refuseThere({ kind: "CustomResourceDefinition", as: "unavailable" });
      await cluster(s, "v1");
      const waiting = "main not-synced,pools.net.example.org not-synced";
      await s.until("both to be tried", async () => (await states(s)).join() === waiting);
      s.refuseThere(undefined);
      await s.leap(1);
      await ready(s, "v1");
      assert.deepEqual(
        (await s.addon("demo"))?.status?.resources
          ?.map(({ name, status, error, namespace: of }) => [name, status, error, of])
          .sort(),
        [
          ["main", "synced", undefined, undefined],
          ["pools.net.example.org", "synced", undefined, undefined],
        ],
      );
      const pools = {
        group: "net.example.org",
        version: "v1",
        kind: "Pool",
        plural: "pools",
        scope: "Cluster",
      } as const;
      assert.deepEqual((await there.client.get(pools, { name: "main" }))?.spec, { size: 3 });
    },
  },
];

/** Clusters of other namespaces, and such that hang, go, pause, or leave: 19, 26, 36, 37. */
export const addonClusters: readonly Scenario<Stage>[] = [
  {
    number: 19,
    name: "a Cluster gets the addons of a class that lies in another namespace",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")), v2: addonsOf(map("b")) });
      const there = await s.workload("demo", { namespace: "t1" });
      const has = async (version: string): Promise<void> => {
        await s.cluster("demo", { class: tag(version), classNamespace: TEAM, version: "v1.27.3" }, "t1");
        await s.until(`the addons of ${version}`, async () => {
          const found = await s.get(ClusterAddon, { name: "cluster-addon-demo", namespace: "t1" });
          return found?.status?.ready === true && found.spec?.clusterStack === tag(version);
        });
      };
      await has("v1");
      assert.deepEqual(await names(there), ["a"]);
      await has("v2");
      assert.deepEqual(await names(there), ["b"]);
      assert.equal(await s.addon("demo"), undefined, "it stands beside its Cluster");
    },
  },
  {
    number: 26,
    name: "values are made of the Cluster's live objects, and one that is missing is waited for",
    async run(s) {
      const values =
        "values: |\n  host: {{ .InfraCluster.spec.loadBalancer }}.{{ .Cluster.metadata.name }}\n";
      await offer(s, { v1: { addons: { "templates/all.yaml": map("host", "{{ .Values.host }}") }, values } });
      const there = await s.workload("demo");
      await cluster(s, "v1", { infrastructure: false });
      await s.until(
        "it to be told",
        async () =>
          (await condition(s, "HelmChartTemplated"))?.reason === "TemplateNewClusterStackOverwriteFailed",
      );
      const told = await condition(s, "HelmChartTemplated");
      assert.match(
        told?.message ?? "",
        /^DockerCluster demo, which spec.infrastructureRef names, is not there/,
      );
      await s.put(DockerCluster, { name: "demo", namespace: TEAM }, { spec: { loadBalancer: "lb" } });
      await ready(s, "v1");
      const host = await there.client.get(MAPS, { name: "host", namespace: SYSTEM });
      assert.deepEqual(host?.data, { value: "lb.demo" });
    },
  },
  {
    number: 36,
    name: "a workload cluster that hangs is told as such, and delays no other",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")) });
      const [hanging, there] = [await s.workload("hanging"), await s.workload("brisk")];
      await hanging.link("stall");
      // The other one waits for nobody whose patience has to end.
      await s.holding(async () => {
        await cluster(s, "v1", { name: "hanging", settle: false });
        await cluster(s, "v1", { name: "brisk", settle: false });
        await eventually(
          "the other to be done",
          async () => (await s.addon("brisk"))?.status?.ready === true,
        );
      });
      assert.deepEqual(await names(there), ["a"]);
      await s.until(
        "it to be told",
        async () => (await condition(s, "ClusterReady", "hanging"))?.status === "False",
      );
      await hanging.link("pass");
      await s.leap(6);
      await ready(s, "v1", "hanging");
    },
  },
  {
    number: 36,
    name: "fifty workload clusters are upgraded in their usual time beside one that hangs",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")), v2: addonsOf(map("b")), v3: addonsOf(map("c")) });
      const others = Array.from({ length: 50 }, (_, index) => `other-${index}`);
      const hanging = await s.workload("hanging");
      for (const name of others) await s.workload(name);
      const areReady = async (version: string) =>
        (await s.list(ClusterAddon, TEAM)).filter(
          ({ spec, status }) => status?.ready === true && spec?.clusterStack === tag(version),
        ).length;
      /** The time until all but the one have the addons of a version, whatever becomes of that one. */
      const upgraded = async (version: string): Promise<number> => {
        const began = performance.now();
        await Promise.all(["hanging", ...others].map((name) => cluster(s, version, { name, settle: false })));
        await eventually(
          `fifty clusters with ${version}`,
          async () => (await areReady(version)) >= others.length,
        );
        return performance.now() - began;
      };
      await upgraded("v1");
      await ready(s, "v1", "hanging");
      const usual = await upgraded("v2");
      await ready(s, "v2", "hanging");
      await hanging.link("stall");
      const beside = await upgraded("v3");
      assert.ok(beside < 2 * usual + 5_000, `${beside} ms beside it, ${usual} ms without`);
      await s.until(
        "it to be told",
        async () => (await condition(s, "ClusterReady", "hanging"))?.status === "False",
      );
      await hanging.link("pass");
      await s.leap(6);
      await ready(s, "v3", "hanging");
    },
  },
  {
    number: 37,
    name: "a ClusterAddon that is deleted works on while its Cluster lives, and is made again where it is gone",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")), v2: addonsOf(map("b")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      await s.remove(ClusterAddon, at);
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["b"]);
      const before = await s.addon("demo");
      assert.ok(before?.metadata.deletionTimestamp);
      await s.stack.client.patch(
        resourceOf(ClusterAddon),
        at,
        "merge",
        { metadata: { finalizers: null } },
        { fieldManager: "user" },
      );
      await s.until("another one", async () => {
        const found = await s.addon("demo");
        return found !== undefined && found.metadata.uid !== before?.metadata.uid;
      });
      await ready(s, "v2");
    },
  },
  {
    number: 37,
    name: "the ClusterAddon goes with its Cluster, and with a class of a stack; what is installed stays",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      await s.put(Cluster, { name: "demo", namespace: TEAM }, { spec: { topology: { class: "my-own" } } });
      await s.until("it to go", async () => (await s.addon("demo")) === undefined);
      await cluster(s, "v1");
      await ready(s, "v1");
      await s.remove(Cluster, { name: "demo", namespace: TEAM });
      await s.until("it to go", async () => (await s.addon("demo")) === undefined);
      assert.deepEqual(await names(there), ["a"]);
    },
  },
  {
    number: 37,
    name: "the addons of a paused Cluster are left alone until it goes on",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")), v2: addonsOf(map("b")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      await cluster(s, "v2", { paused: true });
      assert.deepEqual(await names(there), ["a"]);
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["b"]);
    },
  },
];
