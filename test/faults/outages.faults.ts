import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sqsBehindProxies } from "../../infra/faults/buses.ts";
import { isUnharmed } from "../../infra/faults/unharmed.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";

/** With four attempts a key would be given up within seconds, where an outage counted. */
const OUTAGE_SECONDS = Number(process.env.FAULTS_OUTAGE_SECONDS ?? 60);
const CHANGES = 30;

const outage = (): Promise<void> => pause(OUTAGE_SECONDS * 1000);

describe("outages over NATS", () => {
  let world: FaultWorld;
  before(async () => {
    world = await startFaultWorld();
  });
  after(() => world.stop());

  test("the auditor tells what nobody answers", async () => {
    await world.bus.broker.set("refuse");
    await world.load.change(CHANGES);
    assert.ok((await world.auditor.missed()).length >= CHANGES);
  });

  test("NATS that is away costs nothing", async () => {
    await world.bus.broker.set("refuse");
    await world.load.change(CHANGES);
    await outage();
    await world.bus.broker.set("pass");
    await isUnharmed(world);
  });

  test("workers that are cut off from the API server give nothing up", async () => {
    await world.workersApi.set("refuse");
    await world.load.change(CHANGES);
    await outage();
    await world.workersApi.set("pass");
    await isUnharmed(world);
  });

  test("an API server that takes connections and answers nothing is away too", async () => {
    await world.workersApi.set("stall");
    await world.load.change(CHANGES);
    await outage();
    await world.workersApi.set("pass");
    await isUnharmed(world);
  });

  test("an API server that is killed for as long gives nothing up", async () => {
    await world.load.change(CHANGES);
    await world.plane.apiserver.kill();
    await outage();
    await world.plane.apiserver.restart();
    await isUnharmed(world);
  });
});

describe("outages over SQS", () => {
  let world: FaultWorld;
  before(async () => {
    world = await startFaultWorld({ bus: sqsBehindProxies, watchers: 1 });
  });
  after(() => world.stop());

  test("a table that is away costs nothing", async () => {
    await world.bus.table?.set("refuse");
    await world.load.change(CHANGES);
    await outage();
    await world.bus.table?.set("pass");
    await isUnharmed(world);
  });

  test("an API server that is away costs nothing", async () => {
    await world.workersApi.set("refuse");
    await world.load.change(CHANGES);
    await outage();
    await world.workersApi.set("pass");
    await isUnharmed(world);
  });
});
