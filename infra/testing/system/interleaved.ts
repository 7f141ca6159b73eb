import { describe, test } from "vitest";
import { startInterleaving } from "../interleaving.ts";
import { assertAtRest } from "./at-rest.ts";
import type { Proof, Stage } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";

const LIMIT_MILLISECONDS = 180_000;
/** The part of the writes that is refused. */
const FAULTS = 0.1;

/** Races and faults in many orders: a seed decides in which order requests are let through, and which writes are refused: of the home and of other clusters. */
export function interleavings<S extends Stage>(proof: Proof<S>): void {
  const orders = Number(process.env.SEEDS ?? proof.orders);
  const name = `${proof.name} under interleavings`;
  describe(name, () => {
    for (let seed = 1; seed <= orders; seed += 1)
      test(`seed ${seed}`, {
        timeout: LIMIT_MILLISECONDS,
        skip: !isInSample(SHARES.orders, name, seed),
      }, async () => {
        const interleaving = startInterleaving(seed, { faults: FAULTS });
        const { client } = interleaving;
        const stage = await proof.start({ api: "local", engineClient: client, clusterClient: client });
        try {
          for (const { number, run } of proof.scenarios) {
            if (!proof.races.includes(number)) continue;
            await run(stage);
            await assertAtRest(stage, proof);
            await stage.empty();
          }
        } finally {
          interleaving.stop();
          await stage.stop();
        }
      });
  });
}
