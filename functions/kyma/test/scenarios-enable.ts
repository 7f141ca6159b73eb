import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Namespace } from "../../../shared/kube/kinds/index.ts";
import { Manifest, RUNTIME_NAMESPACE } from "../kinds/index.ts";
import type { Stage } from "./stage.ts";

/** Modules are switched on and off: 1, 2. */
export const enable: readonly Scenario<Stage>[] = [
  {
    number: 1,
    name: "a module that the catalog lacks is a Warning, and is installed without a timer once it is there",
    async run(s) {
      await s.wants({ modules: [{ name: "alpha-store" }] });
      const before = await s.module("alpha-store");
      assert.equal(before?.state, "Warning");
      assert.match(before?.message ?? "", /no ModuleReleaseMeta alpha-store/);
      assert.equal((await s.says()).state, "Warning");

      await s.release("alpha-store", { regular: "1.4.2" });
      const between = await s.module("alpha-store");
      assert.equal(between?.state, "Error");
      assert.match(between?.message ?? "", /no ModuleTemplate alpha-store-1\.4\.2/);

      await s.publish({ module: "alpha-store", version: "1.4.2" });
      const manifest = await s.manifest("alpha-store");
      assert.deepEqual(
        [manifest?.spec?.version, manifest?.spec?.install.source.name, manifest?.status?.state],
        ["1.4.2", "acme.com/mods/alpha-store", "Ready"],
      );
      const after = await s.module("alpha-store");
      assert.deepEqual(
        [after?.state, after?.version, after?.channel, after?.message],
        ["Ready", "1.4.2", "regular", undefined],
      );
      const { state, activeChannel } = await s.says();
      assert.deepEqual([state, activeChannel], ["Ready", "regular"]);
      // Default configuration objects lie in it where they name no other.
      assert.ok(await s.get(Namespace, { name: RUNTIME_NAMESPACE }));
    },
  },
  {
    number: 2,
    name: "a module that is switched off writes nothing of another one",
    async run(s) {
      for (const module of ["alpha-store", "mesh-core"]) {
        await s.publish({ module, version: "1.0.0" });
        await s.release(module, { regular: "1.0.0" });
      }
      await s.wants({ modules: [{ name: "alpha-store" }, { name: "mesh-core" }] });
      await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
      const before = await s.manifest("mesh-core");
      await s.wants({ modules: [{ name: "mesh-core" }] });
      assert.equal(await s.manifest("alpha-store"), undefined);
      assert.deepEqual(
        (await s.says()).modules?.map(({ name }) => name),
        ["mesh-core"],
      );
      const raw = await s.stack.client.get(resourceOf(Manifest), before?.metadata ?? assert.fail());
      assert.equal(raw?.metadata.resourceVersion, before?.metadata.resourceVersion);
    },
  },
];
