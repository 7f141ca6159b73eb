import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type MortalClient, mortalClient } from "../../../infra/testing/mortal-client.ts";
import { worldOf } from "../../../infra/testing/world.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Deployment, Service } from "../../../shared/kube/kinds/index.ts";
import { ClusterPlatform, Platform, Workflow } from "../index.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { type StackCluster, startStackCluster } from "./stack-cluster.ts";

const KINDS = [ClusterPlatform, Platform, Workflow, ConfigMap, Deployment, Service].map(resourceOf);

/** Plays a scenario with a host that dies after its `nth` write and is started again on what it left. */
async function play(
  cluster: StackCluster,
  scenario: Scenario,
  nth: number,
): Promise<{ readonly world: unknown; readonly mortal: MortalClient }> {
  let mortal: MortalClient | undefined;
  const engineClient = (client: KubeClient): KubeClient => {
    mortal = mortalClient(client, nth, () => cluster.stack.engine.bus.abandon());
    return mortal.client;
  };
  await cluster.stack.restartEngine({ engineClient });
  const host: MortalClient | undefined = mortal;
  if (host === undefined) throw new Error("the engine made no client");
  let restarted = false;
  const survive = async (wait: () => Promise<void>): Promise<void> => {
    if (!restarted) {
      await Promise.race([wait(), host.died]);
      if (!host.dead()) return;
      restarted = true;
      await cluster.stack.restartEngine({ abruptly: true });
    }
    await wait();
  };
  await scenario.run({
    ...cluster,
    settled: () => survive(() => cluster.settled()),
    again: () => survive(() => cluster.again()),
  });
  await survive(() => cluster.settled());
  await survive(() => cluster.again());
  const world = await worldOf(cluster.stack.client, KINDS);
  // The next play begins with a host that lives.
  if (!restarted) await cluster.stack.restartEngine();
  await cluster.empty();
  return { world, mortal: host };
}

/** Every scenario of one third, with a death after every single write of it: all must come to the same end. */
export function crashSuite(third: 0 | 1 | 2): void {
  describe("SonataFlow on a host that dies after any single write", () => {
    for (const scenario of scenarios.filter((_, index) => index % 3 === third))
      test(`scenario ${scenario.number}: ${scenario.name}`, async (t) => {
        const directory = mkdtempSync(join(tmpdir(), "sonataflow-crash-"));
        const cluster = await startStackCluster("local", { directory });
        t.onTestFinished(async () => {
          await cluster.stack.stop();
          rmSync(directory, { recursive: true });
        });
        const whole = await play(cluster, scenario, Number.POSITIVE_INFINITY);
        const writes = whole.mortal.writes();
        t.annotate(`${writes} writes`);
        for (let nth = 1; nth <= writes; nth += 1) {
          const { world } = await play(cluster, scenario, nth);
          assert.deepEqual(world, whole.world, `died after write ${nth} of ${writes}`);
        }
      });
  });
}
