import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { ConfigMap, Service } from "../../../shared/kube/kinds/index.ts";
import { Platform, Workflow } from "../index.ts";
import { FLOW, putPlatform, putWorkflow, TEAM } from "./people.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const EVENTS = { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" } as const;

describe("Events tell what came of the effects", () => {
  let c: StackCluster;
  beforeAll(async () => {
    c = await startStackCluster("local");
  });
  afterAll(() => c.stack.stop());

  const told = async (name: string): Promise<readonly string[]> =>
    (await c.stack.client.list(EVENTS, { namespace: TEAM.namespace })).items
      .filter(({ involvedObject }) => (involvedObject as { readonly name?: string }).name === name)
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  const annotate = async (kind: "platforms" | "workflows", name: string, n: number): Promise<void> => {
    const sort = kind === "platforms" ? "SonataFlowPlatform" : "SonataFlow";
    await c.stack.client.patch(
      {
        group: "sonataflow.org",
        version: "v1alpha08",
        kind: sort,
        plural: sort === "SonataFlow" ? "sonataflows" : "sonataflowplatforms",
        scope: "Namespaced",
      },
      { name, namespace: TEAM.namespace },
      "merge",
      { metadata: { annotations: { n: String(n) } } },
      { fieldManager: "kubectl-annotate" },
    );
  };

  it("of a platform whose service cannot be made: one warning, and no word of success", async () => {
    const at = { name: "team-jobs-service-props", namespace: TEAM.namespace };
    await c.put(ConfigMap, at, { data: { mine: "yes" } });
    await putPlatform(c, TEAM, { services: { jobService: {} } });
    await c.settled();
    for (const n of [1, 2, 3]) {
      await annotate("platforms", TEAM.name, n);
      await c.settled();
    }
    const events = await told(TEAM.name);
    assert.deepEqual(
      events.filter((event) => event.includes("is True")),
      [],
    );
    assert.equal(events.filter((event) => event.startsWith("Warning Failed")).length, 1, events.join("\n"));
    await c.remove(ConfigMap, at);
    await c.settled();
    assert.equal((await told(TEAM.name)).filter((event) => event.includes("Succeed is True")).length, 1);
    const { status } = (await c.get(Platform, TEAM)) ?? {};
    assert.equal(status?.conditions?.find(({ type }) => type === "Succeed")?.status, "True");
  });

  it("of a workflow that cannot be deployed: one warning, which names the object and no request", async () => {
    await c.put(Service, FLOW, { spec: { selector: { app: "payments" }, ports: [{ port: 80 }] } });
    await putWorkflow(c);
    await c.settled();
    for (const n of [1, 2]) {
      await annotate("workflows", FLOW.name, n);
      await c.settled();
    }
    const warnings = (await told(FLOW.name)).filter((event) => event.startsWith("Warning Failed"));
    assert.equal(warnings.length, 1, warnings.join("\n"));
    assert.match(warnings[0] ?? "", /Service team-a\/onboard/);
    assert.doesNotMatch(warnings[0] ?? "", /PATCH|\/apis\//);
    const { status } = (await c.get(Workflow, FLOW)) ?? {};
    assert.doesNotMatch(JSON.stringify(status), /PATCH|\/apis\//);
  });
});
