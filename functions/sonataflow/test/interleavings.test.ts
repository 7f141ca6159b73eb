import { describe, test } from "vitest";
import { startInterleaving } from "../../../infra/testing/interleaving.ts";
import { scenarios } from "./scenarios.ts";
import { startStackCluster } from "./stack-cluster.ts";
import { assertAtRest } from "./suite.ts";

const RACES = [20, 28, 29, 38, 39];
const SEEDS = Number(process.env.SEEDS ?? 6);

/** Races and faults in many orders: a seed decides in which order requests are let through, and which writes are refused. */
describe("SonataFlow under interleavings", () => {
  for (let seed = 1; seed <= SEEDS; seed += 1)
    test(`seed ${seed}`, { timeout: 180_000 }, async () => {
      const interleaving = startInterleaving(seed, { faults: 0.1 });
      const cluster = await startStackCluster("local", { engineClient: interleaving.client });
      try {
        for (const { number, run } of scenarios) {
          if (!RACES.includes(number)) continue;
          await run(cluster);
          await assertAtRest(cluster);
          await cluster.empty();
        }
      } finally {
        interleaving.stop();
        await cluster.stack.stop();
      }
    });
});
