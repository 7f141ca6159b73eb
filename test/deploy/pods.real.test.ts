import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import { scenarios } from "../../functions/sonataflow/test/scenarios.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { applyAll } from "./accounts.ts";
import { usesIn } from "./audit.ts";
import { render } from "./chart.ts";
import { type Pods, startPods } from "./pods.ts";
import { type PodsCluster, podsCluster } from "./pods-cluster.ts";

const NAMESPACE = "reveille";
/** The budget at rest is 96, and 16 for the watchdog's thread; what a machine that does much else adds is no fault. The benchmark measures it. */
const MEBIBYTES = { rest: 126, load: 208 };
/** What a real kubelet would run; here it is run as processes. */
const RUN_HERE = new Set(["Deployment", "StatefulSet", "PodDisruptionBudget", "NetworkPolicy"]);

function assertSmall(t: TestContext, { all }: Pods, limit: number): void {
  const sizes = all.map((pod) => ({ name: pod.name, resident: Math.round(pod.resident()) }));
  for (const { name, resident } of sizes) t.annotate(`${name}: ${resident} MiB`);
  assert.deepEqual(
    sizes.filter(({ resident }) => resident > limit),
    [],
  );
}

const skip = skipWithoutHelm() || skipWithoutNats() || skipWithoutControlPlane({ controllerManager: true });
describe("the chart's pods, as processes with their accounts and passwords", {
  skip: skip !== false,
  timeout: 1_800_000,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "reveille-pods-audit-"));
  const auditLog = join(folder, "audit.log");
  let api: TestApi;
  let pods: Pods;
  let cluster: PodsCluster;
  beforeAll(async () => {
    api = await startTestApi({
      api: "real",
      auditLog,
      admissionPlugins: ["OwnerReferencesPermissionEnforcement"],
    });
    const objects = render({ "bus.auth": { method: "password", secretName: "bus" } });
    await applyAll(api.client, [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
      ...objects.filter(({ kind }) => !RUN_HERE.has(kind)),
    ]);
    pods = await startPods(objects, api, NAMESPACE);
    cluster = await podsCluster(api, pods.nats.url);
  });
  afterAll(async () => {
    await cluster?.close();
    await pods?.stop();
    await api?.stop();
    rmSync(folder, { recursive: true });
  });

  test("are small at rest", (t) => {
    assertSmall(t, pods, MEBIBYTES.rest);
  });

  for (const { number, name, run } of scenarios)
    test(`scenario ${number}: ${name}`, { timeout: 180_000 }, async () => {
      await run(cluster);
      await cluster.settled();
      const versions = await cluster.versions();
      await cluster.again();
      assert.deepEqual(await cluster.versions(), versions);
      await cluster.empty();
    });

  test("are small after all that", (t) => {
    assertSmall(t, pods, MEBIBYTES.load);
  });

  test("asked for nothing that they may not", () => {
    const refused = usesIn(auditLog).filter(({ allowed }) => !allowed);
    assert.deepEqual(
      refused.map(({ account, verb, resource }) => `${account}: ${verb} ${resource}`),
      [],
    );
    // A worker asks once for what only others may: to make streams that are not there yet, and to count all functions' work.
    const denied =
      /permissions violation (?!for publish to \\"\$JS\.API\.(STREAM\.CREATE|CONSUMER\.INFO|DIRECT\.GET|STREAM\.INFO))/i;
    for (const pod of pods.all) assert.doesNotMatch(pod.log(), denied, pod.name);
  });
});
