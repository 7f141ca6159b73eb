import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { natsCluster } from "../../infra/faults/buses.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";
import type { NatsServer } from "../../infra/testing/nats-server.ts";

const CHANGES = 30;
/** A server, and members that start again beside its absence. */
const AWAY_MILLISECONDS = 15_000;

describe("three NATS servers", () => {
  let world: FaultWorld;
  let servers: readonly NatsServer[] = [];
  beforeAll(async () => {
    world = await startFaultWorld({
      bus: async () => {
        const cluster = await natsCluster();
        servers = cluster.servers;
        return cluster;
      },
    });
  });
  afterAll(() => world.stop());

  test("each is killed in turn, and members start while it is away", async () => {
    for (const server of servers) {
      await server.kill();
      for (const member of [world.watchers[0], world.workers[0]]) member?.kill();
      await world.load.change(CHANGES);
      await pause(AWAY_MILLISECONDS);
      await server.start();
      await isUnharmed(world);
      nobodyEnded(world);
    }
  });

  test("all are killed at once, and members start without any", async () => {
    await Promise.all(servers.map((server) => server.kill()));
    for (const member of [...world.watchers, ...world.workers]) member.kill();
    await world.load.change(CHANGES);
    await pause(AWAY_MILLISECONDS);
    await Promise.all(servers.map((server) => server.start()));
    await isUnharmed(world);
    nobodyEnded(world);
  });
});
