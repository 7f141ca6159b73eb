import assert from "node:assert/strict";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, createInbox, type NatsConnection } from "@nats-io/transport-node";
import { test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { sweepWork } from "../../shared/bus/nats/janitor.ts";
import { Names } from "../../shared/bus/nats/names.ts";
import { Wire } from "../../shared/bus/nats/wire.ts";
import { silent } from "../../shared/log/log.ts";
import { changed, done, route } from "../bus-contract/fixture.ts";

async function look(connection: NatsConnection): Promise<void> {
  const wire = new Wire(connection, createInbox());
  const manager = await jetstreamManager(connection);
  await sweepWork(
    { manager, wire, names: new Names("reveille"), log: silent },
    ["widget"],
    Number.MAX_SAFE_INTEGER,
  );
}

test("work that was replaced and done does not count as waiting after the server was killed", {
  skip: skipWithoutNats() !== false,
}, async () => {
  const server = await startNatsServer();
  const bus = await openNatsBus({
    nats: natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216 }),
    functions: ["widget"],
    route,
  });
  const atRest = (): Promise<true> =>
    eventually("nothing waits", async () => Object.keys(await bus.counts()).length === 0);
  try {
    // Each of them replaces one that waits; the displaced ones are what comes back.
    const keys = Array.from({ length: 50 }, (_, number) => `key-${number}`);
    for (let round = 0; round < 3; round++) for (const key of keys) await bus.publish([changed(key)]);
    const seen = new Set<string>();
    bus.consume({ parallel: 8 }, async ({ item }) => {
      seen.add(item.key);
      return done(item);
    });
    await eventually("all have run", () => seen.size === keys.length);
    await atRest();
    await server.kill();
    await server.start();
    await eventually("it is back", () => bus.ready());
    await atRest();
    await bus.publish([changed("key-7")]);
    await atRest();
    assert.equal(bus.ready(), true);
  } finally {
    await bus.close();
    await server.stop();
  }
});

test("what waits or runs stays when the work stream is looked through", {
  skip: skipWithoutNats() !== false,
}, async () => {
  const server = await startNatsServer();
  const connection = await connect({ servers: server.url });
  const bus = await openNatsBus({
    nats: natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216 }),
    functions: ["widget"],
    route,
  });
  try {
    const seen = new Set<string>();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    bus.consume({ parallel: 2 }, async ({ item }) => {
      // What is acknowledged meanwhile came later.
      if (item.key === "key-0") await released;
      seen.add(item.key);
      return done(item);
    });
    const keys = Array.from({ length: 30 }, (_, number) => `key-${number}`);
    await bus.publish(keys.map((key) => changed(key)));
    await eventually("others have run", () => seen.size > 5);
    await look(connection);
    release();
    await eventually("all have run", () => seen.size === keys.length);
  } finally {
    await bus.close();
    await connection.close();
    await server.stop();
  }
});

test("what was given back is there again at once, whoever looks through the work stream meanwhile", {
  skip: skipWithoutNats() !== false,
}, async () => {
  const server = await startNatsServer();
  const connection = await connect({ servers: server.url });
  const nats = natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216 });
  const bus = await openNatsBus({ nats, functions: ["widget"], route, cleans: false });
  try {
    const messages: string[] = [];
    const inbox = createInbox();
    connection.subscribe(inbox, {
      callback: (_, message) => {
        if (message.reply === undefined) return;
        messages.push(message.subject);
        connection.publish(message.reply, messages.length === 1 ? "-NAK" : "+ACK");
      },
    });
    const ask = (): void =>
      connection.publish(
        "$JS.API.CONSUMER.MSG.NEXT.reveille-work.widget-urgent",
        JSON.stringify({ batch: 1, expires: 30_000_000_000 }),
        { reply: inbox },
      );
    await bus.publish([changed("key")]);
    const manager = await jetstreamManager(connection);
    await eventually("there is a consumer", async () => {
      try {
        return (await manager.consumers.info("reveille-work", "widget-urgent")).num_pending === 1;
      } catch {
        // Not yet.
        return false;
      }
    });
    ask();
    await eventually("it came, and went back", () => messages.length === 1);
    await connection.flush();
    await look(connection);
    ask();
    // Much sooner than the server gives up on whoever took it.
    await eventually("it comes again", () => messages.length === 2, nats.leaseMilliseconds / 2);
    assert.equal(messages[0], messages[1]);
  } finally {
    await bus.close();
    await connection.close();
    await server.stop();
  }
});
