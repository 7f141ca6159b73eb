import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type MortalClient, mortalClient } from "../../../infra/testing/mortal-client.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { worldOf } from "../../../infra/testing/world.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { WORK_RECORD } from "../decide/sync/work-record.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import type { Scenario } from "./scenario.ts";
import { type Stage, startStage } from "./stage.ts";
import { scenarios } from "./sync-suite.ts";

const RACES = [12, 13, 14, 29, 31, 34];
const KINDS = [ClusterVersion, ClusterOperator, ConfigMap].map(resourceOf);

/** What two plays must agree in. How often something was tried before is no part of it. */
async function endOf({ stack: { client } }: Stage): Promise<unknown> {
  const { [`ConfigMap ${WORK_RECORD.namespace}/${WORK_RECORD.name}`]: _record, ...world } = await worldOf(
    client,
    KINDS,
  );
  return JSON.parse(JSON.stringify(world).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then"));
}

/** Plays a scenario with a worker that dies after its `nth` write; another one goes on with what it left. */
async function play(
  stage: Stage,
  scenario: Scenario,
  nth: number,
): Promise<{ readonly world: unknown; readonly mortal: MortalClient }> {
  let mortal: MortalClient | undefined;
  const engineClient = (client: KubeClient): KubeClient => {
    mortal = mortalClient(client, nth, () => stage.stack.engine.bus.abandon());
    return mortal.client;
  };
  await stage.stack.restartEngine({ engineClient });
  const host: MortalClient | undefined = mortal;
  if (host === undefined) throw new Error("the engine made no client");
  let restarted = false;
  const replace = async (): Promise<void> => {
    restarted = true;
    await stage.stack.restartEngine({ abruptly: true });
  };
  const survive = async (wait: () => Promise<void>): Promise<void> => {
    if (!restarted) {
      await Promise.race([wait(), host.died]);
      if (!host.dead()) return;
      await replace();
    }
    await wait();
  };
  await scenario.run({
    ...stage,
    settled: () => survive(() => stage.settled()),
    again: () => survive(() => stage.again()),
    restart: replace,
  });
  await survive(() => stage.settled());
  await survive(() => stage.again());
  const world = await endOf(stage);
  if (!restarted) await stage.stack.restartEngine();
  await stage.empty();
  return { world, mortal: host };
}

/** A death after every single write: all must come to the same end. */
describe("the sync of a ClusterVersion on a host that dies after any single write", () => {
  for (const scenario of scenarios.filter(({ number }) => RACES.includes(number)))
    test(`scenario ${scenario.number}: ${scenario.name}`, async (t) => {
      const directory = mkdtempSync(join(tmpdir(), "cluster-version-crash-"));
      const api = await startTestApi({ api: "local", controllers: false });
      const stage = await startStage({ api, directory });
      t.onTestFinished(async () => {
        await stage.stop();
        rmSync(directory, { recursive: true });
      });
      const whole = await play(stage, scenario, Number.POSITIVE_INFINITY);
      const writes = whole.mortal.writes();
      t.annotate(`${writes} writes`);
      for (let nth = 1; nth <= writes; nth += 1) {
        const { world } = await play(stage, scenario, nth);
        assert.deepEqual(world, whole.world, `died after write ${nth} of ${writes}`);
      }
    });
});
