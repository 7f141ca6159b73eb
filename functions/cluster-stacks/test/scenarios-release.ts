import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Event } from "../../../shared/kube/kinds/index.ts";
import {
  archiveNames,
  classArchive,
  metadataFile,
  packed,
  releaseFiles,
} from "../decide/assets/test-release.ts";
import { ClusterClass, ClusterStack, ClusterStackRelease } from "../kinds/index.ts";
import { DockerCluster, DockerClusterTemplate, ProviderRelease } from "./kinds.ts";
import { template, WITH_PROVIDER } from "./scenarios-release-set.ts";
import { type Stage, TEAM, tag } from "./stage.ts";

const ONE = { versions: ["v1"], autoSubscribe: false } as const;
const condition = async (s: Stage, type: string) =>
  (await s.release("v1"))?.status?.conditions?.find((one) => one.type === type);
const phase = async (s: Stage): Promise<string | undefined> => (await s.says()).summary?.[0]?.phase;
const states = async (s: Stage): Promise<readonly string[]> =>
  ((await s.release("v1"))?.status?.resources ?? []).map(({ kind, status }) => `${kind} ${status}`);

const templateOf = (kind: string, apiVersion: string, name: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec: {a: 1}\n`;

/** One release: its assets, its provider, its objects. 13 to 17 and 21. */
export const release: readonly Scenario<Stage>[] = [
  {
    number: 13,
    name: "each fault of the assets is a sentence, and a corrected upload recovers",
    async run(s) {
      const { cluster, addon } = archiveNames(tag("v1"));
      const good = await releaseFiles(tag("v1"));
      const chart = await classArchive(tag("v1"));
      const faults: readonly (readonly [files: typeof good, sentence: RegExp])[] = [
        [{ ...good, [cluster]: chart.subarray(0, 99) }, /cannot be unpacked/],
        [{ ...good, "metadata.yaml": metadataFile(tag("v1"), { stack: "v2" }) }, /clusterStack: it is v2/],
        [{ ...good, [addon]: await packed({ "../x": "y" }) }, /leads out of it/],
        [
          Object.fromEntries(Object.entries(good).filter(([name]) => name !== cluster)),
          /cluster-class-v1.tgz: it is missing/,
        ],
        [
          { ...good, "cluster-addon-values.yaml": "x: {{ now }}\n" },
          /cluster-addon-values.yaml.*reads the clock/,
        ],
      ];
      s.source.put(tag("v1"), good);
      s.source.damages(tag("v1"), "its digest is another than the source says");
      await s.wants(ONE);
      assert.match((await condition(s, "Ready"))?.message ?? "", /^its digest is another/);
      s.source.damages(tag("v1"));
      for (const [files, sentence] of faults) {
        s.source.put(tag("v1"), files);
        await s.leap(11);
        await s.until(`${sentence}`, async () => sentence.test((await condition(s, "Ready"))?.message ?? ""));
        const found = await condition(s, "ClusterStackReleaseDownloaded");
        assert.deepEqual([found?.reason, found?.severity], ["IssueWithReleaseAssets", "Error"]);
      }
      s.source.put(tag("v1"), good);
      await s.leap(11);
      await s.until("it to recover", async () => (await s.release("v1"))?.status?.ready === true);
    },
  },
  {
    number: 13,
    name: "a chart whose ClusterClass has another name than Clusters would ask for is not offered",
    async run(s) {
      const templates = {
        "templates/class.yaml":
          "apiVersion: cluster.x-k8s.io/v1beta1\nkind: ClusterClass\nmetadata: {name: mine}\nspec: {}\n",
      };
      s.source.put(tag("v1"), await releaseFiles(tag("v1"), { templates }));
      await s.wants(ONE);
      assert.match(
        (await condition(s, "HelmChartApplied"))?.message ?? "",
        /it makes the ClusterClass mine; Clusters would name docker-ferrol-1-27-v1$/,
      );
      assert.equal((await s.says()).usableVersions ?? "", "");
      assert.deepEqual(await s.classes(), []);
    },
  },
  {
    number: 13,
    name: "content that changes after it was applied is told, and not applied",
    async run(s) {
      await s.publish("v1");
      await s.wants(ONE);
      s.source.put(tag("v1"), await releaseFiles(tag("v1"), { kubernetes: "v1.27.9" }));
      await s.leap(61);
      await s.until("the change to be told", async () => (await condition(s, "Ready"))?.status === "False");
      assert.match((await condition(s, "Ready"))?.message ?? "", /another than the one that was applied/);
      assert.equal((await s.release("v1"))?.status?.kubernetesVersion, "v1.27.3");
      assert.equal((await s.says()).usableVersions, "");
      assert.deepEqual(await s.classes(), ["ClusterClass v1", "DockerClusterTemplate v1-cluster"]);
    },
  },
  {
    number: 14,
    name: "nothing of the chart exists before the provider is ready; then the ClusterClass comes last",
    async run(s) {
      await template(s);
      await s.wants({ ...ONE, ...WITH_PROVIDER });
      assert.equal(await phase(s), "downloading release assets");
      await s.publish("v1");
      await s.leap(11);
      await s.until("the assets to be there", async () => (await phase(s)) === "provider-specific work");
      assert.deepEqual(await s.classes(), []);
      const [object] = await s.list(ProviderRelease, TEAM);
      assert.deepEqual(object?.spec, { nodeImages: ["ubuntu"] });
      assert.deepEqual(
        object?.metadata.ownerReferences.map(({ kind, controller }) => [kind, controller]),
        [["ClusterStackRelease", true]],
      );
      s.refuse({ kind: DockerClusterTemplate, as: "unavailable" });
      await s.provide("v1", true);
      assert.equal(await phase(s), "applying objects");
      assert.equal((await s.release("v1"))?.status?.ready, false);
      s.refuse(undefined);
      await s.leap(1);
      await s.until("it to be ready", async () => (await phase(s)) === "done");
      assert.equal((await s.release("v1"))?.status?.ready, true);
      await s.publish("v2");
      await s.wants({ ...WITH_PROVIDER, versions: ["v1", "v2"], autoSubscribe: false });
      await s.provide("v2", true);
      assert.deepEqual(await s.classes(), [
        ...["ClusterClass v1", "ClusterClass v2"],
        ...["DockerClusterTemplate v1-cluster", "DockerClusterTemplate v2-cluster"],
      ]);
      const madeAt = async (kind: Kind, name: string): Promise<bigint> =>
        BigInt((await s.get(kind, { name, namespace: TEAM }))?.metadata.resourceVersion ?? "");
      assert.ok(
        (await madeAt(ClusterClass, tag("v2"))) >
          (await madeAt(DockerClusterTemplate, `${tag("v2")}-cluster`)),
        "the ClusterClass came last",
      );
    },
  },
  {
    number: 15,
    name: "a provider that is not ready any more takes its version from the usable ones, and no class",
    async run(s) {
      await s.publish("v1");
      await template(s);
      await s.wants({ ...ONE, ...WITH_PROVIDER });
      await s.provide("v1", true);
      assert.equal((await s.says()).usableVersions, "v1");
      await s.provide("v1", false);
      await s.until("the version to go", async () => (await s.says()).usableVersions === "");
      assert.equal((await s.release("v1"))?.status?.ready, false);
      assert.deepEqual(await s.classes(), ["ClusterClass v1", "DockerClusterTemplate v1-cluster"]);
      await s.provide("v1", true);
      await s.until("it to come again", async () => (await s.says()).usableVersions === "v1");
    },
  },
  {
    number: 15,
    name: "a template that is not there is told, and what it says reaches the provider's objects",
    async run(s) {
      await s.publish("v1");
      await s.wants({ ...ONE, ...WITH_PROVIDER });
      const told = (await s.says()).conditions?.find(
        ({ type }) => type === "ProviderClusterStackReleasesSynced",
      );
      assert.deepEqual([told?.reason, told?.severity], ["ProviderTemplateNotFound", "Error"]);
      assert.deepEqual(await s.there(), []);
      await template(s);
      await s.until("the release", async () => (await s.list(ProviderRelease, TEAM)).length === 1);
      await template(s, ["ubuntu", "flatcar"]);
      await s.until("the change to arrive", async () => {
        const [object] = await s.list(ProviderRelease, TEAM);
        return JSON.stringify(object?.spec) === '{"nodeImages":["ubuntu","flatcar"]}';
      });
      await s.until("both to be told", async () => {
        const reasons = new Set((await s.list(Event)).map(({ reason }) => reason));
        return reasons.has("CreateProviderStackRelease") && reasons.has("UpdateProviderStackRelease");
      });
    },
  },
  {
    number: 16,
    name: "an object that cannot be applied for a while stops no other, and is tried again alone",
    async run(s) {
      const others = ["a", "b", "c", "d", "e"];
      const clusters = "infrastructure.cluster.x-k8s.io/v1beta1";
      const templates = {
        "templates/class.yaml": templateOf("ClusterClass", "cluster.x-k8s.io/v1beta1", tag("v1")),
        "templates/docker.yaml": templateOf("DockerClusterTemplate", clusters, `${tag("v1")}-cluster`),
        "templates/others.yaml": others
          .map((name) => templateOf("DockerCluster", clusters, name))
          .join("---\n"),
      };
      s.source.put(tag("v1"), await releaseFiles(tag("v1"), { templates }));
      s.refuse({ kind: DockerClusterTemplate, as: "unavailable" });
      await s.wants(ONE);
      assert.deepEqual((await states(s)).toSorted(), [
        "ClusterClass synced",
        ...others.map(() => "DockerCluster synced"),
        "DockerClusterTemplate not-synced",
      ]);
      const resources = (await s.release("v1"))?.status?.resources ?? [];
      assert.deepEqual(
        resources.filter(({ error }) => error !== undefined).map(({ kind }) => kind),
        ["DockerClusterTemplate"],
      );
      const found = await condition(s, "HelmChartApplied");
      assert.deepEqual([found?.reason, found?.severity], ["ObjectsApplyingOngoing", "Warning"]);
      assert.match(found?.message ?? "", /^1 of 7 objects/);
      const versions = async () =>
        [...(await s.list(ClusterClass, TEAM)), ...(await s.list(DockerCluster, TEAM))].map(
          ({ metadata }) => metadata.resourceVersion,
        );
      const before = await versions();
      s.refuse(undefined);
      await s.leap(1);
      await s.until("it to be ready", async () => (await s.release("v1"))?.status?.ready === true);
      assert.deepEqual(await versions(), before, "no other was written again");
      assert.deepEqual(
        (await s.release("v1"))?.status?.resources?.filter(
          ({ status, error }) => status !== "synced" || error !== undefined,
        ),
        [],
      );
    },
  },
  {
    number: 16,
    name: "an object that the server never takes is told as such",
    async run(s) {
      await s.publish("v1");
      s.refuse({ kind: DockerClusterTemplate, as: "invalid" });
      await s.wants(ONE);
      const refused = (await s.release("v1"))?.status?.resources?.find(
        ({ status }) => status === "not-synced",
      );
      assert.match(refused?.error ?? "", /does not let it be applied.*not tried again by itself/);
    },
  },
  {
    number: 17,
    name: "an object that shares its name with one of another kind is one of its own",
    async run(s) {
      const templates = {
        "templates/class.yaml": templateOf("ClusterClass", "cluster.x-k8s.io/v1beta1", tag("v1")),
        "templates/docker.yaml": templateOf(
          "DockerClusterTemplate",
          "infrastructure.cluster.x-k8s.io/v1beta1",
          tag("v1"),
        ),
      };
      s.source.put(tag("v1"), await releaseFiles(tag("v1"), { templates }));
      s.refuse({ kind: DockerClusterTemplate, as: "unavailable" });
      await s.wants(ONE);
      assert.deepEqual((await states(s)).toSorted(), [
        "ClusterClass synced",
        "DockerClusterTemplate not-synced",
      ]);
      s.refuse(undefined);
      await s.leap(1);
      await s.until("both to be there", async () => (await s.classes()).length === 2);
    },
  },
  {
    number: 17,
    name: "what the configuration does not admit is told, and its neighbours are applied",
    async run(s) {
      const templates = {
        "templates/class.yaml": templateOf("ClusterClass", "cluster.x-k8s.io/v1beta1", tag("v1")),
        "templates/map.yaml": templateOf("ConfigMap", "v1", "x"),
      };
      s.source.put(tag("v1"), await releaseFiles(tag("v1"), { templates }));
      await s.wants(ONE);
      assert.deepEqual((await states(s)).toSorted(), ["ClusterClass synced", "ConfigMap not-synced"]);
      const refused = (await s.release("v1"))?.status?.resources?.find(({ kind }) => kind === "ConfigMap");
      assert.match(refused?.error ?? "", /configuration does not admit it/);
      assert.equal(await s.get(ConfigMap, { name: "x", namespace: TEAM }), undefined);
    },
  },
  {
    number: 21,
    name: "a release that is deleted after a restart takes its objects along, without its assets",
    async run(s) {
      await s.publish("v1");
      await s.wants(ONE);
      s.source.fails({ reason: "unavailable", message: "the source is away" });
      await s.restart();
      await s.remove(ClusterStack, { name: "ferrol", namespace: TEAM });
      await s.remove(ClusterStackRelease, { name: tag("v1"), namespace: TEAM });
      await s.until("all of it to be gone", async () => (await s.there()).length === 0);
      assert.deepEqual(await s.classes(), []);
    },
  },
  {
    number: 21,
    name: "an object that bears another's marks stays, and an Event says so",
    async run(s) {
      await s.publish("v1");
      await s.wants(ONE);
      const label = { metadata: { labels: { "clusterstack.x-k8s.io/instance": "mine" } } };
      const at = { name: `${tag("v1")}-cluster`, namespace: TEAM };
      await s.remove(ClusterStack, { name: "ferrol", namespace: TEAM });
      await s.whileAway(async () => {
        await s.stack.client.patch(resourceOf(DockerClusterTemplate), at, "merge", label, {
          fieldManager: "user",
        });
      });
      await s.until("the release to be gone", async () => (await s.there()).length === 0);
      assert.deepEqual(await s.classes(), ["DockerClusterTemplate v1-cluster"]);
    },
  },
];
