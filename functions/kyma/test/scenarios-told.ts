import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import {
  ANNOTATIONS,
  CONTROL_PLANE,
  Kyma,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
  RUNTIME_KYMA,
  RUNTIME_NAMESPACE,
} from "../kinds/index.ts";
import { alphaStore, DEPLOYMENTS, gone, OPERATOR, operatorThere, ready, SYSTEM } from "./alpha-store.ts";
import type { Stage } from "./stage.ts";
import { beat, condition, RUNTIME_ID, send, tell, watchedRuntime } from "./watching.ts";

const USER = { fieldManager: "user" } as const;
const MODULES = [{ name: "alpha-store" }, { name: "beta-map" }];

/** Objects of modules of which their runtimes tell, and what is found where they do not: 27, 34. */
export const told: readonly Scenario<Stage>[] = [
  {
    number: 34,
    name: "what a user changes while the runtime tells nothing is found, and looks end with the next sign of life",
    async run(s) {
      const there = await watchedRuntime(s);
      await beat(s);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      // From here on nobody watches the runtime but the program in it, which is dead.
      await s.leap(1);
      const at = { name: RUNTIME_KYMA, namespace: RUNTIME_NAMESPACE };
      const change = { spec: { channel: "fast" } };
      await there.client.patch(resourceOf(Kyma), at, "merge", change, { fieldManager: "user" });
      await s.settled();
      const taken = async (): Promise<string> =>
        (await s.get(Kyma, { name: "rt-1", namespace: CONTROL_PLANE }))?.metadata.annotations[
          ANNOTATIONS.userSpec
        ] ?? "";
      assert.doesNotMatch(await taken(), /fast/, "nobody has told of it");
      await s.leap(3);
      assert.equal((await condition(s, "Watch"))?.status, "False");
      assert.match(await taken(), /fast/);
      await beat(s);
      assert.equal((await condition(s, "Watch"))?.status, "True");
    },
  },
  {
    number: 27,
    name: "a copy of the catalog that a user edited, and a definition that one deleted, are restored once told of",
    async run(s) {
      await s.publish({ module: "alpha-store", version: "1.0.0" });
      await s.release("alpha-store", { regular: "1.0.0" });
      const there = await watchedRuntime(s);
      await beat(s);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      // From here on nobody watches the runtime but the program in it.
      await s.leap(1);
      const template = { name: "alpha-store-1.0.0", namespace: RUNTIME_NAMESPACE };
      const versionThere = async (): Promise<unknown> => {
        const found = await there.client.get(resourceOf(ModuleTemplate), template);
        return (found?.spec as { readonly version?: string } | undefined)?.version;
      };
      const edited = await there.client.patch(
        resourceOf(ModuleTemplate),
        template,
        "merge",
        { spec: { version: "9.9.9" } },
        USER,
      );
      await s.settled();
      assert.equal(await versionThere(), "9.9.9", "nobody has told of it");
      await tell(s, there, ModuleTemplate, edited);
      assert.equal(await versionThere(), "1.0.0");

      const definition = { name: "modulereleasemetas.operator.kyma-project.io" };
      const definitionThere = () => there.client.get(resourceOf(CustomResourceDefinition), definition);
      const before = (await definitionThere()) ?? assert.fail("it is there");
      await there.client.delete(resourceOf(CustomResourceDefinition), definition, { uid: undefined });
      await s.settled();
      assert.equal(await definitionThere(), undefined, "nobody has told of it");
      await tell(s, there, CustomResourceDefinition, before);
      await s.until("it to be back, with the releases", async () => {
        if ((await definitionThere())?.metadata.uid === undefined) return false;
        const release = { name: "alpha-store", namespace: RUNTIME_NAMESPACE };
        return (await there.client.get(resourceOf(ModuleReleaseMeta), release)) !== undefined;
      });
    },
  },
  {
    number: 27,
    name: "an object of a module that a user deleted is back once its runtime tells of it, and wakes no other module",
    async run(s) {
      const there = await watchedRuntime(s, { controllers: true });
      await s.runtime("rt-2", { controllers: true });
      await s.publish(alphaStore("1.0.0"), { module: "beta-map", version: "1.0.0" });
      for (const { name } of MODULES) await s.release(name, { regular: "1.0.0" });
      await s.wants({ modules: MODULES }, { labels: { [LABELS.runtimeId]: RUNTIME_ID } });
      await s.wants({ modules: MODULES }, { name: "rt-2", labels: { [LABELS.runtimeId]: "runtime-4712" } });
      await s.until("all modules to be ready", async () => {
        const all = await s.list(Manifest, CONTROL_PLANE);
        return all.length === 4 && all.every(({ status }) => status?.state === "Ready");
      });
      await beat(s);
      assert.equal((await condition(s, "Watch"))?.status, "True");
      // From here on nobody watches the runtime but the program in it.
      await s.leap(1);
      const own = (await s.manifest("alpha-store"))?.metadata.name ?? assert.fail("it is there");
      const other = (await s.manifest("beta-map"))?.metadata.name ?? assert.fail("it is there");
      /** The Manifests that are looked at meanwhile. */
      const lookedAt = async (deed: () => Promise<unknown>): Promise<readonly string[]> => {
        const before = s.stack.runs().length;
        await deed();
        const keys = s.stack
          .runs()
          .slice(before)
          .filter((run) => run.function === "kyma-manifests" && run.outcome !== "swept")
          .map(({ key }) => key.split("/").at(-1) ?? "");
        return [...new Set(keys)].sort();
      };
      assert.deepEqual(await lookedAt(() => beat(s)), [], "a sign of life is no change");
      assert.deepEqual(await lookedAt(() => gone(s, there, DEPLOYMENTS, OPERATOR, SYSTEM)), []);
      assert.equal(await operatorThere(there), undefined, "nobody has told of it");

      const event = (name: string) => ({
        watched: { Namespace: SYSTEM, Name: name },
        watchedGvk: { group: "apps", version: "v1", kind: "Deployment" },
      });
      assert.deepEqual(await lookedAt(() => send(s, event("of-a-user"))), []);
      assert.equal(await operatorThere(there), undefined);
      const mended = await lookedAt(async () => {
        assert.equal(await send(s, event(OPERATOR)), 202);
        assert.ok(await operatorThere(there), "it is back");
        await ready(s);
      });
      assert.deepEqual(mended, [own]);
      await s.leap(1);
      // It may have been any object, of this runtime.
      assert.deepEqual(await lookedAt(() => send(s, {})), [own, other].sort());
    },
  },
];
