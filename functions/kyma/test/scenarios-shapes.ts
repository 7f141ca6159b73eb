import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { worldOf } from "../../../infra/testing/world.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { alphaStore, DEFINITIONS, DEPLOYMENTS, MAPS, NAMESPACES, STORES } from "./alpha-store.ts";
import { type Stage, startStage } from "./stage.ts";

const PART_OF = "app.kubernetes.io/part-of";

/** The objects that modules brought into a cluster, with everything in them that is not the server's own. */
export async function appliedIn(client: KubeClient): Promise<Readonly<Record<string, unknown>>> {
  const isServed = (await client.discover(STORES.group, STORES.version)).length > 0;
  const resources = [DEPLOYMENTS, DEFINITIONS, MAPS, NAMESPACES, ...(isServed ? [STORES] : [])];
  const world = await worldOf(client, resources);
  return Object.fromEntries(
    Object.entries(world)
      .filter(([name, object]) => {
        const labels = fieldOf(fieldOf(object, "metadata"), "labels");
        return name.startsWith("AlphaStore ") || fieldOf(labels, PART_OF) === "Kyma";
      })
      .map(([name, object]) => [name, { ...(object as object), status: undefined }]),
  );
}

/** The documents: a catalog with two modules, and the Kyma that wants both. */
export async function documents(s: Stage): Promise<void> {
  await s.publish(alphaStore("1.0.0"), { module: "beta-map", version: "1.0.0" });
  for (const module of ["alpha-store", "beta-map"]) await s.release(module, { regular: "1.0.0" });
  await s.wants({ modules: [{ name: "alpha-store" }, { name: "beta-map" }] });
  await s.until("it to be Ready", async () => (await s.says()).state === "Ready");
}

/** One engine in several shapes: 42. */
export const shapes: readonly Scenario<Stage>[] = [
  {
    number: 42,
    name: "the same documents bring the same objects, from a control plane and within the cluster itself",
    async run(s) {
      const remote = await s.runtime("rt-1", { controllers: true });
      await documents(s);
      const fromOutside = await appliedIn(remote.client);
      assert.deepEqual(Object.keys(fromOutside).sort(), [
        "AlphaStore kyma-system/default",
        "ConfigMap alpha-system/one",
        "ConfigMap alpha-system/version",
        "ConfigMap default/beta-map",
        "CustomResourceDefinition /alphastores.store.acme.test",
        "Deployment alpha-system/alpha-store-operator",
        "Namespace /alpha-system",
      ]);
      assert.deepEqual(Object.keys(await appliedIn(s.stack.client)), [], "nothing of it lands at home");
      const within = await startStage({ api: "local", target: "local" });
      try {
        await documents(within);
        assert.deepEqual(await appliedIn(within.stack.client), fromOutside);
      } finally {
        await within.stop();
      }
    },
  },
];
