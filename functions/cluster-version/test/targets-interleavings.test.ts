import { describe, test } from "vitest";
import { startInterleaving } from "../../../infra/testing/interleaving.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { targets, verifier } from "./scenarios-targets.ts";
import { startStage } from "./stage.ts";
import { assertAtRest } from "./sync-suite.ts";

/** Those in which three writers share the status while the spec changes. */
const RACES = [22, 23, 26, 41];
const SEEDS = Number(process.env.SEEDS ?? 2);

/** Races and faults in many orders: a seed decides in which order requests are let through, and which writes are refused. */
describe("the choice of a release under interleavings", () => {
  for (let seed = 1; seed <= SEEDS; seed += 1)
    test(`seed ${seed}`, { timeout: 180_000 }, async () => {
      const interleaving = startInterleaving(seed, { faults: 0.1 });
      const api = await startTestApi({ api: "local", controllers: false });
      const stage = await startStage({ api, verifier, engineClient: interleaving.client });
      try {
        for (const { number, run } of targets) {
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
