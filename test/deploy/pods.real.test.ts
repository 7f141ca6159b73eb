import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, type TestContext, test } from "vitest";
import { clusterVersionSystem } from "../../functions/cluster-version/system.ts";
import {
  hostedSite,
  payloadFolder,
  KINDS as VERSION_KINDS,
} from "../../functions/cluster-version/test/hosted-site.ts";
import { onHosts } from "../../functions/cluster-version/test/proofs.ts";
import type { Site } from "../../functions/cluster-version/test/site.ts";
import { kudo } from "../../functions/kudo/index.ts";
import { hostedShop, KINDS as KUDO_KINDS } from "../../functions/kudo/test/hosted-shop.ts";
import { onHosts as kudoScenarios } from "../../functions/kudo/test/scenarios.ts";
import type { Shop } from "../../functions/kudo/test/shop.ts";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { scenarios } from "../../functions/sonataflow/test/scenarios.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { scenariosOnHosts } from "../../infra/testing/system/on-hosts.ts";
import { writtenKinds } from "../../infra/testing/system/proof.ts";
import { type UserCluster, userCluster } from "../../infra/testing/system/user-cluster.ts";
import { type ChartPods, startChartPods } from "./chart-pods.ts";
import type { Pods } from "./pods.ts";

/**
 * At rest 96, and 16 for the watchdog's thread; what a machine that does much else adds is no fault. The benchmark measures it. Those
 * that work pay for being fast with 32 more: for code that is compiled at its first call, and for room for short-lived objects.
 */
const MEBIBYTES = { rest: 116, working: 32, load: 208 };

function assertSmall(t: TestContext, { all }: Pods, limit: (name: string) => number): void {
  const sizes = all.map((pod) => ({ name: pod.name, resident: Math.round(pod.resident()) }));
  for (const { name, resident } of sizes) t.annotate(`${name}: ${resident} MiB`);
  assert.deepEqual(
    sizes.filter(({ name, resident }) => resident > limit(name)),
    [],
  );
}

const skip = skipWithoutHelm() || skipWithoutNats() || skipWithoutControlPlane({ controllerManager: true });
describe("the chart's pods, as processes with their accounts and passwords", {
  skip: skip !== false,
  timeout: 1_800_000,
}, () => {
  let chart: ChartPods;
  let site: UserCluster;
  beforeAll(async () => {
    chart = await startChartPods({ system: sonataflow, kinds: writtenKinds({ system: sonataflow }) });
    const { client, settled, everyKeyOnce: again } = chart.stack;
    site = userCluster(client, sonataflow, { settled, again });
  });
  afterAll(() => chart?.stop());

  test("are small at rest", (t) => {
    assertSmall(t, chart.pods, (name) => MEBIBYTES.rest + (name.includes("watcher") ? 0 : MEBIBYTES.working));
  });

  scenariosOnHosts("the chart's pods", scenarios, () => ({ site, stack: chart.stack }));

  test("are small after all that", (t) => {
    assertSmall(t, chart.pods, () => MEBIBYTES.load);
  });

  test("asked for nothing that they may not", () => chart.assertAllowed());
});

describe("the chart's pods of the version operator", { skip: skip !== false, timeout: 1_800_000 }, () => {
  const payloads = payloadFolder();
  let chart: ChartPods;
  let site: Site;
  beforeAll(async () => {
    chart = await startChartPods({
      values: {
        systems: ["cluster-version"],
        configuration: { "cluster-version": { payloads: payloads.path } },
      },
      system: clusterVersionSystem,
      kinds: VERSION_KINDS,
    });
    site = hostedSite(chart.stack, payloads, true);
  });
  afterAll(async () => {
    await chart?.stop();
    payloads.remove();
  });

  scenariosOnHosts("the version operator's pods", onHosts, () => ({ site, stack: chart.stack }));

  test("asked for nothing that they may not", () => chart.assertAllowed());
});

describe("the chart's pods of KUDO", { skip: skip !== false, timeout: 1_800_000 }, () => {
  let chart: ChartPods;
  let site: Shop;
  beforeAll(async () => {
    chart = await startChartPods({ values: { systems: ["kudo"] }, system: kudo, kinds: KUDO_KINDS });
    site = hostedShop(chart.stack);
  });
  afterAll(async () => {
    await site?.stop();
    await chart?.stop();
  });

  scenariosOnHosts("KUDO's pods", kudoScenarios, () => ({ site, stack: chart.stack }));

  test("asked for nothing that they may not", () => chart.assertAllowed());
});
