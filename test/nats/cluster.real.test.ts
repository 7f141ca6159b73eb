import assert from "node:assert/strict";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsCluster } from "../../infra/testing/nats-server.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, done, keyOf, route } from "../bus-contract/fixture.ts";

const STREAMS = ["work", "state"];

describe("three servers", { skip: skipWithoutNats() !== false }, () => {
  let servers: readonly NatsServer[] = [];
  beforeAll(async () => {
    servers = await startNatsCluster();
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  test("leaders are killed under load: no acknowledged event is lost", async (t) => {
    const urls = servers.map(({ url }) => url);
    const nats = natsOptions.parse({
      servers: urls,
      replicas: 3,
      leaseMilliseconds: 3_000,
      maximumBytes: 67_108_864,
    });
    const connection = await connect({ servers: urls, maxReconnectAttempts: -1 });
    const manager = await jetstreamManager(connection, { timeout: 2_000 });
    const bus = await openNatsBus({ nats, functions: ["widget"], route });
    const worker = await openNatsBus({ nats, functions: ["widget"], route });
    const heard = new Set<string>();
    const incomplete = new Set<string>();
    const consumer = worker.consume({ parallel: 8 }, async (lease) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      // A run that lost its lease is run again: only what ends counts.
      if (!(await lease.held())) return { state: "lost" };
      for (const { eventId } of lease.item.causes) heard.add(eventId);
      if (lease.item.causesIncomplete) incomplete.add(lease.item.key);
      return done(lease.item);
    });
    const published: { readonly id: string; readonly key: string }[] = [];
    let going = true;
    let refused = 0;
    t.onTestFinished(async () => {
      going = false;
      await publishing;
      await consumer.stop(1_000);
      await worker.close();
      await bus.close();
      await connection.close();
    });
    const publishing = Promise.all(
      [0, 1, 2].map(async (lane) => {
        for (let i = 0; going; i++) {
          const id = `event-${lane}-${i}`;
          const key = `key-${lane}-${i % 20}`;
          try {
            await bus.publish([changed(key, { id })]);
            published.push({ id, key });
          } catch {
            // Not acknowledged: its sender knows, and would send it again.
            refused += 1;
          }
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }),
    );
    for (const stream of STREAMS) {
      const before = heard.size;
      await eventually("work", () => heard.size > before + 100, 90_000);
      const leader = await leaderOf(manager, `reveille-${stream}`);
      const server = servers.find(({ name }) => name === leader) ?? assert.fail(`no server ${leader}`);
      await server.kill();
      const during = heard.size;
      await eventually("work goes on with two servers", () => heard.size > during + 50, 90_000);
      await server.start();
      await eventually("all three are in step", () => inStep(manager), 90_000);
    }
    going = false;
    await publishing;
    await eventually(
      "nothing is left to do",
      async () => Object.keys(await bus.counts()).length === 0,
      90_000,
    );
    assert.ok(published.length > 300, `only ${published.length} events, ${refused} refused`);
    const latest = new Map(published.map(({ id, key }) => [key, id]));
    // Of what waits for long only the newest causes are kept by name, and the item says so (B2).
    const lost = published.filter(
      ({ id, key }) => !heard.has(id) && (latest.get(key) === id || !incomplete.has(keyOf(key).key)),
    );
    assert.deepEqual(lost, []);
  });
});

const leaderOf = async (manager: JetStreamManager, stream: string): Promise<string> =>
  (await manager.streams.info(stream)).cluster?.leader ?? "";

async function inStep(manager: JetStreamManager): Promise<boolean> {
  for (const stream of STREAMS) {
    try {
      const { cluster } = await manager.streams.info(`reveille-${stream}`);
      if (!cluster?.replicas?.every(({ current, offline }) => current && offline !== true)) return false;
    } catch {
      // No leader yet.
      return false;
    }
  }
  return true;
}
