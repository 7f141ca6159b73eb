import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { natsCluster } from "../../infra/faults/buses.ts";
import { startTrialSite, type TrialSite } from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import type { NatsServer } from "../../infra/testing/nats-server.ts";

const CHANGES = 30;
/** A server, and members that start again beside its absence. */
const AWAY_MILLISECONDS = 15_000;

describe("three NATS servers", () => {
  let site: TrialSite;
  let servers: readonly NatsServer[] = [];
  beforeAll(async () => {
    site = await startTrialSite({
      bus: async () => {
        const cluster = await natsCluster();
        servers = cluster.servers;
        return cluster;
      },
    });
  });
  afterAll(() => site.stop());

  test("each is killed in turn, and members start while it is away", async () => {
    for (const server of servers) {
      await server.kill();
      for (const member of [site.watchers[0], site.workers[0]]) member?.kill();
      await site.load.change(CHANGES);
      await pause(AWAY_MILLISECONDS);
      await server.start();
      await isUnharmed(site);
      nobodyEnded(site);
    }
  });

  test("all are killed at once, and members start without any", async () => {
    await Promise.all(servers.map((server) => server.kill()));
    for (const member of [...site.watchers, ...site.workers]) member.kill();
    await site.load.change(CHANGES);
    await pause(AWAY_MILLISECONDS);
    await Promise.all(servers.map((server) => server.start()));
    await isUnharmed(site);
    nobodyEnded(site);
  });
});
