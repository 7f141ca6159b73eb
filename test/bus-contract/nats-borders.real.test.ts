import assert from "node:assert/strict";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Envelope } from "../../events/index.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { keptLog, until } from "../../infra/testing/watched-cluster.ts";
import type { Lease, Route } from "../../shared/bus/contract.ts";
import { type NatsBus, natsOptions, openNatsBus } from "../../shared/bus/nats/index.ts";
import { Names } from "../../shared/bus/nats/names.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { Log } from "../../shared/log/log.ts";
import { changed } from "./fixture.ts";

/** `one-…` leads to the function one, all others to the function two. `sweep-…` is looked up. */
const route: Route = (event) => {
  const { ref, facts, seen, was } = event.data as {
    readonly ref: { readonly name: string };
    readonly facts: Record<string, unknown>;
    readonly seen: readonly Record<string, unknown>[];
    readonly was?: Record<string, unknown>;
  };
  const { name } = ref;
  const isSweep = name.includes("sweep");
  return [
    {
      function: name.startsWith("one") ? "one" : "two",
      key: name.endsWith("endless") ? name + "x".repeat(2_000_000) : name,
      lane: isSweep ? "sweep" : "urgent",
      cause: { sort: "own", eventId: event.id, type: event.type, revives: false, at: event.time },
      ...(isSweep && {
        sweep: {
          wake: 0,
          subject: { cluster: "c", name },
          facts: [facts, ...seen, was ?? {}],
          gone: false,
          incomplete: false,
        },
      }),
    },
  ];
};

describe("what somebody else writes on NATS, and what is too large for it", {
  skip: skipWithoutNats() !== false,
}, () => {
  let server: NatsServer;
  let stranger: NatsConnection;
  let number = 0;
  const open: NatsBus[] = [];
  const lines: Parameters<typeof keptLog>[0] = [];
  const log: Log = keptLog(lines);

  beforeAll(async () => {
    server = await startNatsServer();
    stranger = await connect({ servers: server.url });
  });
  afterAll(async () => {
    await Promise.all(open.map((bus) => bus.close()));
    await stranger?.close();
    await server?.stop();
  });
  const opened = async (prefix: string): Promise<NatsBus> => {
    const bus = await openNatsBus({
      nats: natsOptions.parse({
        servers: [server.url],
        prefix,
        maximumBytes: 16 << 20,
        history: { maximumBytes: 16 << 20 },
      }),
      functions: ["one", "two"],
      route,
      log,
      clock: systemClock,
    });
    open.push(bus);
    return bus;
  };
  const begun = async (): Promise<{
    readonly bus: NatsBus;
    readonly names: Names;
    readonly prefix: string;
  }> => {
    number += 1;
    const prefix = `borders${number}`;
    return { bus: await opened(prefix), names: new Names(prefix), prefix };
  };
  /** Publishes and says which ids were refused. */
  const refusedOf = async (bus: NatsBus, events: readonly Envelope[]): Promise<string[]> =>
    (await bus.publish(events)).refused.map(({ id }) => id);
  /** Runs what there is, and says which keys ran. */
  const runs = (bus: NatsBus): string[] => {
    const ran: string[] = [];
    bus.consume({ parallel: 4 }, (lease: Lease) => {
      ran.push(lease.item.key);
      return Promise.resolve({
        state: "finished",
        echoes: [],
        waits: [],
        deadlines: undefined,
        net: undefined,
        again: false,
        enqueue: [],
        run: {
          id: `run-${ran.length}`,
          function: lease.item.function,
          key: lease.item.key,
          lane: lease.item.lane,
          attempt: 1,
          startedAt: new Date().toISOString(),
          milliseconds: 0,
          traceparent: "",
          causes: [],
          reads: [],
          writes: [],
          outcome: "done",
          waitingFor: [],
          deadlines: {},
        },
      });
    });
    return ran;
  };

  it("a foreign message in the place of a waiting item is replaced", async () => {
    const { bus, names } = await begun();
    for (const garbage of [
      "garbage",
      "5",
      "{}",
      '{"version":1,"function":"one","key":"one-x","parts":[5]}',
    ]) {
      await stranger.request(names.waiting({ function: "one", key: "one-x" }, "urgent"), garbage);
      assert.deepEqual(await refusedOf(bus, [changed("two-a"), changed("one-x")]), []);
    }
    const ran = runs(bus);
    await until(() => ran.includes("one-x") && ran.includes("two-a"), "both to run");
  });

  it("a foreign note among the waits stops nobody, also after a restart", async () => {
    const { bus, prefix } = await begun();
    for (const [place, garbage] of [
      ["anything", "garbage"],
      ["other", "[]"],
      ["third", '{"version":1,"function":"two","key":"k","waits":[null]}'],
    ])
      await stranger.request(`${prefix}.v.one.${place}`, garbage);
    assert.deepEqual(await refusedOf(bus, [changed("two-a"), changed("one-b")]), []);
    assert.deepEqual(await refusedOf(await opened(prefix), [changed("two-c")]), []);
    const told = lines.filter(({ fields }) => String(fields.subject).startsWith(`${prefix}.v.`));
    assert.ok(told.length >= 3 && told.length <= 6, "each subject once a process");
  });

  it("a foreign record in the place of a key's own is replaced, and the key runs", async () => {
    const { bus, names } = await begun();
    await stranger.request(names.record({ function: "one", key: "one-x" }), "garbage");
    assert.deepEqual(await refusedOf(bus, [changed("one-x")]), []);
    const ran = runs(bus);
    await until(() => ran.includes("one-x"), "the key to run");
  });

  it("what a newer version wrote is left, refused aloud, and stops no other", async () => {
    const { bus, names, prefix } = await begun();
    const newer = JSON.stringify({ version: 99, function: "one", key: "one-x", shape: "unknown" });
    const subject = names.waiting({ function: "one", key: "one-x" }, "urgent");
    const before = (await stranger.request(subject, newer)).json<{ readonly seq: number }>();
    await stranger.request(`${prefix}.v.one.newer`, newer);
    assert.deepEqual(await refusedOf(bus, [changed("one-x", { id: "left" }), changed("two-a")]), ["left"]);
    const letter = await bus.deadLetters.show({ function: "-", key: "left" });
    assert.match(letter?.error.message ?? "", /newer version/);
    const stands = await stranger.request(`$JS.API.DIRECT.GET.${names.work}.${subject}`);
    assert.equal(stands.headers?.get("Nats-Sequence"), String(before.seq));
    // Without an event of its own it is said in the log.
    await bus.enqueue([...route(changed("one-x")), ...route(changed("two-b"))]);
    assert.ok(lines.some(({ fields }) => fields.code === "BUS_NEWER" && fields.key === "one-x"));
  });

  it("what many and long facts tell fits into messages, and counts every dependant", async () => {
    const { bus } = await begun();
    const long = (of: string): { readonly fact: string } => ({ fact: of.repeat(250_000) });
    const event = (value: string): Envelope => {
      const made = changed("two-sweep");
      return {
        ...made,
        data: { ...(made.data as object), facts: long(value), was: long("w"), seen: [long("s")] },
      };
    };
    for (const value of ["a", "b", "c", "d", "e"])
      assert.deepEqual(await refusedOf(bus, [event(value), changed("two-innocent")]), []);
    const ran = runs(bus);
    await until(() => ran.includes("two-sweep") && ran.includes("two-innocent"), "both to run");
  });

  it("an item that no message holds is refused with its event alone", async () => {
    const { bus } = await begun();
    const events = [changed("two-a"), changed("one-endless", { id: "huge" }), changed("two-b")];
    assert.deepEqual(await refusedOf(bus, events), ["huge"]);
    const letter = await bus.deadLetters.show({ function: "-", key: "huge" });
    assert.match(letter?.error.message ?? "", /max_payload/);
    await bus.enqueue([...route(changed("one-endless")), ...route(changed("two-c"))]);
    const ran = runs(bus);
    await until(() => ["two-a", "two-b", "two-c"].every((key) => ran.includes(key)), "the others to run");
    assert.equal(bus.ready(), true);
  });
});
