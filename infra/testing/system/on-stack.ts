import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../control-plane.ts";
import { assertAtRest } from "./at-rest.ts";
import type { Proof, Stage, StageOptions } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";
import { titleOf } from "./scenario.ts";
import { assertWoken, watchReads } from "./unwoken-reads.ts";

const LIMIT_MILLISECONDS = 120_000;
/** The number of times that every key is run once more after a scenario. */
const ROUNDS = { local: 3, real: 1 } as const;

/**
 * All scenarios on the whole stack, one after the other on one API server. After each the world is at rest, and nothing was
 * read that does not wake.
 *
 * @param share one scenario in so many is played where a seed is set; all of them on the local API server, unless told otherwise
 */
export function scenariosOn<S extends Stage>(
  api: StageOptions["api"],
  proof: Proof<S>,
  share: number = api === "real" ? SHARES.realScenarios : 1,
): void {
  const { name, system, scenarios, meantReads, controllerManager } = proof;
  const skip = api === "real" ? skipWithoutControlPlane({ controllerManager }) : false;
  describe(`${name} on the ${api} API`, { skip: skip !== false }, () => {
    let stage: S;
    const watched = watchReads(system);
    beforeAll(async () => {
      stage = await proof.start({ api, system: watched.system });
    });
    afterAll(() => stage.stop());
    afterEach(() => stage.empty());
    for (const scenario of scenarios)
      test(titleOf(scenario), {
        timeout: LIMIT_MILLISECONDS,
        skip: !isInSample(share, name, scenario.number),
      }, async () => {
        await scenario.run(stage);
        await assertAtRest(stage, proof, ROUNDS[api]);
        assertWoken(watched.take(), meantReads);
      });
  });
}
