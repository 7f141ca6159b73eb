import assert from "node:assert/strict";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition, Secret } from "../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import {
  CONTROL_PLANE,
  Kyma,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
} from "../kinds/index.ts";
import type { Stage } from "./stage.ts";

const USER = { fieldManager: "user" } as const;
const DEFAULT = { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE };
const kymaThere = async ({ client }: RemoteCluster) => {
  const raw = await client.get(resourceOf(Kyma), DEFAULT);
  return raw && parseObject(Kyma, raw);
};
const namesThere = async ({ client }: RemoteCluster, kind: Kind): Promise<readonly string[]> => {
  try {
    const { items } = await client.list(resourceOf(kind), { namespace: RUNTIME_NAMESPACE });
    return items.map(({ metadata }) => metadata.name).sort();
  } catch (error) {
    if (error instanceof KubeError && error.kind === "kindMissing") return [];
    throw error;
  }
};
const condition = async (s: Stage, type: string) =>
  (await s.says()).conditions?.find((one) => one.type === type);
const offer = async (s: Stage, ...modules: readonly string[]): Promise<void> => {
  for (const module of modules) {
    await s.publish({ module, version: "1.0.0" });
    await s.release(module, { regular: "1.0.0" });
  }
};

/** Runtimes and their Secrets, and Kymas that go: 3, 4, 23, 39, and what of 3.8 has no number of its own. */
export const runtimes: readonly Scenario<Stage>[] = [
  {
    number: 3,
    name: "a Kyma without a Secret says which it waits for, and goes on at once when it is there",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1", { connected: false });
      await s.wants({ modules: [{ name: "alpha-store" }] });
      await s.leap(10);
      const before = await s.says();
      assert.equal(before.state, "Processing");
      const reachable = await condition(s, "Reachable");
      assert.deepEqual([reachable?.status, reachable?.reason], ["False", "WaitingForSecret"]);
      assert.match(reachable?.message ?? "", /operator\.kyma-project\.io\/kyma-name=rt-1/);
      assert.match(before.lastOperation?.operation ?? "", /kyma-name=rt-1/);
      s.asked();
      const since = performance.now();
      await s.connect(remote);
      await eventually("the first apply", () => s.asked().some(({ write }) => write));
      const waited = performance.now() - since;
      assert.ok(waited <= 2_000, `it took ${Math.round(waited)} ms`);
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      const there = await kymaThere(remote);
      assert.deepEqual(
        there?.spec?.modules?.map(({ name }) => name),
        ["alpha-store"],
      );
      assert.deepEqual(
        [there?.metadata.labels[LABELS.watchedBy], there?.metadata.labels[LABELS.managedBy]],
        ["kyma", "kyma"],
      );
      assert.deepEqual(await namesThere(remote, ModuleReleaseMeta), ["alpha-store"]);
      assert.deepEqual(await namesThere(remote, ModuleTemplate), ["alpha-store-1.0.0"]);
      const [module] = there?.status?.modules ?? [];
      assert.deepEqual(
        [there?.status?.state, module?.state, module?.manifest, module?.template?.metadata?.namespace],
        ["Ready", "Ready", undefined, RUNTIME_NAMESPACE],
      );
    },
  },
  {
    number: 4,
    name: "with two Secrets none is used, and without one of them all is well",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1", { connected: false });
      await s.connect(remote, { named: "one" });
      await s.connect(remote, { named: "two" });
      // Whoever met the first one alone looks for others after five minutes, or when it is told of one.
      await s.leap(6);
      s.asked();
      await s.wants({ modules: [{ name: "alpha-store" }] });
      assert.equal((await s.says()).state, "Error");
      assert.equal((await condition(s, "Reachable"))?.reason, "SeveralSecrets");
      assert.deepEqual(s.asked(), []);
      await s.remove(Secret, { name: "two", namespace: CONTROL_PLANE });
      await s.settled();
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
    },
  },
  {
    number: 23,
    name: "a module that a Kyma may not have any more leaves the catalog of its runtime too",
    async run(s) {
      await s.publish(
        { module: "alpha-store", version: "1.0.0", labels: { [LABELS.beta]: "true" } },
        { module: "mesh-core", version: "1.0.0" },
      );
      for (const module of ["alpha-store", "mesh-core"]) await s.release(module, { regular: "1.0.0" });
      const remote = await s.runtime("rt-1");
      const modules = [{ name: "alpha-store" }, { name: "mesh-core" }];
      await s.wants({ modules }, { labels: { [LABELS.beta]: "true" } });
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      assert.deepEqual(await namesThere(remote, ModuleReleaseMeta), ["alpha-store", "mesh-core"]);
      await s.wants({ modules });
      await s.until("the catalog to be without it", async () => {
        const kinds = [ModuleReleaseMeta, ModuleTemplate];
        const names = await Promise.all(kinds.map((kind) => namesThere(remote, kind)));
        return names.flat().join() === "mesh-core,mesh-core-1.0.0";
      });
      assert.deepEqual(
        (await s.installed()).map(({ module }) => module),
        ["mesh-core"],
      );
      assert.equal((await s.module("alpha-store"))?.state, "Error");
      assert.equal((await s.module("mesh-core"))?.state, "Ready");
    },
  },
  {
    number: 39,
    name: "a Kyma whose cluster has gone goes without a word to it, and none goes while nobody can tell",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1");
      await s.wants({ modules: [{ name: "alpha-store" }] });
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      await remote.link("refuse");
      s.failSecrets(true);
      await s.remove(Kyma, { name: "rt-1", namespace: CONTROL_PLANE });
      // What is remembered of the connection ends with its probe.
      await s.leap(1);
      await s.leap(12);
      const held = await s.says();
      assert.equal(held.state, "Deleting");
      assert.match(held.lastOperation?.operation ?? "", /does not answer/);
      assert.ok(await s.manifest("alpha-store"), "nothing was dropped");
      s.failSecrets(false);
      s.asked();
      for (const { metadata } of await s.list(Secret, CONTROL_PLANE)) await s.remove(Secret, metadata);
      await s.until(
        "it to be gone",
        async () => (await s.get(Kyma, { name: "rt-1", namespace: CONTROL_PLANE })) === undefined,
      );
      assert.deepEqual(await s.list(Manifest, CONTROL_PLANE), []);
      assert.deepEqual(s.asked(), [], "nobody asks a cluster that is gone");
      assert.ok(await kymaThere(remote), "the cluster was left as it was");
    },
  },
  {
    number: 39,
    name: "a Kyma that is deleted takes along what it brought into its runtime, in order",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1");
      await s.wants({ modules: [{ name: "alpha-store" }] });
      // As cert-manager makes it: nobody owns it.
      const tls = { name: "rt-1-webhook-tls", namespace: CONTROL_PLANE };
      await s.put(Secret, tls, { data: {} });
      s.deleted();
      await s.remove(Kyma, { name: "rt-1", namespace: CONTROL_PLANE });
      await s.until(
        "it to be gone",
        async () => (await s.get(Kyma, { name: "rt-1", namespace: CONTROL_PLANE })) === undefined,
      );
      assert.equal(await s.get(Secret, tls), undefined, "nobody proves itself as this runtime any more");
      // A deletion whose answer was lost is asked for again.
      assert.deepEqual(
        [...new Set(s.deleted())],
        [
          "Manifest",
          "moduletemplates.operator.kyma-project.io",
          "modulereleasemetas.operator.kyma-project.io",
          "default",
          "kymas.operator.kyma-project.io",
        ],
      );
      const { items } = await remote.client.list(resourceOf(CustomResourceDefinition), {});
      assert.deepEqual(
        items
          .map(({ metadata }) => metadata.name)
          .filter((name) => name.endsWith("operator.kyma-project.io")),
        [],
      );
    },
  },
];

/** Runtimes that go away, and users who change what is there: 6, 7, 12, 26, 27. */
export const runtimesAndUsers: readonly Scenario<Stage>[] = [
  {
    number: 6,
    name: "a runtime that does not answer is told at once, and keeps nobody else",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1");
      await s.runtime("rt-2");
      for (const name of ["rt-1", "rt-2"]) await s.wants({ modules: [{ name: "alpha-store" }] }, { name });
      await remote.link("refuse");
      await s.wants(
        { modules: [{ name: "alpha-store" }], channel: "regular" },
        { labels: { touched: "true" } },
      );
      await s.until("it to be found away", async () => (await condition(s, "Reachable"))?.status === "False");
      assert.equal((await condition(s, "Reachable"))?.reason, "Unreachable");
      assert.equal((await s.says()).state, "Error");
      assert.equal((await s.module("alpha-store"))?.state, "Ready", "what was known last");
      await s.publish({ module: "alpha-store", version: "1.1.0" });
      await s.release("alpha-store", { regular: "1.1.0" });
      assert.equal((await s.module("alpha-store", "rt-2"))?.version, "1.1.0");
      assert.equal((await s.says("rt-2")).state, "Ready", JSON.stringify(await s.says("rt-2")));
      await remote.link("pass");
      await s.leap(6);
      await s.until("it to be back", async () => (await s.says()).state === "Ready");
      assert.equal((await kymaThere(remote))?.status?.modules?.[0]?.version, "1.1.0");
    },
  },
  {
    number: 7,
    name: "a runtime that comes back is brought to what is so now, and to nothing between",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1");
      await s.wants({ modules: [{ name: "alpha-store" }] });
      await remote.link("refuse");
      for (const version of ["1.1.0", "1.2.0", "1.3.0"]) {
        await s.publish({ module: "alpha-store", version });
        await s.release("alpha-store", { regular: version });
        await s.leap(20);
      }
      await remote.link("pass");
      s.asked();
      const atOnce = remote.atOnce();
      await s.leap(6);
      await s.until("it to be back", async () => {
        const there = await kymaThere(remote);
        return there?.status?.modules?.[0]?.version === "1.3.0" && (await s.says()).state === "Ready";
      });
      assert.deepEqual(await namesThere(remote, ModuleTemplate), ["alpha-store-1.3.0"]);
      // The template and the release; the old template goes; the status of the Kyma, which follows its parts.
      const writes = s.asked().filter(({ write }) => write);
      assert.ok(writes.length <= 6, JSON.stringify(writes));
      if (atOnce === undefined) return;
      atOnce.stop();
      const most = atOnce.most();
      assert.ok(most >= 1 && most <= 2, `${most} requests at once`);
    },
  },
  {
    number: 12,
    name: "who skips maintenance windows in the runtime is upgraded at once",
    async run(s) {
      const template = { requiresDowntime: true };
      await s.publish({ module: "alpha-store", version: "1.0.0", template });
      await s.release("alpha-store", { regular: "1.0.0" });
      await s.runtime("rt-1");
      // The window of a scenario before has passed.
      await s.leap(90);
      const modules = [{ name: "alpha-store" }];
      await s.wants({ modules }, { labels: { "kyma-project.io/region": "closed" } });
      await s.publish({ module: "alpha-store", version: "1.1.0", template });
      await s.release("alpha-store", { regular: "1.1.0" });
      const said = async () => {
        const { version, maintenance } = (await s.module("alpha-store")) ?? {};
        return [version, maintenance];
      };
      assert.deepEqual(await said(), ["1.0.0", true]);
      await s.userWants("rt-1", { skipMaintenanceWindows: true });
      assert.deepEqual(await said(), ["1.1.0", false]);
    },
  },
  {
    number: 26,
    name: "a Kyma that its user deleted comes back with what was accepted last, and loses no module",
    async run(s) {
      await offer(s, "alpha-store", "mesh-core");
      const remote = await s.runtime("rt-1");
      await s.wants({ modules: [{ name: "alpha-store" }] });
      await s.userWants("rt-1", { modules: [{ name: "mesh-core" }, { name: "alpha-store" }] });
      const both = ["alpha-store", "mesh-core"];
      assert.deepEqual(
        (await s.installed()).map(({ module }) => module),
        both,
      );
      const before = await s.manifest("mesh-core");
      await remote.client.delete(resourceOf(Kyma), DEFAULT, { uid: undefined });
      await s.until("it to be back", async () => (await kymaThere(remote)) !== undefined);
      const there = await kymaThere(remote);
      assert.deepEqual(there?.spec?.modules?.map(({ name }) => name).sort(), both);
      assert.equal((await s.manifest("mesh-core"))?.metadata.uid, before?.metadata.uid);
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      await s.userWants("rt-1", { modules: [{ name: "mesh-core" }] });
      assert.deepEqual(
        (await s.installed()).map(({ module }) => module),
        ["mesh-core"],
      );
    },
  },
  {
    number: 27,
    name: "what a user changes in the copies of the catalog, and in definitions, is put right",
    async run(s) {
      await offer(s, "alpha-store");
      const remote = await s.runtime("rt-1");
      await s.wants({ modules: [{ name: "alpha-store" }] });
      const template = { name: "alpha-store-1.0.0", namespace: RUNTIME_NAMESPACE };
      const resource = resourceOf(ModuleTemplate);
      await remote.client.patch(resource, template, "merge", { spec: { version: "9.9.9" } }, USER);
      await s.until("it to be put right", async () => {
        const put = await remote.client.get(resource, template);
        return (put?.spec as { readonly version?: string } | undefined)?.version === "1.0.0";
      });
      const definition = { name: "modulereleasemetas.operator.kyma-project.io" };
      const before = await remote.client.get(resourceOf(CustomResourceDefinition), definition);
      await remote.client.delete(resourceOf(CustomResourceDefinition), definition, { uid: undefined });
      await s.until("it to be back, with the releases", async () => {
        const found = await remote.client.get(resourceOf(CustomResourceDefinition), definition);
        if (found === undefined || found.metadata.uid === before?.metadata.uid) return false;
        return (await namesThere(remote, ModuleReleaseMeta)).join() === "alpha-store";
      });
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
    },
  },
];
