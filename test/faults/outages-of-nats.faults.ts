import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { goesUnharmedThrough } from "../../infra/faults/outage.ts";
import { isUnharmed } from "../../infra/faults/unharmed.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";

const CHANGES = 30;

describe("outages of NATS", () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld();
  });
  afterAll(() => world.stop());

  test("the auditor tells what nobody answers", async () => {
    await world.bus.broker.set("refuse");
    await world.load.change(CHANGES);
    const missed = await world.auditor.missed();
    for (const namespace of ["north", "south"])
      assert.equal(
        missed.filter((line) => line.startsWith(`Gear ${namespace}/gear-`)).length,
        CHANGES / 2,
        missed.join("\n"),
      );
    await world.bus.broker.set("pass");
    await isUnharmed(world);
  });

  test("NATS that is away costs nothing", () =>
    goesUnharmedThrough(world, {
      what: "NATS is away",
      async begin() {
        await world.bus.broker.set("refuse");
        await world.load.change(CHANGES);
      },
      end: () => world.bus.broker.set("pass"),
    }));

  test("NATS that is killed amid changes costs nothing", async () => {
    let end = (): void => undefined;
    let killed: Promise<void> | undefined;
    await goesUnharmedThrough(world, {
      what: "NATS is killed",
      async begin() {
        await world.load.change(CHANGES);
        const isOver = new Promise<void>((resolve) => {
          end = resolve;
        });
        killed = world.bus.whileKilled?.(() => isOver);
        await world.load.change(CHANGES);
      },
      async end() {
        end();
        await killed;
      },
    });
  });
});
