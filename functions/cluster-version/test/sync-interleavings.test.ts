import { describe, test } from "vitest";
import { startInterleaving } from "../../../infra/testing/interleaving.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { startStage } from "./stage.ts";
import { assertAtRest, scenarios } from "./sync-suite.ts";

const RACES = [12, 13, 14, 29, 31, 34];
const SEEDS = Number(process.env.SEEDS ?? 3);

/** Races and faults in many orders: a seed decides in which order requests are let through, and which writes are refused. */
describe("the sync of a ClusterVersion under interleavings", () => {
  for (let seed = 1; seed <= SEEDS; seed += 1)
    test(`seed ${seed}`, { timeout: 180_000 }, async () => {
      const interleaving = startInterleaving(seed, { faults: 0.1 });
      const api = await startTestApi({ api: "local", controllers: false });
      const stage = await startStage({ api, engineClient: interleaving.client });
      try {
        for (const { number, run } of scenarios) {
          if (!RACES.includes(number)) continue;
          await run(stage);
          await assertAtRest(stage);
          await stage.empty();
        }
      } finally {
        interleaving.stop();
        await stage.stop();
      }
    });
});
