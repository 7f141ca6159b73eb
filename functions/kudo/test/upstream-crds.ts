import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { parse } from "yaml";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { installKinds, startStack } from "../../../infra/testing/stack.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { Instance, kudo } from "../index.ts";
import { folder } from "./conformance.ts";
import { apply, CONFIG, plan } from "./operators.ts";

const INSTANCES = resourceOf(Instance);
const AT = { name: "db", namespace: "default" };
const kudoObject = (kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: "kudo.dev/v1beta1",
  kind,
  metadata: { name, namespace: AT.namespace },
  spec,
});
const OBJECTS = [
  kudoObject("OperatorVersion", "db-1.0.0", {
    version: "1.0.0",
    operator: { name: "db" },
    parameters: ["SIZE", "COLOR"].map((name) => ({ name, default: "1" })),
    plans: { deploy: plan("all: config") },
    tasks: [apply("config", "config.yaml")],
    templates: { "config.yaml": CONFIG },
  }),
  kudoObject("Instance", "db", { operatorVersion: { name: "db-1.0.0" } }),
];

/** KUDO where its own CRDs are installed, which know nothing of the fields that runs are counted by. */
export function upstreamCrds(api: "local" | "real"): void {
  const skip = folder === undefined || (api === "real" && skipWithoutControlPlane() !== false);
  describe(`KUDO's own CRDs on the ${api} API`, { skip }, () => {
    it("start no plan: the Instance says what is missing, and the plan runs once ours are there", async (t) => {
      const clock = leapingClock();
      const stack = await startStack({ api, systems: [kudo], clock });
      t.onTestFinished(() => stack.stop());
      const { client } = stack;
      const decidesByTheirs = async (): Promise<boolean> => {
        const asked = kudoObject("Instance", "asked", { planExecution: { force: true } });
        try {
          await client.apply(INSTANCES, asked.metadata, asked, { fieldManager: "test", dryRun: true });
          return false;
        } catch (thrown) {
          if (thrown instanceof KubeError && thrown.kind === "invalid") return true;
          throw thrown;
        }
      };
      for (const file of globSync(join(folder ?? "", "crds/*.yaml"))) {
        const crd: KubeObject = parse(readFileSync(file, "utf8"));
        const { managedFields: _, creationTimestamp: __, ...metadata } = crd.metadata;
        await client.apply(
          resourceOf(CustomResourceDefinition),
          metadata,
          { apiVersion: crd.apiVersion, kind: crd.kind, metadata, spec: crd.spec },
          { fieldManager: "reveille", force: true },
        );
      }
      await eventually("the server decides by KUDO's CRDs", decidesByTheirs);

      await stack.apply(OBJECTS);
      const away = async () => (await stack.engine.bus.counts())["kudo-instances"]?.away;
      await eventually("the Instance is parked", async () => (await away()) === 1);
      const [last] = stack.runs().toReversed();
      assert.equal(last?.error?.code, "CRD_LACKS_FIELDS");
      assert.match(last.error.message, /instances\.kudo\.dev .*\.status\..*reveille crds/);
      assert.deepEqual(
        await client
          .list(resourceOf(ConfigMap), { labelSelector: "heritage=kudo" })
          .then(({ items }) => items),
        [],
      );

      await installKinds(client, [kudo]);
      await eventually("the server decides by ours", async () => !(await decidesByTheirs()));
      const instance = await eventually("the plan to come to its end", async () => {
        if ((await away()) === 1) clock.leap(31_000);
        const { status } = ((await client.get(INSTANCES, AT)) ?? {}) as Partial<Obj<typeof Instance>>;
        return status?.planStatus?.deploy?.status === "COMPLETE" ? status : undefined;
      });
      assert.equal(instance.executions, 1, "it ran once");
      const { items } = await client.list(resourceOf(ConfigMap), { labelSelector: "heritage=kudo" });
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ["db-config"],
      );
      assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
    });
  });
}
