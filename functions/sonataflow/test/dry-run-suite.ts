import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { startDryRunCluster } from "./dry-run-cluster.ts";
import { type Scenarios, scenarios } from "./scenarios.ts";

/** Plays scenarios, each run first dry and then for good: both must tell the same. */
export function dryRunSuite(
  kind: "local" | "real",
  isPlayed: (scenario: Scenarios[number]) => boolean,
): void {
  const skip = kind === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`what a dry run tells is what the run then writes (${kind} API server)`, {
    skip: skip !== false,
  }, () => {
    for (const scenario of scenarios.filter(isPlayed))
      test(`scenario ${scenario.number}: ${scenario.name}`, async (t) => {
        const api = await startTestApi({ api: kind });
        t.onTestFinished(() => api.stop());
        const cluster = await startDryRunCluster(api);
        await scenario.run(cluster);
        await cluster.settled();
        await cluster.again();
        const { runs, writing } = cluster.compared;
        t.annotate(`${runs} runs compared, ${writing} wrote`);
        assert.ok(runs > 0);
      });
  });
}
