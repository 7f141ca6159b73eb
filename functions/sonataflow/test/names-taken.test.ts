import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { ConfigMap, Service } from "../../../shared/kube/kinds/index.ts";
import { Platform, Workflow } from "../index.ts";
import { FLOW, putPlatform, putWorkflow, TEAM } from "./people.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const OTHERS = {
  spec: { selector: { app: "payments" }, ports: [{ name: "web", port: 80, targetPort: 9000 }] },
};

describe("a name that a user's own object has", () => {
  let c: StackCluster;
  beforeAll(async () => {
    c = await startStackCluster("local");
    await putPlatform(c, TEAM);
  });
  afterAll(() => c.stack.stop());

  it("is not a workflow's: the Service serves on, and outlives the workflow that wanted its name", async () => {
    await c.put(Service, FLOW, OTHERS);
    await putWorkflow(c);
    await c.settled();
    const { status } = (await c.get(Workflow, FLOW)) ?? {};
    const running = status?.conditions?.find(({ type }) => type === "Running");
    assert.deepEqual([running?.status, running?.reason], ["False", "DeploymentFailure"]);
    assert.match(
      String(running?.message),
      /Service team-a\/onboard .* reveille\.dev\/adopt: SonataFlow\/onboard/,
    );
    const service = await c.get(Service, FLOW);
    assert.deepEqual(service?.spec?.selector, { app: "payments" });
    assert.deepEqual(service?.metadata.ownerReferences, []);
    await c.remove(Workflow, FLOW);
    await c.settled();
    assert.deepEqual((await c.get(Service, FLOW))?.spec?.selector, { app: "payments" });
  });

  it("is the workflow's once the user gives it away", async () => {
    await putWorkflow(c);
    await c.settled();
    await c.stack.client.patch(
      { group: "", version: "v1", kind: "Service", plural: "services", scope: "Namespaced" },
      FLOW,
      "merge",
      { metadata: { annotations: { "reveille.dev/adopt": "SonataFlow/onboard" } } },
      { fieldManager: "kubectl-annotate" },
    );
    await c.settled();
    const service = await c.get(Service, FLOW);
    assert.notDeepEqual(service?.spec?.selector, { app: "payments" });
    const { status } = (await c.get(Workflow, FLOW)) ?? {};
    assert.equal(status?.conditions?.find(({ type }) => type === "Running")?.status, "True");
  });

  it("is not a platform's service's either: the platform says whose it is", async () => {
    const at = { name: "team-jobs-service-props", namespace: TEAM.namespace };
    await c.put(ConfigMap, at, { data: { mine: "yes" } });
    await putPlatform(c, TEAM, { services: { jobService: {} } });
    await c.settled();
    const { status } = (await c.get(Platform, TEAM)) ?? {};
    const succeed = status?.conditions?.find(({ type }) => type === "Succeed");
    assert.deepEqual([succeed?.status, succeed?.reason], ["False", "Failure"]);
    assert.match(String(succeed?.message), /ConfigMap team-a\/team-jobs-service-props .* is not taken over/);
    assert.deepEqual((await c.get(ConfigMap, at))?.data, { mine: "yes" });
  });
});
