import assert from "node:assert/strict";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import {
  alphaStore,
  DEFINITIONS,
  definition,
  gone,
  KYMA_SYSTEM,
  MAPS,
  STORES,
  store,
} from "./alpha-store.ts";
import type { PublishedVersion, Stage } from "./stage.ts";

const ALPHA = { name: "alpha-store" };
const NEEDY = { name: "needy" };
const USER = { fieldManager: "user" } as const;
const STORE = { crd: { group: "store.acme.test", kind: "AlphaStore", version: "v1" } };

const map = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n`;
/** A module with a kind of its own and an object, which requires these. */
const needy = (...requires: readonly object[]): PublishedVersion => ({
  module: "needy",
  version: "1.0.0",
  layer: [definition("Needy"), map("needy")].join("---\n"),
  template: { requires },
});

/** Publishes both modules, and starts the runtime. */
async function published(s: Stage, ...requires: readonly object[]): Promise<RemoteCluster> {
  const remote = await s.runtime("rt-1", { controllers: true });
  await s.publish(needy(...requires), alphaStore("1.0.0"));
  for (const { name } of [NEEDY, ALPHA]) await s.release(name, { regular: "1.0.0" });
  return remote;
}
const isThere = async ({ client }: RemoteCluster): Promise<boolean> =>
  (await client.get(MAPS, { name: "needy", namespace: "default" })) !== undefined;
/** Resolves once the needy module is in that state, and says something like it. */
const says = (s: Stage, state: string, pattern = /(?:)/): Promise<void> =>
  s.until(`the needy module to be ${state} and to say ${pattern.source}`, async () => {
    const module = await s.module("needy");
    return module?.state === state && pattern.test(module.message ?? "");
  });
const failedRuns = (s: Stage) =>
  s.stack.runs().filter(({ outcome, key }) => outcome === "retry" && key.includes("needy"));

/** Modules that require something in their runtimes: 29, 31. */
export const dependencies: readonly Scenario<Stage>[] = [
  {
    number: 29,
    name: "a module that requires another one's kind is applied once that is there, and no run fails",
    async run(s) {
      const remote = await published(s, STORE);
      await s.wants({ modules: [NEEDY] });
      await says(s, "Processing", /waits for the kind AlphaStore of store\.acme\.test\/v1/);
      assert.ok(await remote.client.get(DEFINITIONS, { name: "needys.store.acme.test" }), "its own kind");
      assert.equal(await isThere(remote), false);
      await s.leap(6);
      await says(s, "Warning", /has waited for more than 5m for the kind AlphaStore/);
      await s.wants({ modules: [NEEDY, ALPHA] });
      await says(s, "Ready");
      assert.equal(await isThere(remote), true);
      assert.deepEqual(failedRuns(s), []);
    },
  },
  {
    number: 29,
    name: "modules that require each other's kinds are enabled together",
    async run(s) {
      const remote = await s.runtime("rt-1", { controllers: true });
      const alpha = alphaStore("1.0.0");
      const requires = [{ crd: { group: "store.acme.test", kind: "Needy", version: "v1" } }];
      await s.publish(needy(STORE), { ...alpha, template: { ...alpha.template, requires } });
      for (const { name } of [NEEDY, ALPHA]) await s.release(name, { regular: "1.0.0" });
      await s.wants({ modules: [NEEDY, ALPHA] });
      await s.until("both to be ready", async () => (await s.says()).state === "Ready");
      assert.equal(await isThere(remote), true);
      assert.deepEqual(failedRuns(s), []);
    },
  },
  {
    number: 29,
    name: "the kind that modules wait for wakes all of them at once, by no timer, and nobody else (DEP3)",
    async run(s) {
      const remote = await published(s, STORE);
      const waiting = ["needy", "other-needy", "third-needy"];
      for (const module of waiting.slice(1)) {
        await s.publish({ ...needy(STORE), module, layer: map(module) });
        await s.release(module, { regular: "1.0.0" });
      }
      await s.publish({ module: "bystander", version: "1.0.0" });
      await s.release("bystander", { regular: "1.0.0" });
      const modules = [...waiting, "bystander"].map((name) => ({ name }));
      await s.wants({ modules });
      for (const module of waiting)
        await s.until(`${module} to wait`, async () => {
          const { state, message = "" } = (await s.module(module)) ?? {};
          return state === "Processing" && message.includes("waits for the kind AlphaStore");
        });
      await s.until(
        "the bystander to be ready",
        async () => (await s.module("bystander"))?.state === "Ready",
      );
      const before = s.stack.runs().length;
      await s.wants({ modules: [...modules, ALPHA] });
      await s.until("all to be ready", async () => (await s.says()).state === "Ready");
      const runs = s.stack
        .runs()
        .slice(before)
        .filter(({ function: name, outcome }) => name === "kyma-manifests" && outcome !== "swept");
      for (const module of waiting) {
        assert.ok(await remote.client.get(MAPS, { name: module, namespace: "default" }));
        const applied = runs.find(({ writes }) =>
          writes.some(({ subject, sent }) => sent && subject.includes(`ConfigMap/default/${module}`)),
        );
        // By an object of the kind or by its definition, and by no timer.
        const causes = applied?.causes ?? assert.fail(`${module} was woken`);
        for (const { sort, subject = "" } of causes) {
          assert.equal(sort, "wait");
          assert.match(subject, /alphastores\.store\.acme\.test|AlphaStore/);
        }
      }
      const bystander = (await s.manifest("bystander"))?.metadata.name ?? assert.fail("it is there");
      assert.deepEqual(
        runs.filter(({ key }) => key.endsWith(`/${bystander}`)),
        [],
      );
      assert.deepEqual(failedRuns(s), []);
    },
  },
  {
    number: 29,
    name: "a module is installed without what it could use, and hears of it once it is there",
    async run(s) {
      const remote = await published(s, { ...STORE, optional: true });
      await s.wants({ modules: [NEEDY] });
      await says(s, "Ready");
      assert.equal(await isThere(remote), true);
      const told = async (): Promise<string> =>
        (await s.manifest("needy"))?.status?.lastOperation?.operation ?? "";
      assert.match(await told(), /it could use the kind AlphaStore of store\.acme\.test\/v1/);
      await s.wants({ modules: [NEEDY, ALPHA] });
      await s.until("both to be ready", async () => (await s.says()).state === "Ready");
      await s.until("it to need nothing more", async () => (await told()) === "the module is installed");
      assert.deepEqual(failedRuns(s), []);
    },
  },
  {
    number: 31,
    name: "a definition that somebody deletes in a runtime that tells nothing is back for the module that requires it (DEP8)",
    async run(s) {
      const remote = await published(s, STORE);
      await s.wants({ modules: [NEEDY, ALPHA] });
      await says(s, "Ready");
      const name = "alphastores.store.acme.test";
      const hold = (finalizers: readonly string[] | null) =>
        remote.client.patch(DEFINITIONS, { name }, "merge", { metadata: { finalizers } }, USER);
      const before = await remote.client.get(DEFINITIONS, { name });
      await hold(["acme.test/slow"]);
      await remote.client.delete(DEFINITIONS, { name }, { uid: undefined });
      await s.until("its module to wait for it to go", async () =>
        /waits for CustomResourceDefinition alphastores.* to be gone/.test(
          (await s.module("alpha-store"))?.message ?? "",
        ),
      );
      await hold(null);
      await s.until("it to be back", async () => {
        const found = await remote.client.get(DEFINITIONS, { name });
        return found !== undefined && found.metadata.uid !== before?.metadata.uid;
      });
      await says(s, "Ready");
    },
  },
  {
    number: 31,
    name: "a module stays when what it requires is disabled, and is ready when that is back",
    async run(s) {
      const remote = await published(s, { module: "alpha-store", range: "^1.0.0" }, STORE);
      await s.wants({ modules: [NEEDY, ALPHA] });
      await says(s, "Ready");
      await store(remote, "users");
      await s.wants({ modules: [NEEDY] });
      await s.until("the other to say who requires it", async () => {
        const { state, message = "" } = (await s.module("alpha-store")) ?? {};
        return state === "Deleting" && message.includes("although needy requires it");
      });
      await says(s, "Warning", /misses the module alpha-store/);
      await gone(s, remote, STORES, "users", KYMA_SYSTEM);
      await says(s, "Warning", /misses the module alpha-store .*; the kind AlphaStore.*enable it/);
      await s.until("the other to be gone", async () => (await s.manifest("alpha-store")) === undefined);
      assert.equal((await s.module("needy"))?.state, "Warning");
      assert.equal(await isThere(remote), true);
      await s.wants({ modules: [NEEDY, ALPHA] });
      await says(s, "Ready");
    },
  },
];

/** Requirements that the control plane judges by itself: 30. */
export const cycles: readonly Scenario<Stage>[] = [
  {
    number: 30,
    name: "modules that require each other are not installed, and others are; one optional requirement heals (DEP6)",
    async run(s) {
      const requires = (module: string, optional?: boolean) => ({
        template: { requires: [{ module, ...(optional && { optional }) }] },
      });
      await s.publish(
        { module: "alpha", version: "1.0.0", ...requires("beta") },
        { module: "beta", version: "1.0.0", ...requires("alpha") },
        { module: "gamma", version: "1.0.0" },
      );
      const names = ["alpha", "beta", "gamma"];
      for (const module of names) await s.release(module, { regular: "1.0.0" });
      await s.wants({ modules: names.map((name) => ({ name })) });
      for (const [module, path] of [
        ["alpha", /alpha → beta → alpha/],
        ["beta", /beta → alpha → beta/],
      ] as const) {
        const { state, message } = (await s.module(module)) ?? {};
        assert.equal(state, "Error");
        assert.match(message ?? "", path);
      }
      assert.deepEqual(await s.installed(), [{ module: "gamma", version: "1.0.0" }]);
      assert.equal((await s.module("gamma"))?.state, "Ready");
      await s.publish({ module: "beta", version: "1.0.0", ...requires("alpha", true) });
      assert.deepEqual(
        (await s.installed()).map(({ module }) => module),
        names,
      );
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
    },
  },
];
