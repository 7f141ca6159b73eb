import { afterAll, beforeAll, describe, test } from "vitest";
import { sqsBehindProxies } from "../../infra/faults/buses.ts";
import { goesUnharmedThrough } from "../../infra/faults/outage.ts";
import type { FaultProxy } from "../../infra/faults/proxy.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";

const CHANGES = 30;

describe("outages over SQS", () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld({ bus: sqsBehindProxies, watchers: 1 });
  });
  afterAll(() => world.stop());

  for (const [what, proxyOf] of [
    ["the table is away", ({ bus }) => bus.table],
    ["the queues are away", ({ bus }) => bus.broker],
    ["workers over SQS are cut off from the API server", ({ workersApi }) => workersApi],
  ] as const satisfies readonly (readonly [string, (world: FaultWorld) => FaultProxy | undefined])[])
    test(`${what}, and nothing is given up`, () => {
      const proxy = proxyOf(world);
      return goesUnharmedThrough(world, {
        what,
        async begin() {
          await proxy?.set("refuse");
          await world.load.change(CHANGES);
        },
        end: async () => proxy?.set("pass"),
      });
    });
});
