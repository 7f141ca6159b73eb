import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import type { Lease, Work } from "../../shared/bus/contract.ts";
import type { CauseSort, NewItem } from "../../shared/bus/item.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, done, keyOf, route } from "../bus-contract/fixture.ts";

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
    const told: unknown[] = [];
    const work: Work = Object.assign(
      async (lease: Lease) => {
        handed.push(lease.ahead);
        return done(lease.item, { deadlines });
      },
      {
        ahead: ({ causes }: Lease["item"], object?: unknown): string => {
          const name = causes.map(({ eventId }) => eventId).join();
          begun.push(name);
          told.push(object);
          return name;
        },
      },
    );
    return { begun, handed, told, work };
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

  /** An item as a change of the object `name` leads to it. */
  const item = (
    name: string,
    id: string,
    over: Partial<NewItem> & { readonly sort?: CauseSort },
  ): NewItem => {
    const { sort = "own", ...more } = over;
    const at = "2026-01-15T10:00:00Z";
    return {
      ...keyOf(name),
      lane: "urgent",
      cause: { sort, eventId: id, type: "resource.changed", revives: false, at },
      ...more,
    };
  };
  const cases: readonly [string, readonly NewItem[], unknown][] = [
    ["what the event told of the object", [item("k0", "a0", { object: { v: 1 } })], { v: 1 }],
    [
      "only the newest of several",
      [item("k1", "a1", { object: { v: 1 } }), item("k1", "b1", { object: { v: 2 } })],
      { v: 2 },
    ],
    [
      "nothing, where the newest change told nothing",
      [item("k2", "a2", { object: { v: 1 } }), item("k2", "b2", {})],
      undefined,
    ],
    [
      "what was told of the object, where something else changed later",
      [item("k3", "a3", { object: { v: 1 } }), item("k3", "b3", { sort: "child" })],
      { v: 1 },
    ],
  ];
  test("with what the event told of the object", async () => {
    const bus = await openBus();
    for (const [, items] of cases) for (const one of items) await bus.enqueue([one]);
    const { begun, told, handed, work } = remembering();
    const consumer = bus.consume({ parallel: 1 }, work);
    await eventually("all have run", () => handed.length >= cases.length);
    await consumer.stop();
    const tells = Object.fromEntries(begun.map((ids, index) => [ids, told[index]]));
    for (const [name, items, wanted] of cases)
      assert.deepEqual(tells[items.map(({ cause }) => cause.eventId).join()], wanted, name);
  });
});
