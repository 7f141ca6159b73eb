import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { versionsOf } from "../../../infra/testing/world.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Event, Service } from "../../../shared/kube/kinds/index.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";
import { scenarios } from "./scenarios.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const KINDS = [ClusterPlatform, Platform, Workflow, ConfigMap, Deployment, Service].map(resourceOf);

/** Versions of all that functions write; other controllers tell their Events whenever they like. */
async function written({ stack: { client }, list }: StackCluster): Promise<Readonly<Record<string, string>>> {
  const ours = (await list(Event)).filter(({ reportingComponent = "" }) =>
    reportingComponent.startsWith("sonataflow-"),
  );
  const events = ours.map(({ metadata }) => [`Event ${metadata.name}`, metadata.resourceVersion] as const);
  return { ...(await versionsOf(client, KINDS)), ...Object.fromEntries(events) };
}

/** Every key once more must write nothing: this finds lost wakes and output that is not stable. */
export async function assertAtRest(cluster: StackCluster): Promise<void> {
  await cluster.stack.settled();
  const before = await written(cluster);
  await cluster.stack.everyKeyOnce();
  assert.deepEqual(await written(cluster), before);
}

/** All scenarios on the whole stack, with nets off. */
export function scenarioSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`SonataFlow on the ${api} API`, { skip: skip !== false }, () => {
    let cluster: StackCluster;
    beforeAll(async () => {
      cluster = await startStackCluster(api);
    });
    afterAll(() => cluster.stack.stop());
    afterEach(() => cluster.empty());
    for (const { number, name, run } of scenarios)
      test(`scenario ${number}: ${name}`, { timeout: 120_000 }, async () => {
        await run(cluster);
        await assertAtRest(cluster);
      });
  });
}
