import assert from "node:assert/strict";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterEach, beforeEach, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { changed, done, failed, item, keyOf, route, run } from "../bus-contract/fixture.ts";

const iso = (time: number): string => new Date(time).toISOString();

/** What was learned from the server, each where it would be seen first. */
describe("pitfalls of a real nats-server", { skip: skipWithoutNats() !== false }, () => {
  let server: NatsServer;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  const open = new Set<NatsBus>();
  const openBus = async (over: Record<string, unknown> = {}): Promise<NatsBus> => {
    const bus = await openNatsBus({
      nats: natsOptions.parse({
        servers: [server.url],
        leaseMilliseconds: 3_000,
        maximumBytes: 16_777_216,
        ...over,
      }),
      functions: ["widget"],
      route,
      retry: {
        initialMilliseconds: 1_000,
        factor: 2,
        maximumMilliseconds: 4_000,
        maximumAttempts: 5,
        jitter: 0,
      },
    });
    open.add(bus);
    return bus;
  };
  beforeEach(async () => {
    server = await startNatsServer();
    connection = await connect({ servers: server.url, maxReconnectAttempts: -1 });
    manager = await jetstreamManager(connection);
  });
  afterEach(async () => {
    for (const bus of open) await bus.close();
    open.clear();
    await connection.close();
    await server.stop();
  });
  const atRest = (bus: NatsBus): Promise<true> =>
    eventually("nothing is left to do", async () => Object.keys(await bus.counts()).length === 0, 20_000);

  test("locks, waits and timers that are gone do not come back when the server is killed", async () => {
    const bus = await openBus();
    const taken: string[] = [];
    const waited = {
      cluster: "local",
      group: "bench.example.org",
      kind: "Widget",
      namespace: "elsewhere",
      name: "db",
    };
    let settled = false;
    bus.consume({ parallel: 8 }, async ({ item: of }) => {
      taken.push(of.key);
      return settled
        ? done(of)
        : done(of, {
            waits: [waited],
            deadlines: { later: iso(Date.now() + 3_600_000) },
            net: Date.now() + 3_600_000,
          });
    });
    const keys = Array.from({ length: 20 }, (_, number) => `key-${number}`);
    await bus.publish(keys.map((key) => changed(key)));
    await eventually("all wait", async () => (await bus.counts()).widget?.parked === 20);
    settled = true;
    await bus.publish(keys.map((key) => changed(key)));
    await atRest(bus);
    await server.kill();
    await server.start();
    await eventually("the bus is back", () => bus.ready());
    await atRest(bus);
    const before = taken.length;
    await bus.publish([changed("db", { namespace: "elsewhere" })]);
    await bus.publish([changed("key-3")]);
    await eventually("a new event is run at once", () => taken.slice(before).includes("key-3"));
    await atRest(bus);
    assert.deepEqual(taken.slice(before), ["key-3"]);
  });

  test("what is centuries ahead neither fires at once nor is lost", async () => {
    const bus = await openBus();
    let runs = 0;
    bus.consume({ parallel: 1 }, async ({ item: of }) => {
      runs += 1;
      return done(of, { deadlines: { far: "2300-01-01T00:00:00.000Z" } });
    });
    await bus.enqueue([item("a")]);
    await eventually("it is set", async () => (await bus.pending(keyOf("a"))).deadlines.far !== undefined);
    const { state } = await manager.streams.info("reveille-state", { subjects_filter: "reveille.x.>" });
    const [subject = ""] = Object.keys(state.subjects ?? {});
    const record = await manager.direct.getMessage("reveille-state", { last_by_subj: subject });
    assert.equal(record?.header.get("Nats-Schedule"), `@every ${30 * 24 * 3_600}s`);
    assert.equal(runs, 1);
  });

  test("the server's own clock wakes a key whose host is gone, over the server's death too", async () => {
    const first = await openBus();
    const { promise, resolve } = Promise.withResolvers<number>();
    first.consume({ parallel: 1 }, async ({ item: of }) => {
      const due = Date.now() + 2_000;
      resolve(due);
      return done(of, { deadlines: { soon: iso(due) } });
    });
    await first.enqueue([item("a")]);
    const due = await promise;
    await eventually("it is set", async () => (await first.pending(keyOf("a"))).deadlines.soon !== undefined);
    await first.close();
    await server.kill();
    await eventually("it is due", () => Date.now() > due);
    await server.start();
    const next = await openBus();
    const woken: string[] = [];
    next.consume({ parallel: 1 }, async ({ item: of }) => {
      woken.push(...of.causes.map(({ timer, dueAt }) => `${timer} ${dueAt}`));
      assert.ok(Date.now() >= due);
      return done(of);
    });
    await eventually("it fired", () => woken.length > 0);
    await atRest(next);
    assert.deepEqual(woken, [`soon ${iso(due)}`]);
  });

  test("a full stream is an error for the sender, and nobody's work is dropped for it", async () => {
    const bus = await openBus({ maximumBytes: 65_536 });
    const stored: string[] = [];
    let number = 0;
    await assert.rejects(
      async () => {
        for (; number < 1_000; number++) {
          await bus.publish([changed(`key-${number}`)]);
          stored.push(`key-${number}`);
        }
      },
      { code: "BUS_FULL" },
    );
    assert.equal(bus.ready(), false);
    assert.ok(stored.length > 20);
    const seen = new Set<string>();
    bus.consume({ parallel: 8 }, async ({ item: of }) => {
      seen.add(of.key);
      return done(of);
    });
    await eventually("all that was stored is run", () => stored.every((key) => seen.has(key)));
    await bus.publish([changed("after")]);
    assert.equal(bus.ready(), true);
    await eventually("there is room again", () => seen.has("after"));
  });

  test("consumers neither stand still at a thousand deliveries nor give up", async () => {
    const bus = await openBus();
    await bus.consume({ parallel: 1 }, async ({ item: of }) => done(of)).stop();
    await eventually("the consumers are there", async () => {
      let found = 0;
      for (const stream of ["reveille-work", "reveille-state"])
        for await (const { config } of manager.consumers.list(stream)) {
          assert.equal(config.max_ack_pending, -1, config.durable_name);
          assert.equal(config.max_deliver, -1, config.durable_name);
          found += 1;
        }
      return found === 3;
    });
  });

  test("a stream that somebody changed is brought back, or named where that may not be", async () => {
    const bus = await openBus();
    await bus.close();
    const { config } = await manager.streams.info("reveille-work");
    await manager.streams.update("reveille-work", { ...config, max_bytes: 1_048_576 });
    await assert.rejects(openBus({ setUp: false }), {
      code: "BUS_MISCONFIGURED",
      message: /max_bytes is 1048576 and not 16777216/,
    });
    await openBus();
    assert.equal((await manager.streams.info("reveille-work")).config.max_bytes, 16_777_216);
  });

  test("an event for a key that another host runs goes to that host, which runs it once more at once", async () => {
    const [one, two] = [await openBus(), await openBus()];
    const began: { readonly by: string; readonly at: number; readonly causes: readonly string[] }[] = [];
    let release: () => void = () => undefined;
    let ended = 0;
    const consume = (bus: NatsBus, by: string, parallel: number) =>
      bus.consume({ parallel }, async ({ item: of }) => {
        began.push({ by, at: performance.now(), causes: of.causes.map(({ eventId }) => eventId) });
        if (began.length === 1) await new Promise<void>((resolve) => (release = resolve));
        ended = performance.now();
        return done(of);
      });
    const first = consume(one, "one", 1);
    await one.publish([changed("a", { id: "first" })]);
    await eventually("it runs", () => began.length === 1);
    // It has one place and that is taken: only the other host asks for items.
    consume(two, "two", 4);
    await two.publish([changed("a", { id: "second" })]);
    await two.publish([changed("a", { id: "third" })]);
    let quiet = 0;
    let said = 0;
    await eventually("the other host has handed it over", async () => {
      const { num_ack_pending: delivered, num_pending: pending } = await manager.consumers.info(
        "reveille-work",
        "widget-urgent",
      );
      const before = two.traffic().messages;
      quiet =
        pending === 0 && delivered > 0 && two.traffic().unanswered === 0 && said === before ? quiet + 1 : 0;
      said = before;
      return quiet > 3;
    });
    release();
    await eventually("the further run", () => began.length === 2);
    const [, further] = began;
    assert.equal(further?.by, "one");
    assert.deepEqual(further?.causes, ["second", "third"]);
    assert.ok((further?.at ?? 0) - ended < 1_500, `${(further?.at ?? 0) - ended} ms later`);
    await atRest(one);
    assert.equal(began.length, 2);
    await first.stop();
  });

  test("while the server is away the bus is not ready and publishing waits; work goes on when it is back", async () => {
    const bus = await openBus();
    const seen: string[] = [];
    bus.consume({ parallel: 2 }, async ({ item: of }) => {
      seen.push(of.key);
      return of.key === "fails" && of.attempt === 1 ? failed(of) : done(of, { run: run(of) });
    });
    await bus.publish([changed("a")]);
    await eventually("it works", () => seen.includes("a"));
    await server.kill();
    await eventually("it knows", () => !bus.ready());
    const waiting = bus.publish([changed("b"), changed("fails")]);
    await server.start();
    await waiting;
    await eventually("it is ready again", () => bus.ready());
    await eventually(
      "it works again",
      () => seen.filter((key) => key === "fails").length === 2 && seen.includes("b"),
    );
    await atRest(bus);
  });
});
