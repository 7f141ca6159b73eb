import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { Event } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { Cluster, ClusterAddon, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { ProviderRelease, ProviderTemplate } from "./kinds.ts";
import { type Stage, TEAM, tag } from "./stage.ts";

/** The template of the scenarios' provider. */
export const TEMPLATE = {
  apiVersion: "infrastructure.clusterstack.x-k8s.io/v1alpha1",
  kind: "TestInfrastructureProviderClusterStackReleaseTemplate",
  name: "images",
} as const;
export const WITH_PROVIDER = { noProvider: false, providerRef: TEMPLATE } as const;

/** Creates the provider's template. */
export const template = (s: Stage, nodeImages: readonly string[] = ["ubuntu"]): Promise<void> =>
  s.put(
    ProviderTemplate,
    { name: TEMPLATE.name, namespace: TEAM },
    { spec: { template: { spec: { nodeImages } } } },
  );

/** The names of the objects that releases of these versions bring, as `classes` gives them. */
const classesOf = (...versions: readonly string[]): readonly string[] => [
  ...versions.map((version) => `ClusterClass ${version}`),
  ...versions.map((version) => `DockerClusterTemplate ${version}-cluster`),
];

/** Three releases that are ready. */
async function threeReady(s: Stage): Promise<void> {
  await s.publish("v1", "v2", "v3");
  await s.wants({ versions: ["v1", "v2", "v3"], autoSubscribe: false });
  assert.equal((await s.says()).usableVersions, "v1, v2, v3");
}

/** The set of releases: 1 to 5, 18 to 20. */
export const releaseSet: readonly Scenario<Stage>[] = [
  {
    number: 1,
    name: "the newest ready release stays beside the latest, and what nobody needs goes",
    async run(s) {
      await s.publish("v1", "v2", "v4");
      s.source.put(tag("v3"), { "metadata.yaml": "nonsense" });
      s.source.lists([tag("v1"), tag("v2"), tag("v3")]);
      await s.wants({ versions: ["v1", "v2", "v3"], autoSubscribe: false });
      await s.cluster("demo", { class: tag("v2") });
      await s.wants({ versions: ["v4"], autoSubscribe: true });
      assert.deepEqual(await s.there(), ["v2", "v3", "v4"]);
      const { usableVersions, latestRelease, summary } = await s.says();
      assert.equal(usableVersions, "v2, v4");
      assert.equal(latestRelease, `${tag("v4")} | v1.27.3`);
      assert.deepEqual(
        summary?.map(({ name, ready, phase, message }) => [name, ready, phase, message]),
        [
          ["v2", true, "done", undefined],
          ["v3", false, "applying objects", "IssueWithReleaseAssets"],
          ["v4", true, "done", undefined],
        ],
      );
      assert.deepEqual(await s.classes(), classesOf("v2", "v4"));
    },
  },
  {
    number: 2,
    name: "what is wished for by name comes, though the source does not list it, and what nobody needs goes",
    async run(s) {
      await threeReady(s);
      await s.cluster("demo", { class: tag("v3") });
      await s.publish("v4");
      s.source.lists([tag("v1"), tag("v2"), tag("v3")]);
      await s.wants({ versions: ["v4"], autoSubscribe: true });
      assert.deepEqual(await s.there(), ["v3", "v4"]);
      assert.equal((await s.says()).usableVersions, "v3, v4");
      assert.deepEqual(await s.classes(), classesOf("v3", "v4"));
    },
  },
  {
    number: 3,
    name: "what a Cluster uses stays beside the newest",
    async run(s) {
      await threeReady(s);
      await s.publish("v4");
      await s.cluster("demo", { class: tag("v3") });
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: true });
      assert.deepEqual(await s.there(), ["v1", "v2", "v3", "v4"]);
      await s.wants({ versions: [], autoSubscribe: true });
      assert.deepEqual(await s.there(), ["v3", "v4"]);
      const { usableVersions, latestRelease } = await s.says();
      assert.deepEqual([usableVersions, latestRelease], ["v3, v4", `${tag("v4")} | v1.27.3`]);
      assert.deepEqual(await s.classes(), classesOf("v3", "v4"));
    },
  },
  {
    number: 4,
    name: "a version by name is one release, without a provider and without a look at the list",
    async run(s) {
      await s.publish("v1", "v2");
      const lists = () => s.source.asked.filter((question) => question.startsWith("list ")).length;
      const before = lists();
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      assert.deepEqual(await s.there(), ["v1"]);
      const release = await s.release("v1");
      assert.equal(release?.spec?.providerRef, undefined);
      assert.equal(release?.status?.ready, true);
      assert.equal(release?.status?.kubernetesVersion, "v1.27.3");
      assert.equal(lists(), before, "nobody asked for the list");
      assert.deepEqual(await s.classes(), classesOf("v1"));
      assert.equal((await s.says()).conditions?.[0]?.status, "True");
    },
  },
  {
    number: 11,
    name: "a release that the server does not take is told by an Event, and comes with the next wish",
    async run(s) {
      await s.publish("v1", "v2");
      s.refuse({ kind: ClusterStackRelease, as: "invalid" });
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      const told = (await s.list(Event)).filter(
        ({ reason }) => reason === "ErrorCreatingClusterStackRelease",
      );
      assert.match(told[0]?.message ?? "", /^docker-ferrol-1-27-v1: /);
      s.refuse(undefined);
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      assert.deepEqual(await s.there(), ["v1", "v2"]);
    },
  },
  {
    number: 5,
    name: "two versions with a provider are two releases and its two objects; one that is taken out goes with all it brought",
    async run(s) {
      await s.publish("v1", "v2");
      await template(s);
      await s.wants({ ...WITH_PROVIDER, versions: ["v1", "v2"], autoSubscribe: false });
      for (const version of ["v1", "v2"]) await s.provide(version, true);
      assert.deepEqual(await s.there(), ["v1", "v2"]);
      assert.equal((await s.list(ProviderRelease, TEAM)).length, 2);
      await s.wants({ ...WITH_PROVIDER, versions: ["v1"], autoSubscribe: false });
      // The newest that is ready stays: it is what new Clusters are offered.
      assert.deepEqual(await s.there(), ["v1", "v2"]);
      await s.provide("v2", false);
      assert.deepEqual(await s.there(), ["v1"]);
      assert.deepEqual(await s.classes(), ["ClusterClass v1", "DockerClusterTemplate v1-cluster"]);
      // The server takes what is owned along, in its own time.
      await s.until("the provider's object to go", async () => {
        const left = await s.list(ProviderRelease, TEAM);
        return left.map(({ metadata }) => metadata.name).join() === tag("v1");
      });
    },
  },
  {
    number: 18,
    name: "a hash whose dotted class is in use stays when a newer one is published",
    async run(s) {
      await s.publish("v0-sha-aaa");
      await s.wants({ channel: "custom" });
      await s.cluster("demo", { class: tag("v0-sha.aaa"), version: "v1.27.3" });
      s.source.put(tag("v0-sha-bbb"), await releaseFiles(tag("v0-sha-bbb")), {
        publishedAt: "2024-02-01T00:00:00Z",
      });
      await s.leap(6);
      await s.until("the newer one to be there", async () => (await s.there()).length === 2);
      assert.deepEqual(await s.there(), ["v0-sha-aaa", "v0-sha-bbb"]);
      assert.equal((await s.says()).latestRelease, `${tag("v0-sha-bbb")} | v1.27.3`);
      await s.remove(ClusterStack, { name: "ferrol", namespace: TEAM });
      await s.until(
        "its releases to be on their way out",
        async () =>
          (await s.there()).join() === "v0-sha-aaa" &&
          (await s.release("v0-sha-aaa"))?.metadata.deletionTimestamp !== undefined,
      );
      assert.deepEqual(await s.classes(), [
        "ClusterClass v0-sha.aaa",
        "DockerClusterTemplate v0-sha.aaa-cluster",
      ]);
      await s.remove(Cluster, { name: "demo", namespace: TEAM });
      await s.until("the release to go with its last user", async () => (await s.there()).length === 0);
      assert.deepEqual(await s.classes(), []);
    },
  },
  {
    number: 19,
    name: "a Cluster of another namespace that names the class holds its release",
    async run(s) {
      await s.publish("v1", "v2");
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      await s.cluster("demo", { class: tag("v1"), classNamespace: TEAM }, "t1");
      await s.wants({ versions: ["v2"], autoSubscribe: false });
      assert.deepEqual(await s.there(), ["v1", "v2"]);
      await s.cluster("demo", { class: tag("v2"), classNamespace: TEAM }, "t1");
      assert.deepEqual(await s.there(), ["v2"]);
    },
  },
  {
    number: 19,
    name: "addons that are still installed hold their release",
    async run(s) {
      await s.publish("v1", "v2");
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      const spec = { clusterRef: { kind: "Cluster", name: "demo" }, clusterStack: tag("v1") };
      await s.put(ClusterAddon, { name: "cluster-addon-demo", namespace: TEAM }, { spec });
      await s.wants({ versions: ["v2"], autoSubscribe: false });
      assert.deepEqual(await s.there(), ["v1", "v2"]);
      await s.put(
        ClusterAddon,
        { name: "cluster-addon-demo", namespace: TEAM },
        { spec: { ...spec, clusterStack: tag("v2") } },
      );
      await s.settled();
      assert.deepEqual(await s.there(), ["v2"]);
    },
  },
  {
    number: 19,
    name: "a release that is deleted stays as long as addons of it are installed, and goes when they do",
    async run(s) {
      await s.publish("v1", "v2");
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      const has = (name: string, version: string): Promise<void> =>
        s.put(
          ClusterAddon,
          { name: `cluster-addon-${name}`, namespace: TEAM },
          { spec: { clusterRef: { kind: "Cluster", name }, clusterStack: tag(version) } },
        );
      for (const name of ["demo", "other"]) await has(name, "v1");
      await s.remove(ClusterStack, { name: "ferrol", namespace: TEAM });
      await s.remove(ClusterStackRelease, { name: tag("v1"), namespace: TEAM });
      await s.settled();
      assert.ok((await s.release("v1"))?.metadata.deletionTimestamp !== undefined);
      await has("demo", "v2");
      await s.settled();
      assert.ok((await s.classes()).includes("ClusterClass v1"), "the other has it still");
      await has("other", "v2");
      await s.settled();
      assert.deepEqual([await s.there(), await s.classes()], [[], []]);
    },
  },
  {
    number: 20,
    name: "a Cluster that comes to use a release which is going keeps its class",
    async run(s) {
      await s.publish("v1", "v2");
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      await Promise.all([
        s.wants({ versions: ["v2"], autoSubscribe: false }),
        s.cluster("demo", { class: tag("v1") }),
      ]);
      await s.settled();
      const release = await s.release("v1");
      if (release === undefined) assert.ok(!(await s.classes()).includes("ClusterClass v1"));
      else
        assert.ok((await s.classes()).includes("ClusterClass v1"), "a release that is there has its class");
    },
  },
];
