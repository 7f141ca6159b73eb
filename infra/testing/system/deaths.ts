import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type MortalHost, mortalHost } from "../mortal-client.ts";
import { worldOf } from "../world.ts";
import { type Proof, type Stage, writtenKinds } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";
import { type Scenario, titleOf } from "./scenario.ts";

interface Play {
  readonly world: unknown;
  readonly mortal: MortalHost;
}

/** Plays a scenario with a host that dies after its `nth` write and is started again on what it left. */
async function play<S extends Stage>(
  stage: S,
  scenario: Scenario<S>,
  nth: number,
  proof: Proof<S>,
): Promise<Play> {
  const { essence = (world) => world } = proof;
  const host = mortalHost(nth, () => stage.stack.engine.bus.abandon());
  const mortal = { engineClient: host.through, clusterClient: host.through };
  await stage.stack.restartEngine(mortal);
  let restarted: Promise<void> | undefined;
  const restart = (): Promise<void> => {
    restarted = stage.stack.restartEngine({ abruptly: true });
    return restarted;
  };
  /** A wait may be part of another one: both see the death, and one of them ends it. `anew`: what is waited for then. */
  const survive = async (wait: () => Promise<void>, anew = wait): Promise<void> => {
    if (restarted === undefined) {
      await Promise.race([wait(), host.died]);
      if (!host.dead()) return;
    }
    await (restarted ?? restart());
    await anew();
  };
  const settled = (): Promise<void> => survive(() => stage.settled());
  const again = (): Promise<void> => survive(() => stage.again());
  /** A host that comes back after it was away is as mortal as before. */
  const whileAway = async (deeds: () => Promise<void>): Promise<void> => {
    if (host.dead()) {
      await (restarted ?? restart());
      await stage.stack.engine.stop();
      await deeds();
      return stage.stack.restartEngine();
    }
    await Promise.race([stage.stack.engine.stop(), host.died]);
    await deeds();
    if (host.dead()) return restart();
    await survive(
      () => stage.stack.restartEngine(mortal),
      async () => undefined,
    );
  };
  const { until } = stage;
  const played: S = {
    ...stage,
    settled,
    again,
    whileAway,
    restart: () => whileAway(async () => undefined),
    ...(until && {
      until: (what: string, holds: () => Promise<boolean>) => survive(() => until.call(played, what, holds)),
    }),
  };
  await scenario.run(played);
  await settled();
  await again();
  const home = await worldOf(stage.stack.client, writtenKinds(proof));
  const world = essence({ ...home, elsewhere: await stage.elsewhere?.() });
  // The next play begins with a host that lives.
  if (restarted === undefined) await stage.stack.restartEngine();
  await stage.empty();
  return { world, mortal: host };
}

/** Scenarios with a death after every single write of theirs, or after a sample of them: all must come to the same end. */
export function deathsAfterWrites<S extends Stage>(proof: Proof<S>): void {
  const { name, scenarios, deaths } = proof;
  describe(`${name} on a host that dies after any single write`, () => {
    for (const scenario of scenarios.filter(({ number }) => deaths?.includes(number) ?? true))
      test.concurrent(titleOf(scenario), async (t) => {
        const directory = mkdtempSync(join(tmpdir(), "system-deaths-"));
        const stage = await proof.start({ api: "local", directory });
        t.onTestFinished(async () => {
          await stage.stop();
          rmSync(directory, { recursive: true });
        });
        const whole = await play(stage, scenario, Number.POSITIVE_INFINITY, proof);
        const writes = whole.mortal.writes();
        const chosen = Array.from({ length: writes }, (_, index) => index + 1).filter((nth) =>
          isInSample(SHARES.deaths, `${name}, ${titleOf(scenario)}`, nth),
        );
        t.annotate(`${writes} writes, died after ${chosen.length} of them`);
        for (const nth of chosen) {
          const { world } = await play(stage, scenario, nth, proof);
          assert.deepEqual(world, whole.world, `died after write ${nth} of ${writes}`);
        }
      });
  });
}
