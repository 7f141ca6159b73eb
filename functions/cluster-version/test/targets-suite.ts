import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { targets, verifier } from "./scenarios-targets.ts";
import { type Stage, startStage } from "./stage.ts";
import { assertAtRest } from "./sync-suite.ts";

/** Which releases are taken, on the whole stack, with nets off. */
export function targetsSuite(api: "local" | "real"): void {
  const skip = api === "real" ? skipWithoutControlPlane() : false;
  describe(`the choice of a release on the ${api} API`, { skip: skip !== false }, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await startStage({ api: await startTestApi({ api, controllers: false }), verifier });
    });
    afterAll(() => stage.stop());
    afterEach(() => stage.empty());
    for (const { number, name, run } of targets)
      test(`scenario ${number}: ${name}`, { timeout: 120_000 }, async () => {
        await run(stage);
        await assertAtRest(stage);
      });
  });
}
