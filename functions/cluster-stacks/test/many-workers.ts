import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../../infra/testing/nats-server.ts";
import { assertOneAtATime } from "../../../infra/testing/one-at-a-time.ts";
import { testSeed } from "../../../infra/testing/system/index.ts";
import { playMany } from "./many-stacks.ts";

/** Few of both where a seed asks for a sample. All workers share one thread here: the more there are, the less waits together for one run. */
const MANY =
  testSeed() === undefined
    ? { stacks: 200, clusters: 500, limitMilliseconds: 1_800_000 }
    : { stacks: 4, clusters: 10, limitMilliseconds: 60_000 };
const TIMEOUT = { timeout: 4 * MANY.limitMilliseconds };

/** Many stacks and addons at once, with events that come twice and in any order, by ever more workers. 40. */
export function manyWorkers(): void {
  describe("many stacks and addons over NATS, with doubled and reordered events", {
    skip: skipWithoutNats() !== false,
  }, () => {
    let server: NatsServer;
    let alone: unknown;
    beforeAll(async () => {
      server = await startNatsServer();
    });
    afterAll(() => server?.stop());
    const play = async (workers: number): Promise<unknown> => {
      const { world, runs } = await playMany(server, { ...MANY, workers });
      assertOneAtATime(runs);
      return world;
    };

    test("40: one worker brings them all about", TIMEOUT, async () => {
      alone = await play(1);
    });
    for (const workers of [4, 16])
      test(`40: ${workers} workers come to the same`, TIMEOUT, async () => {
        assert.deepEqual(await play(workers), alone);
      });
  });
}
