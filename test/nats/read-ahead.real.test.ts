import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import type { Lease, Work } from "../../shared/bus/contract.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, done, keyOf, route } from "../bus-contract/fixture.ts";

describe("what a run needs from elsewhere is begun while its key is taken", {
  skip: skipWithoutNats(),
}, () => {
  let server: NatsServer;
  const buses: NatsBus[] = [];
  const openBus = async (): Promise<NatsBus> => {
    const nats = natsOptions.parse({ servers: [server.url], maximumBytes: 16_777_216 });
    const bus = await openNatsBus({ nats, functions: ["widget"], route });
    buses.push(bus);
    return bus;
  };
  before(async () => {
    server = await startNatsServer();
  });
  after(async () => {
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
});
