import { afterAll, beforeAll, describe, test } from "vitest";
import type { BrokeredBus } from "../../infra/faults/buses.ts";
import { sqsBehindProxies } from "../../infra/faults/buses.ts";
import { goesUnharmedThrough } from "../../infra/faults/outage.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import type { FaultProxy } from "../../infra/testing/fault-proxy.ts";

const CHANGES = 30;

describe("outages over SQS", () => {
  let site: TrialSite<BrokeredBus>;
  beforeAll(async () => {
    site = await startTrialSite({ bus: sqsBehindProxies, watchers: 1 });
  });
  afterAll(() => site.stop());

  for (const [what, proxyOf] of [
    ["the table is away", ({ bus }) => bus.table],
    ["the queues are away", ({ bus }) => bus.broker],
    ["workers over SQS are cut off from the API server", ({ workersApi }) => workersApi],
  ] as const satisfies readonly (readonly [
    string,
    (site: TrialSite<BrokeredBus>) => FaultProxy | undefined,
  ])[])
    test(`${what}, and nothing is given up`, () => {
      const proxy = proxyOf(site);
      return goesUnharmedThrough(site, {
        what,
        async begin() {
          await proxy?.set("refuse");
          await site.load.change(CHANGES);
        },
        end: async () => proxy?.set("pass"),
      });
    });
});
