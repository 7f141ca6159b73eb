import assert from "node:assert/strict";
import type { TestContext } from "vitest";
import { sonataflow } from "../../functions/sonataflow/index.ts";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { startControllers } from "../../infra/controllers/index.ts";
import { startSimulator } from "../../infra/simulator/index.ts";
import { functionsOf, ownKindsOf } from "../../infra/systems/declared.ts";
import { applyObjects, samplesOf } from "../../infra/systems/samples.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { Resource } from "../../shared/kube/client.ts";
import { silent } from "../../shared/log/log.ts";
import { Stage } from "./stage.ts";

const LIMIT = 60_000;
const workflows: Resource = {
  group: "sonataflow.org",
  version: "v1alpha08",
  kind: "SonataFlow",
  plural: "sonataflows",
  scope: "Namespaced",
};

/** A watcher and two workers on the bus that the environment names bring SonataFlow's samples to their end. */
export async function samplesSettle(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const stage = await Stage.open(t);
  const parts = { client: stage.client, clock: systemClock, log: silent };
  await applyCrds(
    stage.client,
    await planCrds(stage.client, ownKindsOf(functionsOf([sonataflow]))),
    systemClock,
  );
  const controllers = await startControllers(parts);
  t.onTestFinished(() => controllers.stop());
  const simulator = await startSimulator({ ...parts, delayMilliseconds: 50 });
  t.onTestFinished(() => simulator.stop());
  const words = ["--systems", "sonataflow"];
  const watcher = await stage.host(["watcher", ...words], environment);
  const workers = [
    await stage.host(["worker", ...words], environment),
    await stage.host(["worker", ...words], environment),
  ];
  for (const host of [watcher, ...workers]) await host.readyz(200);
  const samples = samplesOf("sonataflow");
  await applyObjects(stage.client, samples);
  const expected = samples.filter((one) => one.kind === "SonataFlow").length;
  assert.ok(expected > 0);
  await eventually(
    "all workflows run",
    async () => {
      const { items } = await stage.client.list(workflows);
      const running = items.filter((item) =>
        (
          item.status as { readonly conditions?: readonly { type: string; status: string }[] } | undefined
        )?.conditions?.some(({ type, status }) => type === "Running" && status === "True"),
      );
      return running.length === expected;
    },
    LIMIT,
  );
  for (const worker of workers)
    assert.equal(await worker.metric('reveille_items{function="sonataflow-workflows",state="dead"}'), 0);
}
