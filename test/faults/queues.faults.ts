import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type BrokeredBus, sqsBehindProxies } from "../../infra/faults/buses.ts";
import { breakInAllModes } from "../../infra/faults/network.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import type { FaultProxy } from "../../infra/testing/fault-proxy.ts";
import { seededRandom } from "../../infra/testing/random.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const BROKEN_MILLISECONDS = 6_000;
const BLOWS = 8;

describe(`SQS and its table under changes, with seed ${seed}`, () => {
  let site: TrialSite<BrokeredBus>;
  beforeAll(async () => {
    site = await startTrialSite({ bus: sqsBehindProxies });
  });
  afterAll(() => site.stop());

  /** Changes of all sorts while `breaks` breaks something. */
  const amidChanges = async (breaks: (random: () => number) => Promise<void>): Promise<void> => {
    const random = seededRandom(seed);
    const over = new AbortController();
    const changes = site.load.stream(over.signal, random, () => pause(200));
    await breaks(random);
    over.abort();
    await changes;
    await isUnharmed(site);
    nobodyEnded(site);
  };

  for (const [what, proxyOf] of [
    ["the queues", ({ bus }) => bus.broker],
    ["the table", ({ bus }) => bus.table],
  ] as const satisfies readonly (readonly [
    string,
    (site: TrialSite<BrokeredBus>) => FaultProxy | undefined,
  ])[])
    test(`the network between all and ${what} breaks`, () =>
      amidChanges(async () => {
        const proxy = proxyOf(site);
        assert.ok(proxy !== undefined);
        await breakInAllModes(proxy, BROKEN_MILLISECONDS);
      }));

  test("watchers and workers are killed at random", () =>
    amidChanges(async (random) => {
      const members = [...site.watchers, ...site.workers];
      for (let blow = 0; blow < BLOWS; blow++) {
        members[Math.floor(random() * members.length)]?.kill();
        await pause(3_000);
      }
    }));
});
