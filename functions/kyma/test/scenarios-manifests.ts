import assert from "node:assert/strict";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { packTar } from "../../../shared/archive/index.ts";
import { ANNOTATIONS, LABELS } from "../kinds/index.ts";
import {
  alphaStore,
  DEFINITIONS,
  gone,
  imageThere,
  installed,
  KYMA_SYSTEM,
  MAPS,
  NAMESPACES,
  operatorThere,
  ready,
  STORES,
  SYSTEM,
  said,
  standing,
  store,
  uninstalled,
  unwanted,
  wanted,
} from "./alpha-store.ts";
import { componentOf, type Stage } from "./stage.ts";

/** Two modules, and the namespace that both bring and have an object in. */
const BOTH = ["alpha-map", "beta-map"];
const SHARED = "shared-system";
async function bothReleased(s: Stage, version: string): Promise<void> {
  const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${SHARED}}\n`;
  for (const module of BOTH) {
    const own = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${module}, namespace: ${SHARED}}\n`;
    await s.publish({ module, version, layer: `${own}data: {version: "${version}"}\n---\n${namespace}` });
  }
  await Promise.all(BOTH.map((module) => s.release(module, { regular: version })));
}
async function bothInstalled(s: Stage): Promise<RemoteCluster> {
  const remote = await s.runtime("rt-1", { controllers: true });
  await bothReleased(s, "1.0.0");
  await s.wants({ modules: BOTH.map((name) => ({ name })) });
  await s.until("both to be Ready", async () => (await s.says()).state === "Ready");
  return remote;
}

async function bothUpgraded(s: Stage): Promise<void> {
  await s.leap(6);
  await s.until("both to be upgraded", async () =>
    (await Promise.all(BOTH.map((module) => s.module(module)))).every(
      (one) => one?.version === "1.1.0" && one.state === "Ready",
    ),
  );
}

/** Modules in their runtimes, until they are taken away: 2, 8, 19–22, 29, 37, 38, 41. */
export const manifests: readonly Scenario<Stage>[] = [
  {
    number: 2,
    name: "a module that is switched off in a runtime leaves the objects of another one there unwritten",
    async run(s) {
      const remote = await installed(s);
      await s.publish({ module: "beta-map", version: "1.0.0" });
      await s.release("beta-map", { regular: "1.0.0" });
      await s.wants({ modules: [{ name: "alpha-store" }, { name: "beta-map" }] });
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      const other = () => remote.client.get(MAPS, { name: "beta-map", namespace: "default" });
      const before = await other();
      assert.ok(before !== undefined);
      await s.wants({ modules: [{ name: "beta-map" }] });
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
      assert.equal((await other())?.metadata.resourceVersion, before.metadata.resourceVersion);
      assert.equal((await s.module("beta-map"))?.state, "Ready");
    },
  },
  {
    number: 2,
    name: "an object that two modules bring goes with the second of them, whichever applied it last",
    async run(s) {
      const remote = await bothInstalled(s);
      const namespace = () => remote.client.get(NAMESPACES, { name: SHARED });
      const last = (await namespace())?.metadata.labels?.["app.kubernetes.io/component"] ?? "";
      const [first = "", second = ""] = BOTH.toSorted((a) => (last.includes(a) ? -1 : 1));
      const map = (name: string) => remote.client.get(MAPS, { name, namespace: SHARED });
      await s.wants({ modules: [{ name: second }] });
      await s.until("the first to be gone", async () => (await s.manifest(first)) === undefined);
      assert.equal((await namespace())?.metadata.deletionTimestamp, undefined);
      assert.deepEqual([await map(first), (await map(second))?.metadata.name], [undefined, second]);
      assert.equal((await s.module(second))?.state, "Ready");
      await s.wants({ modules: [] });
      await s.until("the second to be gone", async () => (await s.manifest(second)) === undefined);
      assert.equal(await namespace(), undefined);
    },
  },
  {
    number: 2,
    name: "a namespace that two modules bring is written by none of them again",
    async run(s) {
      const remote = await bothInstalled(s);
      const namespace = () => remote.client.get(NAMESPACES, { name: SHARED });
      const before = await namespace();
      await bothReleased(s, "1.1.0");
      await bothUpgraded(s);
      const after = await namespace();
      assert.ok(before !== undefined);
      assert.deepEqual(after?.metadata.labels, before.metadata.labels);
      assert.equal(after?.metadata.resourceVersion, before.metadata.resourceVersion);
    },
  },
  {
    number: 2,
    name: "an object that two modules bring goes when both go at once",
    async run(s) {
      const remote = await bothInstalled(s);
      await s.wants({ modules: [] });
      await s.until("both to be gone", async () => (await s.installed()).length === 0);
      assert.equal(await remote.client.get(NAMESPACES, { name: SHARED }), undefined);
    },
  },
  {
    number: 2,
    name: "an object that two modules bring goes when the next versions of both drop it at once",
    async run(s) {
      const remote = await bothInstalled(s);
      for (const module of BOTH) {
        const layer = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${module}, namespace: default}\n`;
        await s.publish({ module, version: "1.1.0", layer });
      }
      await Promise.all(BOTH.map((module) => s.release(module, { regular: "1.1.0" })));
      await bothUpgraded(s);
      await s.until("what both had to be gone", async () => {
        const namespace = await remote.client.get(NAMESPACES, { name: SHARED });
        return namespace === undefined;
      });
      for (const module of BOTH)
        assert.ok(
          (await s.manifest(module))?.status?.synced?.every(({ kind }) => kind === "ConfigMap"),
          "nothing but its own is in the record",
        );
    },
  },
  {
    number: 8,
    name: "another version prunes what it no longer brings, and leaves the default object as it is",
    async run(s) {
      const remote = await installed(s, { version: alphaStore("1.4.2", { maps: ["one", "two"] }) });
      assert.deepEqual(await standing(remote), [
        "AlphaStore default",
        "ConfigMap one",
        "ConfigMap two",
        "ConfigMap version",
        "CustomResourceDefinition alphastores.store.acme.test",
        "Deployment alpha-store-operator",
        `Namespace ${SYSTEM}`,
      ]);
      await store(remote, "default", { spec: { replicas: 5 } });
      await s.publish(alphaStore("1.5.0", { maps: ["two", "three"] }));
      await s.release("alpha-store", { regular: "1.5.0" });
      await s.leap(6);
      await ready(s, "1.5.0");
      const manifest = await s.manifest("alpha-store");
      assert.deepEqual([manifest?.spec?.version, manifest?.status?.state], ["1.5.0", "Ready"]);
      assert.equal(await imageThere(remote), "registry.test/dev/alpha-store:1.5.0");
      const there = await standing(remote);
      assert.deepEqual(
        there.filter((one) => one.startsWith("ConfigMap")),
        ["ConfigMap three", "ConfigMap two", "ConfigMap version"],
      );
      const own = await remote.client.get(STORES, { name: "default", namespace: KYMA_SYSTEM });
      assert.deepEqual(own?.spec, { replicas: 5 });
      assert.equal(
        manifest?.metadata.annotations[ANNOTATIONS.syncedArtifact],
        manifest?.spec?.install.source.ref,
      );
    },
  },
  {
    number: 19,
    name: "a default object that its user deleted is not made again, and the module can be disabled",
    async run(s) {
      const remote = await installed(s);
      await gone(s, remote, STORES, "default", KYMA_SYSTEM);
      await s.again();
      assert.equal(await remote.client.get(STORES, { name: "default", namespace: KYMA_SYSTEM }), undefined);
      await unwanted(s);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 20,
    name: "a default object that was there before is adopted untouched and goes with the module; Ignore keeps it, and waits for its user",
    async run(s) {
      const remote = await installed(s);
      await unwanted(s);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), []);
      const [definition] = alphaStore("1.0.0").layer?.split("---\n").slice(1) ?? [];
      const { parse } = await import("yaml");
      const object = parse(definition ?? "");
      /** Has the kind be there before the module, and so its object. */
      const adopted = async (): Promise<void> => {
        await remote.client.apply(DEFINITIONS, { name: object.metadata.name }, object, {
          fieldManager: "user",
        });
        await s.settled();
        await store(remote, "default", { spec: { replicas: 7 } });
        await wanted(s);
        await ready(s);
        const own = await remote.client.get(STORES, { name: "default", namespace: KYMA_SYSTEM });
        assert.deepEqual([own?.spec, own?.metadata.labels?.[LABELS.managedBy]], [{ replicas: 7 }, undefined]);
      };
      await adopted();
      await unwanted(s);
      await uninstalled(s);
      assert.deepEqual(await standing(remote), [], "it went with the module");
      await adopted();
      await wanted(s, { customResourcePolicy: "Ignore" });
      await unwanted(s);
      await said(s, "Deleting", /AlphaStore.*kyma-system\/default/);
      assert.ok(await operatorThere(remote), "nothing is removed");
      await gone(s, remote, STORES, "default", KYMA_SYSTEM);
      await uninstalled(s);
    },
  },
  {
    number: 21,
    name: "a module that is handed over stays, without our marks, although one of its objects is missing",
    async run(s) {
      const remote = await installed(s);
      await gone(s, remote, MAPS, "one", SYSTEM);
      await wanted(s, { managed: false });
      await uninstalled(s);
      assert.equal((await s.module("alpha-store"))?.state, "Unmanaged");
      const labels = (await operatorThere(remote))?.metadata.labels ?? {};
      assert.equal(labels[LABELS.managedBy], undefined);
      assert.deepEqual(await standing(remote), [
        "AlphaStore default",
        "ConfigMap version",
        "CustomResourceDefinition alphastores.store.acme.test",
        "Deployment alpha-store-operator",
        `Namespace ${SYSTEM}`,
      ]);
    },
  },
  {
    number: 22,
    name: "a hand-over that is taken back before its end deletes nothing",
    async run(s) {
      const remote = await installed(s);
      s.refuses({ verb: "patch", kind: "ConfigMap" });
      await wanted(s, { managed: false });
      assert.equal((await s.module("alpha-store"))?.state, "Processing");
      await said(s, "Processing", /not let that pass/);
      await wanted(s);
      s.refuses(undefined);
      await s.until("the module to be ours again", async () => {
        const { status, metadata } = (await s.manifest("alpha-store")) ?? {};
        return status?.state === "Ready" && metadata?.annotations[ANNOTATIONS.isUnmanaged] === undefined;
      });
      assert.equal((await operatorThere(remote))?.metadata.labels?.[LABELS.managedBy], "kyma");
      assert.equal((await standing(remote)).length, 6);
    },
  },
  {
    number: 37,
    name: "an artifact of which a part was lost on the way takes nothing away",
    async run(s) {
      const remote = await installed(s);
      const before = await standing(remote);
      s.components.remembersOnly(2);
      const asked = s.components.asked.length;
      await s.again();
      assert.deepEqual(await standing(remote), before);
      const [warning] = await s.warnings("ArtifactTruncated");
      assert.match(warning?.message ?? "", /3 objects less than before.*nothing is deleted/);
      assert.ok(s.components.asked.slice(asked).some((question) => question.endsWith("anew")));
      assert.equal((await s.manifest("alpha-store"))?.status?.state, "Ready");
    },
  },
  {
    number: 38,
    name: "an artifact that leads out of its tar, and a descriptor that is too large, are refused whole",
    async run(s) {
      const remote = await s.runtime();
      const layer = await packTar(new Map([["../x.yaml", Buffer.from("kind: One\n")]]));
      await s.publish(alphaStore("1.0.0"));
      await s.components.put({ name: componentOf("alpha-store"), version: "1.0.0", layer, type: "oci-dir" });
      await s.release("alpha-store", { regular: "1.0.0" });
      await wanted(s);
      await said(s, "Error", /leads out of it/);
      assert.deepEqual((await s.manifest("alpha-store"))?.status?.synced ?? [], []);
      assert.deepEqual(await standing(remote), []);
      await s.publish(alphaStore("1.0.1"));
      await s.components.put({
        name: componentOf("alpha-store"),
        version: "1.0.1",
        layer: "",
        descriptor: { labels: "x".repeat(200 * 1024) },
      });
      await s.release("alpha-store", { regular: "1.0.1" });
      await s.leap(6);
      await s.until("the module to say that its descriptor is too large", async () => {
        const { state, message = "" } = (await s.module("alpha-store")) ?? {};
        return state === "Error" && /bytes, 102400 at most/.test(message);
      });
      assert.deepEqual(await standing(remote), []);
    },
  },
  {
    number: 41,
    name: "a field that cannot change gives an error that names it, once in five minutes",
    async run(s) {
      const remote = await installed(s);
      await s.publish(alphaStore("1.1.0", { selector: "other" }), { module: "beta-map", version: "1.0.0" });
      await s.release("beta-map", { regular: "1.0.0" });
      await s.release("alpha-store", { regular: "1.1.0" });
      await s.wants({ modules: [{ name: "alpha-store" }, { name: "beta-map" }] });
      await s.leap(6);
      await said(s, "Error", /Deployment.*spec\.selector/);
      assert.equal((await s.module("beta-map"))?.state, "Ready");
      const tries = async (minutes: number): Promise<number> => {
        s.asked();
        await s.leap(minutes);
        return s.asked().filter(({ verb }) => verb === "apply").length;
      };
      assert.equal(await tries(4), 0);
      assert.equal(await tries(2), 1);
      assert.ok(await operatorThere(remote));
    },
  },
  {
    number: 29,
    name: "a module with an object of another one's kind waits for it undeclared, and is no error (DEP12)",
    async run(s) {
      const remote = await s.runtime("rt-1", { controllers: true });
      const needs = (kind: string): string =>
        `apiVersion: store.acme.test/v1\nkind: ${kind}\nmetadata: {name: needed, namespace: default}\n`;
      await s.publish({ module: "needy", version: "1.0.0", layer: needs("AlphaStore") }, alphaStore("1.0.0"));
      await s.release("needy", { regular: "1.0.0" });
      await s.wants({ modules: [{ name: "needy" }] });
      const waiting = (await s.manifest("needy"))?.status;
      assert.equal(waiting?.state, "Processing");
      assert.match(waiting?.lastOperation?.operation ?? "", /the kind AlphaStore of store\.acme\.test\/v1/);
      await s.release("alpha-store", { regular: "1.0.0" });
      await s.wants({ modules: [{ name: "needy" }, { name: "alpha-store" }] });
      await ready(s);
      await s.until(
        "the needy one to be ready",
        async () => (await s.manifest("needy"))?.status?.state === "Ready",
      );
      assert.ok(await remote.client.get(STORES, { name: "needed", namespace: "default" }));
      const failed = s.stack
        .runs()
        .filter(({ outcome, key }) => outcome === "retry" && key.includes("needy"));
      assert.deepEqual(failed, []);
      await s.wants({ modules: [{ name: "needy" }] });
      await s.until("the other to be held back", async () =>
        /default\/needed/.test((await s.manifest("alpha-store"))?.status?.lastOperation?.operation ?? ""),
      );
    },
  },
];
