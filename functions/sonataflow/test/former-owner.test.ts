import assert from "node:assert/strict";
import { it } from "vitest";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { ConfigMap, Deployment, Service } from "../../../shared/kube/kinds/index.ts";
import { Workflow } from "../index.ts";
import { FLOW, putPlatform, putWorkflow, TEAM } from "./people.ts";
import { startStackCluster } from "./stack-cluster.ts";

it("serves a workflow that is made anew under its name, though nobody collects what the former one had", async (t) => {
  const api = await startTestApi({ api: "local", controllers: false });
  t.onTestFinished(() => api.stop());
  const c = await startStackCluster("local", { on: api });
  t.onTestFinished(() => c.stack.engine.stop());
  await putPlatform(c, TEAM);
  await putWorkflow(c);
  await c.settled();
  const children = [
    [Deployment, FLOW],
    [Service, FLOW],
    [ConfigMap, { ...FLOW, name: `${FLOW.name}-managed-props` }],
  ] as const;
  const uids = (): Promise<readonly (string | undefined)[]> =>
    Promise.all(children.map(async ([kind, at]) => (await c.get(kind, at))?.metadata.uid));
  const former = await uids();
  await c.remove(Workflow, FLOW);
  await c.settled();
  assert.deepEqual(await uids(), former, "nobody collected them");
  await putWorkflow(c);
  await c.settled();
  const owner = (await c.get(Workflow, FLOW))?.metadata.uid;
  for (const [index, [kind, at]] of children.entries()) {
    const child = await c.get(kind, at);
    assert.notEqual(child?.metadata.uid, former[index], kind.kind);
    assert.equal(child?.metadata.ownerReferences[0]?.uid, owner, kind.kind);
  }
  assert.deepEqual(await c.stack.engine.bus.deadLetters.list(), []);
});
