import assert from "node:assert/strict";
import { describe, type TestContext, test } from "vitest";
import { skipWithoutControlPlane } from "../control-plane.ts";
import { startTestApi } from "../test-api.ts";
import type { Cluster } from "./cluster.ts";
import { type DryRunCluster, type DryRunRounds, startDryRunCluster } from "./dry-run-cluster.ts";
import type { SystemInTests } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";
import { type Scenario, titleOf } from "./scenario.ts";

/** Scenarios on a stage whose runs are first run dry. */
export interface DryRunProof<S extends DryRunRounds> extends Pick<SystemInTests, "name"> {
  readonly scenarios: readonly Scenario<S>[];
  /** Starts a scenario's stage on an API server of its own, and ends both with the test. */
  start(api: "local" | "real", t: TestContext): Promise<S>;
  /** True where its stage has workloads that need a controller manager on the real API. */
  readonly controllerManager: boolean;
}

/** Plays scenarios, each run first dry and then for good: both must tell the same. Where a seed is set, a sample of them. */
export function dryRuns(
  api: "local" | "real",
  proof: SystemInTests & {
    readonly scenarios: readonly Scenario<Cluster>[];
    readonly controllerManager: boolean;
  },
  isPlayed?: (number: number) => boolean,
): void {
  const { name, scenarios, controllerManager } = proof;
  const start = async (kind: "local" | "real", t: TestContext): Promise<DryRunCluster> => {
    const server = await startTestApi({ api: kind });
    t.onTestFinished(() => server.stop());
    return startDryRunCluster(server, proof);
  };
  dryRunsOn<DryRunCluster>(api, { name, scenarios, controllerManager, start }, isPlayed);
}

/** The same with a stage of the system's own. */
export function dryRunsOn<S extends DryRunRounds>(
  api: "local" | "real",
  { name, scenarios, controllerManager, start }: DryRunProof<S>,
  isPlayed: (number: number) => boolean = () => true,
): void {
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager }) : false;
  const share = api === "real" ? SHARES.realScenarios : SHARES.longScenarios;
  const title = `what a dry run of ${name} tells is what the run then writes (${api} API server)`;
  describe(title, { skip: skip !== false }, () => {
    for (const scenario of scenarios.filter(({ number }) => isPlayed(number)))
      test(titleOf(scenario), {
        skip: !isInSample(share, title, scenario.number),
      }, async (t) => {
        const stage = await start(api, t);
        await scenario.run(stage);
        await stage.settled();
        await stage.again();
        const { runs, writing } = stage.compared;
        t.annotate(`${runs} runs compared, ${writing} wrote`);
        assert.ok(runs > 0);
      });
  });
}
