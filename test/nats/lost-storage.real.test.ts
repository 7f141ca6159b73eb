import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type TestContext, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, done, F, keyOf, route } from "../bus-contract/fixture.ts";

const WAITED = { cluster: "local", group: "bench.example.org", kind: "Widget", namespace: "default" };

async function openOn(t: TestContext, server: NatsServer, setUp = true): Promise<NatsBus> {
  const nats = natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216, setUp });
  const bus = await openNatsBus({ nats, functions: [F], route });
  t.onTestFinished(() => bus.close());
  return bus;
}

test("a server that comes back empty is set up again, and every process goes on", {
  skip: skipWithoutNats() !== false,
  timeout: 120_000,
}, async (t) => {
  const server = await startNatsServer();
  t.onTestFinished(() => server.stop());
  const watcher = await openOn(t, server);
  const worker = await openOn(t, server, false);
  let replaced = 0;
  watcher.subscribe({ replaced: () => (replaced += 1) });
  const ran: string[] = [];
  // `a` waits for the object `b`, before and after.
  worker.consume({ parallel: 4 }, async ({ item }) => {
    ran.push(item.key);
    const finished = done(item);
    return item.key === "a" ? { ...finished, waits: [{ ...WAITED, name: "b" }] } : finished;
  });
  const run = async (name: string, others: readonly string[] = []): Promise<void> => {
    ran.length = 0;
    await watcher.publish([changed(name)]);
    await eventually("it runs", () => [name, ...others].every((key) => ran.includes(key)));
  };
  await run("a");
  await eventually("it waits", async () => (await worker.pending(keyOf("a"))).waits.length === 1);
  for (const name of ["x", "y", "z"]) await run(name);
  await run("b", ["a"]);
  const before = await watcher.storeId?.();

  await server.kill();
  rmSync(join(server.folder, "store"), { recursive: true });
  await server.start();
  await eventually("the watcher is told", () => replaced === 1);
  assert.notEqual(await watcher.storeId?.(), before);
  assert.equal(watcher.ready(), true);

  await run("c");
  // Nothing is known of `a` until it has run again.
  await run("a");
  await eventually("it waits", async () => (await worker.pending(keyOf("a"))).waits.length === 1);
  await run("b", ["a"]);
  assert.equal(replaced, 1);
  // It looks once a second while something is missing.
  await eventually("the worker is ready", () => worker.ready());
});

test("a stream that is deleted is made anew by whoever may, though only others write to it", {
  skip: skipWithoutNats() !== false,
  timeout: 120_000,
}, async (t) => {
  const server = await startNatsServer();
  t.onTestFinished(() => server.stop());
  const watcher = await openOn(t, server);
  const worker = await openOn(t, server, false);
  let replaced = 0;
  watcher.subscribe({ replaced: () => (replaced += 1) });
  const ran: string[] = [];
  worker.consume({ parallel: 4 }, async ({ item }) => {
    ran.push(item.key);
    return done(item);
  });
  await watcher.publish([changed("a")]);
  await eventually("it runs", () => ran.includes("a"));
  const connection = await connect({ servers: server.url });
  t.onTestFinished(() => connection.close());
  await (await jetstreamManager(connection)).streams.delete("reveille-state");
  await eventually("the watcher is told", () => replaced === 1);
  await watcher.publish([changed("b")]);
  await eventually("it runs", () => ran.includes("b"));
  await eventually("both are ready", () => watcher.ready() && worker.ready());
});
