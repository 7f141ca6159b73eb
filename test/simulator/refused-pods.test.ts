import assert from "node:assert/strict";
import { it } from "vitest";
import { RESOURCES } from "../../infra/simulator/objects.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { condition, create, deploymentSpec } from "./workload-views.ts";

it("a Deployment whose pods are refused names none of them: each try would be news", async (t) => {
  const api = await startTestApi({ api: "local" });
  t.onTestFinished(() => api.stop());
  const spec = deploymentSpec("web", { replicas: 1 });
  const { template } = spec;
  await create(api.client, "Deployment", {
    metadata: { name: "web", namespace: "default" },
    spec: { ...spec, template: { ...template, spec: { ...template.spec, priority: 100 } } },
  });
  const said = await eventually("the refusal to be told", async () => {
    const live = await api.client.get(RESOURCES.Deployment, { namespace: "default", name: "web" });
    return live && condition(live as Parameters<typeof condition>[0], "ReplicaFailure");
  });
  assert.match(said.message ?? "", /^pods "web-[a-z0-9]+-" is forbidden: the integer value of priority/);
});
