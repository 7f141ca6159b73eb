import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { BrokeredBus } from "../../infra/faults/buses.ts";
import { breakInAllModes } from "../../infra/faults/network.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import { seededRandom } from "../../infra/testing/random.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const BROKEN_MILLISECONDS = 8_000;

describe(`a network that breaks under changes, with seed ${seed}`, () => {
  let site: TrialSite<BrokeredBus>;
  beforeAll(async () => {
    // Short enough that a request that was swallowed is given up while the network is still broken.
    site = await startTrialSite({ settings: { cluster: { requestTimeout: "5s" } } });
  });
  afterAll(() => site.stop());

  for (const [way, proxyOf] of [
    ["between workers and API server", ({ workersApi }: TrialSite) => workersApi],
    ["between watchers and API server", ({ watchersApi }: TrialSite) => watchersApi],
    ["between all and the bus", ({ bus }: TrialSite<BrokeredBus>) => bus.broker],
  ] as const)
    test(way, async () => {
      const random = seededRandom(seed);
      const over = new AbortController();
      const changes = site.load.stream(over.signal, random, () => pause(100));
      await breakInAllModes(proxyOf(site), BROKEN_MILLISECONDS);
      over.abort();
      await changes;
      await isUnharmed(site);
      nobodyEnded(site);
    });
});
