import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { versionsOf } from "../../../infra/testing/world.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import type { Scenarios } from "./scenario.ts";
import { faults } from "./scenarios-faults.ts";
import { gates } from "./scenarios-gates.ts";
import { moves } from "./scenarios-moves.ts";
import { objects } from "./scenarios-objects.ts";
import { type Stage, startStage } from "./stage.ts";

const KINDS = [ClusterVersion, ClusterOperator, ConfigMap].map(resourceOf);
export const scenarios: Scenarios = [...gates, ...moves, ...faults, ...objects];

/** Every key once more must write nothing: this finds lost wakes and output that is not stable. */
export async function assertAtRest(stage: Stage): Promise<void> {
  await stage.settled();
  const before = await versionsOf(stage.stack.client, KINDS);
  await stage.stack.everyKeyOnce();
  assert.deepEqual(await versionsOf(stage.stack.client, KINDS), before);
}

/** The sync's scenarios on the whole stack, with nets off. */
export function syncSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane() : false;
  describe(`the sync of a ClusterVersion on the ${api} API`, { skip: skip !== false }, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await startStage({ api: await startTestApi({ api, controllers: false }) });
    });
    afterAll(() => stage.stop());
    afterEach(() => stage.empty());
    for (const { number, name, run } of scenarios)
      test(`scenario ${number}: ${name}`, { timeout: 120_000 }, async () => {
        await run(stage);
        await assertAtRest(stage);
      });
  });
}
