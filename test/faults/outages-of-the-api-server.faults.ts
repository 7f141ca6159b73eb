import { afterAll, beforeAll, describe, test } from "vitest";
import { goesUnharmedThrough } from "../../infra/faults/outage.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";

const CHANGES = 30;

describe("outages of the API server", () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  });
  afterAll(() => world.stop());

  test("an API server that is killed gives nothing up", () =>
    goesUnharmedThrough(world, {
      what: "the API server is killed",
      async begin() {
        await world.load.change(CHANGES);
        await world.plane.apiserver.kill();
      },
      end: () => world.plane.apiserver.restart(),
    }));

  for (const [mode, what] of [
    ["refuse", "workers are cut off from the API server"],
    ["stall", "the API server takes the workers' connections and answers nothing"],
  ] as const)
    test(`${what}, and nothing is given up`, () =>
      goesUnharmedThrough(world, {
        what,
        async begin() {
          await world.workersApi.set(mode);
          await world.load.change(CHANGES);
        },
        end: () => world.workersApi.set("pass"),
      }));
});
