import assert from "node:assert/strict";
import { test } from "vitest";
import { Deployment } from "../../../shared/kube/kinds/index.ts";
import { Workflow } from "../index.ts";
import * as they from "./people.ts";
import { startStackCluster } from "./stack-cluster.ts";

const flow = {
  start: "Hello",
  states: [{ name: "Hello", type: "inject", data: { msg: "hi" }, end: true }],
};

test("a tenant's workflow of the same name, whatever it holds, breaks no other tenant's", async (t) => {
  const cluster = await startStackCluster("local");
  t.onTestFinished(() => cluster.stack.stop());
  await they.putHub(cluster);
  await they.putCluster(cluster, "a");
  await they.putWorkflow(cluster);
  await cluster.settled();
  for (const [namespace, odd] of [
    ["tenant-b", { terminationGracePeriodSeconds: 2 ** 53 }],
    ["tenant-c", { terminationGracePeriodSeconds: -(2 ** 60) }],
  ] as const)
    await cluster.put(
      Workflow,
      { name: they.FLOW.name, namespace },
      { spec: { flow, podTemplate: { ...odd, container: { image: "x" } } } },
    );
  await cluster.settled();
  await they.putWorkflow(cluster, they.FLOW, "gitops", "registry.example/onboard:2");
  await cluster.settled();
  const deployed = await cluster.get(Deployment, they.FLOW);
  assert.deepEqual(
    deployed?.spec.template.spec?.containers?.map(({ image }) => image),
    ["registry.example/onboard:2"],
  );
  assert.deepEqual(
    (await cluster.stack.engine.bus.deadLetters.list()).filter(({ key }) =>
      key.includes(`/${they.FLOW.namespace}/`),
    ),
    [],
  );
});
