import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { addonsOf, cluster, condition, map, names, offer, ready, SYSTEM } from "./addons.ts";
import { asking, clusterOf } from "./hooks.ts";
import { DockerClusterTemplate } from "./kinds.ts";
import { type Stage, TEAM, tag } from "./stage.ts";
import { stagedFiles } from "./staged.ts";

const CRDS: Resource = {
  ...{ group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions" },
  ...{ kind: "CustomResourceDefinition", scope: "Cluster" },
};
const POOLS: Resource = {
  ...{ group: "cni.example.org", version: "v1", plural: "pools", kind: "Pool", scope: "Cluster" },
};
/** The definition of a kind without namespaces, as a CNI's own operator brings it. */
const POOL_DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "pools.cni.example.org" },
  spec: {
    group: "cni.example.org",
    scope: "Cluster",
    names: { kind: "Pool", listKind: "PoolList", plural: "pools", singular: "pool" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
const pool = (value: string): string =>
  `apiVersion: cni.example.org/v1\nkind: Pool\nmetadata: {name: pool}\nspec: {value: "${value}"}\n`;

/** A hook of helm's that can never be changed, as the template of a Job. */
const hooked = (name: string, event: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nimmutable: true\nmetadata: {name: ${name}, annotations: {helm.sh/hook: "${event}"}}\ndata: {value: "${value}"}\n`;

const TEMPLATE = { name: "image-v1.27.3", namespace: TEAM };
/** The chart of a ClusterClass beside a template whose name all versions share. */
const sharing = (content = "same") => ({
  "templates/class.yaml":
    "apiVersion: cluster.x-k8s.io/v1beta1\nkind: ClusterClass\nmetadata: {name: '{{ .Release.Name }}-{{ .Chart.Version }}'}\n",
  "templates/image.yaml": `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: DockerClusterTemplate\nmetadata: {name: ${TEMPLATE.name}, labels: {of: ${content}}}\nspec: {template: {spec: {}}}\n`,
});
/** The version of the release that an object is marked for. */
const holderOf = (object: Obj<typeof DockerClusterTemplate> | undefined): string | undefined =>
  object?.metadata.annotations["reveille.dev/cluster-stack-release"]?.replace(`${TEAM}/${tag("")}`, "");

const [K3, K7] = ["v1.27.3", "v1.27.7"] as const;
/** Publishes releases whose stages differ in the value of a ConfigMap, and in what comes after an upgrade. */
async function published(s: Stage, versions: Readonly<Record<string, string>>): Promise<void> {
  const stages = {
    AfterControlPlaneInitialized: "  - {name: cni, action: apply}\n",
    BeforeClusterUpgrade: "  - {name: cni, action: apply}\n",
    AfterClusterUpgrade: "  - {name: tidy, action: apply}\n",
  };
  for (const [version, kubernetes] of Object.entries(versions)) {
    const charts = { cni: { cni: version }, tidy: { tidy: version } };
    s.source.put(tag(version), await stagedFiles(tag(version), { stages, charts, kubernetes }));
  }
  await s.wants({ versions: Object.keys(versions), autoSubscribe: false });
}
const demo = (s: Stage, version: string, kubernetes: string): Promise<void> =>
  s.cluster("demo", { class: tag(version), version: kubernetes });

/** Scenarios of charts, chains of releases and orders of questions that others bring. */
export const outside: readonly Scenario<Stage>[] = [
  {
    number: 35,
    name: "an object whose kind comes late, and has no namespaces, stays in an upgrade",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a"), pool("1")), v2: addonsOf(map("b"), pool("2")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      assert.match((await condition(s, "HelmChartApplied"))?.message ?? "", /Pool pool/);
      await there.client.apply(CRDS, POOL_DEFINITION.metadata, POOL_DEFINITION, { fieldManager: "operator" });
      await ready(s, "v1");
      const value = async () => (await there.client.get(POOLS, { name: "pool" }))?.spec;
      assert.deepEqual(await value(), { value: "1" });
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await value(), { value: "2" });
      assert.deepEqual(await names(there), ["b"]);
    },
  },
  {
    number: 22,
    name: "what helm would run at a deletion is never applied, and a hook that cannot be changed is made anew",
    async run(s) {
      const hooks = (value: string): readonly string[] => [
        hooked("setup", "pre-install,pre-upgrade", value),
        hooked("uninstall", "pre-delete", value),
      ];
      await offer(s, { v1: addonsOf(map("a"), ...hooks("1")), v2: addonsOf(map("a"), ...hooks("2")) });
      const there = await s.workload("demo");
      const setup = async () =>
        (await there.client.get(resourceOf(ConfigMap), { name: "setup", namespace: SYSTEM }))?.data;
      await cluster(s, "v1");
      await ready(s, "v1");
      assert.deepEqual(await names(there), ["a", "setup"]);
      await cluster(s, "v2");
      await ready(s, "v2");
      assert.deepEqual(await names(there), ["a", "setup"]);
      assert.deepEqual(await setup(), { value: "2" });
    },
  },
  {
    number: 5,
    name: "an object that two releases bring stays with the one that stays",
    async run(s) {
      for (const version of ["v1", "v2"])
        s.source.put(tag(version), await releaseFiles(tag(version), { templates: sharing() }));
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      await s.leap(30);
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      const first = await s.get(DockerClusterTemplate, TEMPLATE);
      assert.deepEqual([holderOf(first), (await s.release("v2"))?.status?.ready], ["v1", true]);
      // Both look for drift, and find it as they want it.
      await s.leap(61);
      const second = await s.get(DockerClusterTemplate, TEMPLATE);
      assert.equal(second?.metadata.resourceVersion, first?.metadata.resourceVersion);
      await s.wants({ versions: ["v2"], autoSubscribe: false });
      assert.deepEqual(await s.there(), ["v2"]);
      const kept = await s.get(DockerClusterTemplate, TEMPLATE);
      assert.deepEqual([kept?.metadata.uid, holderOf(kept)], [first?.metadata.uid, "v2"]);
    },
  },
  {
    number: 5,
    name: "an object that two releases bring otherwise is the first one's until that lets go",
    async run(s) {
      for (const version of ["v1", "v2"])
        s.source.put(tag(version), await releaseFiles(tag(version), { templates: sharing(version) }));
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      const first = await s.get(DockerClusterTemplate, TEMPLATE);
      for (const minutes of [1, 61, 61]) {
        await s.leap(minutes);
        const now = await s.get(DockerClusterTemplate, TEMPLATE);
        assert.deepEqual(
          [holderOf(now), now?.metadata.resourceVersion],
          ["v1", first?.metadata.resourceVersion],
        );
      }
      const { ready, conditions, resources } = (await s.release("v2"))?.status ?? {};
      // Else nobody could leave the first one for it.
      assert.equal(ready, true);
      const told = `it is of the release ${TEAM}/${tag("v1")}, and is otherwise than this release brings it`;
      const entry = resources?.find(({ name }) => name === TEMPLATE.name);
      assert.ok(entry?.status === "not-synced" && entry.error?.startsWith(told), JSON.stringify(entry));
      const said = conditions?.find(({ type }) => type === "HelmChartApplied")?.message;
      assert.match(said ?? "", /^1 objects are as another release has them, DockerClusterTemplate image/);
      assert.equal((await s.release("v1"))?.status?.ready, true);
      // No time passes: whoever waits hears of it.
      await s.wants({ versions: ["v2"], autoSubscribe: false });
      const heirs = await s.get(DockerClusterTemplate, TEMPLATE);
      assert.deepEqual([holderOf(heirs), heirs?.metadata.labels.of], ["v2", "v2"]);
      const after = (await s.release("v2"))?.status;
      assert.ok(after?.resources?.every(({ status }) => status === "synced"));
      assert.ok(after?.conditions?.every(({ message = "" }) => message === ""));
    },
  },
  {
    number: 32,
    name: "a class that is taken back before Cluster API asks leaves no complaint behind",
    async run(s) {
      await published(s, { v1: K3, v2: K7 });
      await s.workload("demo");
      await demo(s, "v1", K3);
      await ready(s, "v1");
      await demo(s, "v2", K7);
      assert.equal((await condition(s, "Ready"))?.reason, "HookServerUnresponsive");
      await demo(s, "v1", K3);
      await ready(s, "v1");
      assert.equal((await condition(s, "Ready"))?.status, "True");
    },
  },
  {
    number: 29,
    name: "what comes after an upgrade is done when that alone was asked for",
    async run(s) {
      await published(s, { v1: K3, v2: K7 });
      const there = await s.workload("demo");
      await s.settled();
      await demo(s, "v1", K3);
      await ready(s, "v1");
      await demo(s, "v2", K7);
      const ask = asking(s.stack.client);
      const asked = await ask("AfterClusterUpgrade", clusterOf("demo", tag("v2"), K7));
      assert.equal(asked.status, "Success");
      await s.until("the last stage", async () => {
        const { spec, status } = (await s.addon("demo")) ?? {};
        return status?.ready === true && status.target?.hook === "AfterClusterUpgrade" && !spec?.hook;
      });
      for (const name of ["cni", "tidy"]) {
        const found = await there.client.get(resourceOf(ConfigMap), { name, namespace: SYSTEM });
        assert.equal((found?.data as { value?: string } | undefined)?.value, "v2");
      }
    },
  },
  {
    number: 33,
    name: "a class that is taken back while the leftovers of another go is installed again",
    async run(s) {
      const stages = {
        AfterControlPlaneInitialized: "  - {name: cni, action: apply}\n",
        BeforeClusterUpgrade: "  - {name: cni, action: apply}\n",
      };
      for (const [version, maps] of Object.entries({ v1: { cni: "1", held: "1" }, v2: { cni: "2" } }))
        s.source.put(
          tag(version),
          await stagedFiles(tag(version), { stages, charts: { cni: maps }, kubernetes: K3 }),
        );
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      const there = await s.workload("demo");
      await s.settled();
      await demo(s, "v1", K3);
      await ready(s, "v1");
      const held = { name: "held", namespace: SYSTEM };
      const finalizers = (names: readonly string[] | null) =>
        there.client.patch(
          resourceOf(ConfigMap),
          held,
          "merge",
          { metadata: { finalizers: names } },
          { fieldManager: "user" },
        );
      await finalizers(["example.org/held"]);
      await demo(s, "v2", K3);
      await s.until("the leftovers to go", async () => {
        const { metadata } = (await there.client.get(resourceOf(ConfigMap), held)) ?? {};
        return metadata?.deletionTimestamp !== undefined;
      });
      await s.settled();
      await demo(s, "v1", K3);
      await s.until("it to say that one is still going", async () => {
        const { status } = (await s.addon("demo")) ?? {};
        return (
          status?.resources?.find(({ name }) => name === "held")?.error?.includes("being deleted") ?? false
        );
      });
      await finalizers(null);
      await ready(s, "v1");
      for (const name of ["cni", "held"]) {
        const found = await there.client.get(resourceOf(ConfigMap), { name, namespace: SYSTEM });
        assert.equal(found?.metadata.deletionTimestamp, undefined);
        assert.equal((found?.data as { value?: string } | undefined)?.value, "1");
      }
    },
  },
];
