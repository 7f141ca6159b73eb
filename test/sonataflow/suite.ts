import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { ClusterPlatform, Platform, Workflow } from "../../functions/sonataflow/index.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { versionsOf } from "../../infra/testing/world.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Event, Service } from "../../shared/kube/kinds/index.ts";
import { scenarios } from "./scenarios.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const KINDS = [ClusterPlatform, Platform, Workflow, ConfigMap, Deployment, Service, Event].map(resourceOf);

/** Every key once more must write nothing: this finds lost wakes and output that is not stable. */
export async function assertAtRest({ stack }: StackCluster): Promise<void> {
  await stack.settled();
  const before = await versionsOf(stack.client, KINDS);
  await stack.everyKeyOnce();
  assert.deepEqual(await versionsOf(stack.client, KINDS), before);
}

/** All scenarios on the whole stack, with nets off. */
export function scenarioSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`SonataFlow on the ${api} API`, { skip }, () => {
    let cluster: StackCluster;
    before(async () => {
      cluster = await startStackCluster(api);
    });
    after(() => cluster.stack.stop());
    afterEach(() => cluster.empty());
    for (const { number, name, run } of scenarios)
      test(`scenario ${number}: ${name}`, { timeout: 120_000 }, async () => {
        await run(cluster);
        await assertAtRest(cluster);
      });
  });
}
