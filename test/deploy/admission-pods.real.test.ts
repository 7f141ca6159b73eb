import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Instance, kudo } from "../../functions/kudo/index.ts";
import { hostedShop, KINDS } from "../../functions/kudo/test/hosted-shop.ts";
import { dummy, plan } from "../../functions/kudo/test/operators.ts";
import { SHOP, type Shop } from "../../functions/kudo/test/shop.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutHelm } from "../../infra/testing/helm.ts";
import { skipWithoutNats } from "../../infra/testing/nats-server.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { type ChartPods, startChartPods } from "./chart-pods.ts";

const VERSION = { operatorVersion: { name: "web-1.0" } };
/** An Instance that is refused by its admission alone. */
const PROBE = {
  apiVersion: `${Instance.group}/${Instance.version}`,
  kind: Instance.kind,
  metadata: { name: "probe", namespace: SHOP },
  spec: { operatorVersion: { name: "gone" } },
};
const FIFTY = Array.from({ length: 50 }, (_, index) => index);

const skip = skipWithoutHelm() || skipWithoutNats() || skipWithoutControlPlane({ controllerManager: true });
describe("the chart's pods of KUDO where the API server asks them", {
  skip: skip !== false,
  timeout: 300_000,
}, () => {
  let chart: ChartPods;
  let shop: Shop;
  const refusal = async (write: Promise<unknown>): Promise<string> => {
    const thrown = await write.then(
      () => assert.fail("the write went through"),
      (error: unknown) => error,
    );
    if (!(thrown instanceof KubeError)) throw thrown;
    return thrown.status?.message ?? thrown.message;
  };

  beforeAll(async () => {
    const values = {
      systems: ["kudo"],
      "admission.enabled": true,
      "serve.enabled": true,
      "serve.replicas": 1,
    };
    chart = await startChartPods({ values, system: kudo, kinds: KINDS, asked: true });
    shop = hostedShop(chart.stack);
    await shop.version("web-1.0", {
      operator: { name: "web" },
      version: "1.0",
      parameters: FIFTY.map((index) => ({ name: `P${index}`, default: "0", trigger: `plan-${index}` })),
      tasks: [dummy("ok"), dummy("end", { done: false })],
      plans: {
        deploy: plan("ok: ok"),
        ...Object.fromEntries(FIFTY.map((index) => [`plan-${index}`, plan("end: end")])),
      },
    });
  });
  afterAll(async () => {
    await shop?.stop();
    await chart?.stop();
  });

  test("an Instance begins with the plan that its admission has chosen, which a worker runs", async () => {
    await eventually("the webhook to be asked", () =>
      chart.stack.client.create(resourceOf(Instance), PROBE, { fieldManager: "tester", dryRun: true }).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof KubeError)) throw error;
          return (error.status?.message ?? error.message).includes("not found");
        },
      ),
    );
    await shop.create(VERSION);
    await shop.settled();
    const { status, metadata } = await shop.instance();
    assert.equal(status?.planStatus?.deploy?.status, "COMPLETE");
    assert.equal(metadata.generation, 2, "made with its lock, and released once");
  });

  test("of fifty edits at once one wins, and the others are told why", async () => {
    const edits = await Promise.allSettled(
      FIFTY.map((index) => shop.edit({ parameters: { [`P${index}`]: "1" } })),
    );
    const won = FIFTY.filter((index) => edits[index]?.status === "fulfilled");
    assert.equal(won.length, 1);
    for (const [index, one] of edits.entries())
      if (one.status === "rejected")
        assert.equal(
          await refusal(Promise.reject(one.reason)),
          `admission webhook "instance-admission.kudo.dev" denied the request: failed to update Instance shop/db: plan 'plan-${won[0]}' is scheduled (or running) and an update would trigger a different plan 'plan-${index}'`,
        );
    assert.deepEqual((await shop.instance()).spec?.parameters, { [`P${won[0]}`]: "1" });
  });

  test("while no pod answers, nothing is written", async () => {
    await chart.pods.kill("reveille-serve");
    const before = (await shop.instance()).spec;
    assert.match(
      await refusal(shop.edit({ parameters: { P1: "2" } })),
      /failed calling webhook "instance-admission\.kudo\.dev"/,
    );
    assert.deepEqual((await shop.instance()).spec, before);
  });

  test("asked for nothing that they may not", () => chart.assertAllowed());
});
