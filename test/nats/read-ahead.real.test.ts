import assert from "node:assert/strict";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import type { Lease, Work } from "../../shared/bus/contract.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { Names } from "../../shared/bus/nats/names.ts";
import { changed, done, item, keyOf, route } from "../bus-contract/fixture.ts";

describe("what a run needs from elsewhere is begun while its key is taken", {
  skip: skipWithoutNats() !== false,
}, () => {
  let server: NatsServer;
  const buses: NatsBus[] = [];
  const openBus = async (): Promise<NatsBus> => {
    const nats = natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216 });
    const bus = await openNatsBus({ nats, functions: ["widget"], route });
    buses.push(bus);
    return bus;
  };
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    for (const bus of buses) await bus.close();
    await server.stop();
  });

  /** Work that remembers what was begun, and what each run was handed. */
  function remembering(deadlines: Readonly<Record<string, string>> = {}) {
    const begun: string[] = [];
    const handed: unknown[] = [];
    const work: Work = Object.assign(
      async (lease: Lease) => {
        handed.push(lease.ahead);
        return done(lease.item, { deadlines });
      },
      {
        ahead: ({ causes }: Lease["item"]): string => {
          const name = causes.map(({ eventId }) => eventId).join();
          begun.push(name);
          return name;
        },
      },
    );
    return { begun, handed, work };
  }

  test("and handed to the run", async () => {
    const bus = await openBus();
    const { begun, handed, work } = remembering();
    const consumer = bus.consume({ parallel: 2 }, work);
    await bus.publish([changed("calm", { id: "one" })]);
    await eventually("it has run", () => handed.length === 1);
    assert.deepEqual([begun, handed], [["one"], ["one"]]);
    await consumer.stop();
  });

  test("but not where another host ran the key since this one last knew of it", async () => {
    const [mine, other] = [await openBus(), await openBus()];
    const first = remembering();
    const consumer = mine.consume({ parallel: 2 }, first.work);
    await mine.publish([changed("shared", { id: "first" })]);
    await eventually("it has run here", () => first.handed.length === 1);
    await consumer.stop();

    // What it leaves behind stays, however long this takes.
    const theirs = remembering({ later: "2099-01-01T00:00:00Z" });
    const otherConsumer = other.consume({ parallel: 2 }, theirs.work);
    await mine.publish([changed("shared", { id: "second" })]);
    await eventually("it has run there", () => theirs.handed.length === 1);
    await eventually("it is at rest", async () => !(await mine.pending(keyOf("shared"))).running);
    await otherConsumer.stop();

    const again = remembering();
    const last = mine.consume({ parallel: 2 }, again.work);
    await mine.publish([changed("shared", { id: "third" })]);
    await eventually("it has run here again", () => again.handed.length === 1);
    assert.deepEqual([again.begun, again.handed], [["third"], [undefined]]);
    await last.stop();
  });

  test("once for each run, as soon as it shows that hosts take turns with the keys", async () => {
    const hosts = [await openBus(), await openBus()];
    const turns: ReturnType<typeof remembering>[] = [];
    for (let turn = 0; turn < 8; turn++) {
      const host = hosts[turn % 2] ?? assert.fail();
      // Each leaves something else behind, which stays.
      const mine = remembering({ later: `2099-01-01T00:00:0${turn}Z` });
      const consumer = host.consume({ parallel: 2 }, mine.work);
      await host.publish([changed("in turns", { id: `turn ${turn}` })]);
      await eventually("it has run", () => mine.handed.length === 1);
      await eventually("it is at rest", async () => !(await host.pending(keyOf("in turns"))).running);
      await consumer.stop();
      turns.push(mine);
    }
    for (const [turn, { begun, handed }] of turns.entries()) {
      assert.deepEqual(begun, [`turn ${turn}`]);
      if (turn >= 6) assert.deepEqual(handed, begun);
    }
  });

  test("as any other item is taken that an earlier version left with the object in it", async (t) => {
    const bus = await openBus();
    const connection = await connect({ servers: server.url });
    t.onTestFinished(() => connection.close());
    const stream = jetstream(connection);
    const names = new Names("reveille");
    const object = { kind: "Widget", spec: { text: "never sent on" } };
    const leave = async (name: string): Promise<void> => {
      const { cause, ...key } = item(name, { eventId: `of ${name}` });
      const waiting = {
        lane: "urgent",
        causes: [cause],
        causesIncomplete: false,
        notBefore: 0,
        enqueuedAt: 1,
      };
      const message = {
        version: 1,
        function: key.function,
        key: key.key,
        parts: [{ id: "1", waiting, object }],
      };
      await stream.publish(names.waiting(key, "urgent"), JSON.stringify(message));
    };
    await leave("alone");
    await leave("joined");
    // One more joins the item that waits.
    await bus.publish([changed("joined", { id: "later" })]);
    const manager = await jetstreamManager(connection);
    const stored = await manager.direct.getMessage(names.work, {
      last_by_subj: names.waiting(keyOf("joined"), "urgent"),
    });
    assert.doesNotMatch(stored?.string() ?? assert.fail("nothing waits"), /never sent on/);

    const runs: string[][] = [];
    const consumer = bus.consume({ parallel: 2 }, async (lease) => {
      runs.push(lease.item.causes.map(({ eventId }) => eventId));
      return done(lease.item);
    });
    await eventually("both have run", () => runs.length === 2);
    assert.deepEqual(runs.toSorted(), [["of alone"], ["of joined", "later"]]);
    await consumer.stop();
  });

  test("and so is an event that tells the object", async () => {
    const bus = await openBus();
    const event = changed("told", { id: "told" });
    const { refused } = await bus.publish([
      { ...event, data: { ...(event.data as object), object: { kind: "Widget" } } },
    ]);
    assert.deepEqual(refused, []);
    const { handed, work } = remembering();
    const consumer = bus.consume({ parallel: 1 }, work);
    await eventually("it has run", () => handed.length === 1);
    assert.deepEqual(handed, ["told"]);
    await consumer.stop();
  });
});
