import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { Fleet } from "../../../infra/testing/fleet.ts";
import { natsFleet } from "../../../infra/testing/fleets.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../../infra/testing/nats-server.ts";
import { assertOneAtATime } from "../../../infra/testing/one-at-a-time.ts";
import { testSeed } from "../../../infra/testing/system/index.ts";
import { CONTROL_PLANE, LABELS, Manifest, ModuleReleaseMeta } from "../kinds/index.ts";
import { proof } from "./proof.ts";
import { componentOf, type Stage } from "./stage.ts";

/** The number of Kymas; few where a seed asks for a sample. */
const KYMAS = testSeed() === undefined ? 1_000 : 40;
const LIMIT_MILLISECONDS = testSeed() === undefined ? 600_000 : 60_000;
const WORKERS = 4;
/** The part of the roll-out after which a worker dies. */
const PART = 0.25;
/** The number of looks of which one reads: to read all Manifests takes the time that workers need. */
const LOOKS = Math.ceil(KYMAS / 40);
const MODULE = "alpha-store";

const nameOf = (kyma: number): string => `rt-${kyma}`;
const release = (s: Stage, version: string): Promise<void> =>
  s.put(
    ModuleReleaseMeta,
    { name: MODULE, namespace: CONTROL_PLANE },
    {
      spec: {
        moduleName: MODULE,
        ocmComponentName: componentOf(MODULE),
        channels: [{ channel: "regular", version }],
      },
    },
  );

/** Resolves once so many Kymas at least have the module in that version. */
async function installed(s: Stage, version: string, atLeast: number): Promise<void> {
  let looks = 0;
  await eventually(
    `${atLeast} Kymas to have ${version}`,
    async () => {
      looks += 1;
      if (looks % LOOKS !== 0) return false;
      const manifests = await s.list(Manifest, CONTROL_PLANE);
      return manifests.filter(({ spec }) => spec?.version === version).length >= atLeast;
    },
    LIMIT_MILLISECONDS,
  );
}

/** Many Kymas, whose workers are the shards: one of four dies during a roll-out. 40. */
export function manyWorkers(): void {
  describe(`${KYMAS} Kymas by ${WORKERS} workers over NATS, one of which dies`, {
    skip: skipWithoutNats() !== false,
  }, () => {
    let server: NatsServer;
    let s: Stage;
    let killWorker: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      server = await startNatsServer();
      const fleet: Fleet = {
        ...natsFleet(server, WORKERS),
        started: (workers) => {
          killWorker = workers.kill;
        },
      };
      s = await proof.start({ api: "local", fleet });
    });
    afterAll(async () => {
      await s?.stop();
      await server?.stop();
    });

    test("40: each Kyma is upgraded once, by one worker at a time", {
      timeout: 3 * LIMIT_MILLISECONDS,
    }, async () => {
      for (const version of ["1.0.0", "1.1.0"]) await s.publish({ module: MODULE, version });
      await release(s, "1.0.0");
      await Promise.all(
        Array.from({ length: KYMAS }, (_, kyma) =>
          s.wants({ modules: [{ name: MODULE }] }, { name: nameOf(kyma), settle: false }),
        ),
      );
      await installed(s, "1.0.0", KYMAS);
      const before = s.stack.runs().length;
      await release(s, "1.1.0");
      await installed(s, "1.1.0", Math.ceil(KYMAS * PART));
      assert.ok(killWorker !== undefined, "the workers have started");
      await killWorker();
      await installed(s, "1.1.0", KYMAS);
      await eventually(
        "no work to be left",
        async () =>
          Object.values(await s.stack.engine.bus.counts()).every(
            ({ waiting, running, retrying }) => waiting + running + retrying === 0,
          ),
        LIMIT_MILLISECONDS,
      );
      const manifests = await s.list(Manifest, CONTROL_PLANE);
      assert.equal(manifests.length, KYMAS, "there is one for each, and no other");
      assert.equal(new Set(manifests.map(({ metadata }) => metadata.labels[LABELS.kymaName])).size, KYMAS);
      assert.deepEqual(
        manifests.filter(({ metadata }) => metadata.generation !== 2).map(({ metadata }) => metadata.name),
        [],
        "each was made, and changed once",
      );
      assert.deepEqual(await s.stack.engine.bus.deadLetters.list(), []);
      assertOneAtATime(s.stack.runs().slice(before));
    });
  });
}
