import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithoutControlPlane } from "../control-plane.ts";
import { startTestApi } from "../test-api.ts";
import type { Cluster } from "./cluster.ts";
import { startDryRunCluster } from "./dry-run-cluster.ts";
import type { SystemInTests } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";
import { type Scenario, titleOf } from "./scenario.ts";

/** Plays scenarios, each run first dry and then for good: both must tell the same. Of those on the real API a sample. */
export function dryRuns(
  api: "local" | "real",
  proof: SystemInTests & {
    readonly scenarios: readonly Scenario<Cluster>[];
    readonly controllerManager: boolean;
  },
  isPlayed: (number: number) => boolean = () => true,
): void {
  const { name, scenarios, controllerManager } = proof;
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager }) : false;
  const title = `what a dry run of ${name} tells is what the run then writes (${api} API server)`;
  describe(title, { skip: skip !== false }, () => {
    for (const scenario of scenarios.filter(({ number }) => isPlayed(number)))
      test(titleOf(scenario), {
        skip: api === "real" && !isInSample(SHARES.realScenarios, title, scenario.number),
      }, async (t) => {
        const server = await startTestApi({ api });
        t.onTestFinished(() => server.stop());
        const cluster = await startDryRunCluster(server, proof);
        await scenario.run(cluster);
        await cluster.settled();
        await cluster.again();
        const { runs, writing } = cluster.compared;
        t.annotate(`${runs} runs compared, ${writing} wrote`);
        assert.ok(runs > 0);
      });
  });
}
