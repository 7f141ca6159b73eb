import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { BrokeredBus } from "../../infra/faults/buses.ts";
import { sqsBehindProxies } from "../../infra/faults/buses.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import type { FaultProxy, ProxyMode } from "../../infra/testing/fault-proxy.ts";
import { seededRandom } from "../../infra/testing/random.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const BROKEN_MILLISECONDS = 6_000;
const BLOWS = 8;
const modes: readonly ProxyMode[] = ["stall", "reset", "half-close", "swallow", "slow", "refuse"];

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
        for (const mode of modes) {
          await proxyOf(site)?.set(mode);
          await pause(BROKEN_MILLISECONDS);
          await proxyOf(site)?.set("pass");
        }
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
