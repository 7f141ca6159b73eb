import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import type { AnyObject } from "../../../shared/function/index.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { ClusterAddon, ClusterStackRelease } from "../kinds/index.ts";
import {
  addonsOf,
  cluster,
  condition,
  KUBERNETES,
  map,
  names,
  offer,
  ready,
  SYSTEM,
  secret,
  versions,
} from "./addons.ts";
import { type Stage, TEAM, tag } from "./stage.ts";

const [MAPS, SECRETS] = [resourceOf(ConfigMap), resourceOf(Secret)];

/** The addons of workload clusters, one class after the other: 22, 23, 26, 33, 34. */
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
    number: 22,
    name: "what can never be changed is told for good, or deleted and made anew where it asks for that",
    async run(s) {
      const fixed = (name: string, value: string, annotations = "{}") =>
        `apiVersion: v1\nkind: ConfigMap\nimmutable: true\nmetadata: {name: ${name}, annotations: ${annotations}}\ndata: {value: "${value}"}\n`;
      const asks = '{reveille.dev/recreate: "true"}';
      await offer(s, {
        v1: addonsOf(fixed("asks", "1", asks), fixed("silent", "1")),
        v2: addonsOf(fixed("asks", "2", asks), fixed("silent", "2")),
        v3: addonsOf(fixed("asks", "3", asks), fixed("silent", "1")),
      });
      const there = await s.workload("demo");
      const read = async (name: string) => there.client.get(MAPS, { name, namespace: SYSTEM });
      await cluster(s, "v1");
      await ready(s, "v1");
      const [asking, silent] = [await read("asks"), await read("silent")];
      await cluster(s, "v2");
      await s.until("one to be refused", async () =>
        /1 of 2 objects are not applied, ConfigMap silent: .*immutable.*not tried again/s.test(
          (await condition(s, "HelmChartApplied"))?.message ?? "",
        ),
      );
      const made = await read("asks");
      assert.deepEqual(made?.data, { value: "2" });
      assert.notEqual(made?.metadata.uid, asking?.metadata.uid, "it is another object");
      assert.equal((await read("silent"))?.metadata.uid, silent?.metadata.uid, "nobody asked for its end");
      await cluster(s, "v3");
      await ready(s, "v3");
      assert.deepEqual((await read("asks"))?.data, { value: "3" });
      assert.deepEqual(
        (await s.addon("demo"))?.status?.resources?.flatMap(({ recreate }) => recreate ?? []),
        [],
      );
    },
  },
  {
    number: 23,
    name: "a release that is stored under the digest of its manifest is the same release, and nothing is done anew",
    async run(s) {
      await offer(s, { v1: addonsOf(map("a")) });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      const [release, addon, before] = [await s.release("v1"), await s.addon("demo"), await versions(there)];
      const digest = release?.status?.digest;
      assert.ok(release && addon && digest !== undefined);
      const formerDigest = "sha256:former";
      s.source.put(
        tag("v1"),
        await releaseFiles(tag("v1"), { kubernetes: KUBERNETES, ...addonsOf(map("a")) }),
        { formerDigest },
      );
      const as = { fieldManager: "user", subresource: "status" } as const;
      const put = (kind: Kind, { metadata }: AnyObject, status: object) =>
        s.stack.client.patch(resourceOf(kind), metadata, "merge", { status }, as);
      await put(ClusterStackRelease, release, { digest: formerDigest });
      await s.until(
        "the release to be stored anew",
        async () => (await s.release("v1"))?.status?.digest === digest,
      );
      await put(ClusterAddon, addon, { target: { digest: formerDigest } });
      await s.until(
        "the addons to be stored anew",
        async () => (await s.addon("demo"))?.status?.target?.digest === digest,
      );
      assert.equal((await s.release("v1"))?.status?.ready, true);
      const { status } = (await s.addon("demo")) ?? {};
      assert.deepEqual([status?.ready, status?.stages], [true, addon.status?.stages]);
      assert.deepEqual(await versions(there), before);
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
      const earlier = s.stack.runs().length;
      await offer(s, { v1: addonsOf(map("a")) });
      const there = await s.workload("demo", { connected: false });
      await cluster(s, "v1");
      await s.until("it to wait", async () => (await condition(s, "ClusterReady")) !== undefined);
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
        s.stack
          .runs()
          .slice(earlier)
          .filter(({ outcome }) => outcome === "retry" || outcome === "dead"),
        [],
      );
    },
  },
  {
    number: 33,
    name: "a class that changes while another is being applied is the one that stands, and what only others brought goes once",
    async run(s) {
      await offer(s, {
        v1: addonsOf(map("a"), map("all")),
        v2: addonsOf(map("b"), map("all", "2"), secret("late")),
        v3: addonsOf(map("c"), map("all", "3")),
      });
      const there = await s.workload("demo");
      await cluster(s, "v1");
      await ready(s, "v1");
      s.refuseThere({ kind: "Secret", as: "unavailable" });
      await cluster(s, "v2");
      await s.until("half of it", async () => (await names(there)).join() === "a,all,b");
      assert.equal((await s.addon("demo"))?.spec?.clusterStack, tag("v1"));
      s.asked();
      s.refuseThere(undefined);
      await cluster(s, "v3");
      await ready(s, "v3");
      assert.deepEqual(await names(there), ["all", "c"]);
      assert.equal(s.asked().filter(({ verb }) => verb === "delete").length, 2);
    },
  },
  {
    number: 34,
    name: "a chart that makes keys is rendered once, however often its objects are tried",
    async run(s) {
      const text = `{{- $key := randAlphaNum 20 }}\n${secret("ca")}stringData: {key: {{ $key }}}\n---\n${map("bundle", "{{ $key }}")}`;
      await offer(s, { v1: { addons: { "templates/all.yaml": text } } });
      const there = await s.workload("demo");
      s.refuseThere({ kind: "ConfigMap", as: "unavailable" });
      await cluster(s, "v1");
      const first = await there.client.get(SECRETS, { name: "ca", namespace: SYSTEM });
      for (let times = 0; times < 10; times += 1) await s.leap(1);
      s.refuseThere(undefined);
      await s.leap(1);
      await ready(s, "v1");
      const last = await there.client.get(SECRETS, { name: "ca", namespace: SYSTEM });
      assert.equal(last?.metadata.resourceVersion, first?.metadata.resourceVersion);
      const bundle = await there.client.get(MAPS, { name: "bundle", namespace: SYSTEM });
      const key = Buffer.from(String((last?.data as { key?: string } | undefined)?.key), "base64").toString();
      assert.deepEqual(bundle?.data, { value: key });
      const kept = await s.get(Secret, { name: "cluster-addon-demo-rendered-0", namespace: TEAM });
      assert.deepEqual(
        kept?.metadata.ownerReferences.map(({ kind, name }) => `${kind} ${name}`),
        ["ClusterAddon cluster-addon-demo"],
      );
    },
  },
];
