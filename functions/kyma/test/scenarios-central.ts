import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { CONTROL_PLANE, Kyma, KymaPolicy, LABELS, Manifest, ModuleReleaseMeta } from "../kinds/index.ts";
import type { Stage } from "./stage.ts";

const at = (name: string) => ({ name, namespace: CONTROL_PLANE });
const installed = async (s: Stage, kyma = "rt-1") =>
  (await s.installed(kyma)).map(({ module, version }) => `${module} ${version}`);

/** Puts a finalizer on a Manifest, or takes it off. */
const held = (s: Stage, manifest: Obj<typeof Manifest> | undefined, finalizers: readonly string[]) =>
  s.stack.client.patch(
    resourceOf(Manifest),
    manifest?.metadata ?? assert.fail("it is there"),
    "merge",
    { metadata: { finalizers } },
    { fieldManager: "user" },
  );

/** Decisions of the control plane, whatever users want: 23, 24, 25, 28. */
export const central: readonly Scenario<Stage>[] = [
  {
    number: 23,
    name: "a Kyma that is no tester any more loses modules that are for testers only",
    async run(s) {
      await s.publish(
        { module: "alpha-store", version: "1.0.0", labels: { [LABELS.beta]: "true" } },
        { module: "mesh-core", version: "1.0.0" },
      );
      for (const module of ["alpha-store", "mesh-core"]) await s.release(module, { regular: "1.0.0" });
      const modules = [{ name: "alpha-store" }, { name: "mesh-core" }];
      await s.wants({ modules }, { labels: { [LABELS.beta]: "true" } });
      assert.deepEqual(await installed(s), ["alpha-store 1.0.0", "mesh-core 1.0.0"]);
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      await s.wants({ modules });
      assert.deepEqual(await installed(s), ["mesh-core 1.0.0"]);
      const refused = await s.module("alpha-store");
      assert.equal(refused?.state, "Error");
      assert.match(refused?.message ?? "", /only for Kymas with the label/);
      assert.equal((await s.module("mesh-core"))?.state, "Ready");
    },
  },
  {
    number: 24,
    name: "a module that a policy enforces runs as the policy says, and the status names it",
    async run(s) {
      await s.publish({ module: "mesh-core", version: "1.0.0" }, { module: "mesh-core", version: "2.0.0" });
      await s.release("mesh-core", { regular: "1.0.0", fast: "2.0.0" });
      await s.put(KymaPolicy, at("steady"), {
        spec: { enforce: [{ module: "mesh-core", channel: "regular" }] },
      });
      await s.wants({ modules: [{ name: "mesh-core", channel: "fast" }] });
      assert.deepEqual(await installed(s), ["mesh-core 1.0.0"]);
      const [wish] = (await s.get(Kyma, at("rt-1")))?.spec?.modules ?? [];
      assert.deepEqual([wish?.name, wish?.channel], ["mesh-core", "fast"], "what its user wrote stands");
      const module = await s.module("mesh-core");
      assert.deepEqual([module?.state, module?.channel], ["Ready", "regular"]);
      assert.match(module?.message ?? "", /policy steady decides channel of mesh-core: regular, not fast/);
      // It has the module also where nobody asks for it.
      await s.wants({ modules: [] }, { name: "rt-2" });
      assert.deepEqual(await installed(s, "rt-2"), ["mesh-core 1.0.0"]);
    },
  },
  {
    number: 25,
    name: "a module that a policy denies goes after a grace, and comes back with the end of the policy",
    async run(s) {
      await s.publish({ module: "mesh-core", version: "1.0.0" });
      await s.release("mesh-core", { regular: "1.0.0" });
      await s.wants({ modules: [{ name: "mesh-core" }] });
      await s.put(KymaPolicy, at("no-mesh"), { spec: { deny: ["mesh-core"] } });
      await s.settled();
      assert.deepEqual(await installed(s), ["mesh-core 1.0.0"]);
      const warned = await s.module("mesh-core");
      assert.equal(warned?.state, "Warning");
      assert.match(warned?.message ?? "", /no-mesh denies mesh-core.*removed at/);
      await s.leap(6);
      assert.deepEqual(await installed(s), []);
      assert.equal((await s.module("mesh-core"))?.state, "Warning");
      await s.remove(KymaPolicy, at("no-mesh"));
      await s.until("it to be back", async () => (await installed(s)).join() === "mesh-core 1.0.0");
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
    },
  },
  {
    number: 28,
    name: "a module for all is upgraded everywhere, and its release goes when the last cluster has lost it",
    async run(s) {
      for (const version of ["1.0.0", "1.1.0"]) await s.publish({ module: "warden", version });
      for (const name of ["rt-1", "rt-2"]) {
        await s.wants({ modules: name === "rt-2" ? [{ name: "warden" }] : [] }, { name });
      }
      await s.release("warden", "1.0.0");
      const everywhere = async () => [...(await installed(s)), ...(await installed(s, "rt-2"))];
      assert.deepEqual(await everywhere(), ["warden 1.0.0", "warden 1.0.0"]);
      assert.equal((await s.says()).modules, undefined, "it is not shown");
      assert.equal((await s.module("warden", "rt-2"))?.state, "Warning");
      await s.release("warden", "1.1.0");
      assert.deepEqual(await everywhere(), ["warden 1.1.0", "warden 1.1.0"]);
      const last = await s.manifest("warden");
      await held(s, last, ["acme.test/held"]);
      await s.remove(ModuleReleaseMeta, at("warden"));
      await s.settled();
      assert.deepEqual(await everywhere(), ["warden 1.1.0"]);
      assert.ok((await s.get(ModuleReleaseMeta, at("warden")))?.metadata.deletionTimestamp, "it goes last");
      await held(s, last, []);
      await s.settled();
      assert.deepEqual(await everywhere(), []);
      assert.equal(await s.get(ModuleReleaseMeta, at("warden")), undefined);
    },
  },
  {
    number: 28,
    name: "a module for all goes with its release, whatever requires it",
    async run(s) {
      await s.publish(
        { module: "warden", version: "1.0.0" },
        { module: "needy", version: "1.0.0", template: { requires: [{ module: "warden" }] } },
      );
      await s.release("warden", "1.0.0");
      await s.release("needy", { regular: "1.0.0" });
      await s.wants({ modules: [{ name: "needy" }] });
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      await s.remove(ModuleReleaseMeta, at("warden"));
      await s.settled();
      assert.deepEqual(await installed(s), ["needy 1.0.0"], "it stays without what it requires");
      assert.equal(await s.get(ModuleReleaseMeta, at("warden")), undefined);
    },
  },
  {
    number: 28,
    name: "a module for all goes with its release from a Kyma that is left alone, too",
    async run(s) {
      await s.publish({ module: "warden", version: "1.0.0" });
      const alone = { [LABELS.skipReconciliation]: "true" };
      for (const name of ["rt-1", "rt-2"]) await s.wants({ modules: [] }, { name });
      await s.release("warden", "1.0.0");
      await s.wants({ modules: [] }, { name: "rt-1", labels: alone });
      const last = await s.manifest("warden", "rt-2");
      await held(s, last, ["acme.test/held"]);
      await s.remove(ModuleReleaseMeta, at("warden"));
      await s.settled();
      assert.deepEqual([await installed(s), await installed(s, "rt-2")], [[], ["warden 1.0.0"]]);
      await held(s, last, []);
      await s.settled();
      assert.equal(await s.get(ModuleReleaseMeta, at("warden")), undefined);
    },
  },
];
