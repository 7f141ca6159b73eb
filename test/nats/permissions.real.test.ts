import assert from "node:assert/strict";
import { connect, type NatsConnection, PermissionViolationError } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import {
  type NatsBus,
  natsOptions,
  natsPermissions,
  natsUsers,
  openNatsBus,
  type UserPermissions,
  variableOf,
} from "../../shared/bus/nats/index.ts";
import { changed, done, failed, item, keyOf, route } from "../bus-contract/fixture.ts";

const emitted = { id: "widget.made" };
const permissions = natsPermissions(
  [
    { name: "widget", emits: [emitted], wakes: [] },
    { name: "other", emits: [], wakes: [] },
    { name: "woken", emits: [], wakes: [{ event: emitted }] },
  ],
  { commands: "commands" },
);
const { widget, other, commands } = permissions.functions;
const passwordOf = (user: string): string => `${user}-secret`;

describe("generated permissions on a real server", { skip: skipWithoutNats() !== false }, () => {
  let server: NatsServer;
  const open = new Set<NatsBus>();
  const openAs = async (
    { user, inbox }: UserPermissions,
    more: { readonly cleans?: boolean; readonly setUp?: boolean } = {},
  ): Promise<NatsBus> => {
    const { setUp = true, ...options } = more;
    const bus = await openNatsBus({
      nats: natsOptions.parse({
        servers: [server.url],
        user,
        password: passwordOf(user),
        inbox,
        maximumBytes: 16_777_216,
        setUp,
      }),
      ...options,
      functions: ["widget", "other", "woken", "commands"],
      route,
    });
    open.add(bus);
    return bus;
  };
  beforeAll(async () => {
    // As the server would from its environment.
    const configuration = natsUsers(permissions).replace(/\$([A-Z_]+_PASSWORD)/g, (_, name: string) => {
      const all = [permissions.watcher, permissions.operator, ...Object.values(permissions.functions)];
      const { user } = all.find((one) => variableOf(one.user) === name) ?? assert.fail(name);
      return JSON.stringify(passwordOf(user));
    });
    server = await startNatsServer({ configuration, waits: false });
    await eventually("the server takes the watcher's password", async () => {
      try {
        const { user } = permissions.watcher;
        await (
          await connect({ servers: server.url, user, pass: passwordOf(user), maxReconnectAttempts: 0 })
        ).close();
        return true;
      } catch {
        // Not yet.
        return false;
      }
    });
  });
  afterAll(async () => {
    for (const bus of open) await bus.close();
    await server.stop();
  });

  test("a worker that makes nothing takes what an operator enqueues before the watcher has published anything", async () => {
    assert.ok(other !== undefined);
    await openAs(permissions.watcher, { cleans: true });
    const worker = await openAs(other, { setUp: false });
    const operator = await openAs(permissions.operator, { cleans: false, setUp: false });
    const ran: string[] = [];
    const consumer = worker.consume({ parallel: 1, functions: ["other"] }, async ({ item: of }) => {
      ran.push(of.key);
      return done(of);
    });
    await operator.enqueue([{ ...item("first"), function: "other" }]);
    await eventually("it runs", () => ran.includes("first"));
    await consumer.stop();
  });

  test("watcher, worker and operator can do all that is theirs", async () => {
    assert.ok(widget !== undefined);
    const watcher = await openAs(permissions.watcher);
    const worker = await openAs(widget);
    const operator = await openAs(permissions.operator);
    const seen: string[] = [];
    worker.consume({ parallel: 4, functions: ["widget"] }, async ({ item: of }) => {
      seen.push(of.key);
      if (of.key === "fails") return failed(of, { retryable: false });
      if (of.key === "retried" && of.attempt === 1) return failed(of);
      return done(of, {
        net: Date.now() + 3_600_000,
        ...(of.key === "a" && { enqueue: [item("b", { sort: "sweep" }, "sweep")] }),
      });
    });
    const { refused } = await watcher.publish([
      changed("a"),
      changed("fails"),
      changed("retried"),
      changed("a"),
      { ...changed("x", { id: "bad" }), data: {} },
    ]);
    assert.equal(refused.length, 1);
    await eventually(
      "all have run",
      () => seen.includes("b") && seen.filter((key) => key === "retried").length === 2,
    );
    await eventually(
      "the dead letters are there",
      async () => (await operator.deadLetters.list()).length === 2,
    );
    assert.equal(await operator.deadLetters.redrive(keyOf("fails"), "alice"), true);
    await eventually("it was looked at again", () => seen.filter((key) => key === "fails").length === 2);
    // Once for each run of "a", which came twice.
    assert.ok((await operator.history.ofKey(keyOf("b"), 10)).length >= 1);
    await eventually("nothing runs", async () => (await operator.counts()).widget?.running === 0);
    await eventually("the watcher tells of all", async () => (await watcher.counts()).widget?.dead === 1);
    // Its own, and at once: who collects metrics waits for it.
    const began = performance.now();
    assert.deepEqual(Object.keys(await worker.counts()), ["widget"]);
    assert.ok(performance.now() - began < 5_000);
    await assert.rejects(worker.deadLetters.list(), { code: "BUS_MISCONFIGURED" });
    assert.equal(await operator.deadLetters.drop({ function: "-", key: "bad" }), true);
  });

  test("whoever carries out commands knows what was done, wakes every function and takes dead letters out", async () => {
    assert.ok(commands !== undefined && other !== undefined);
    const watcher = await openAs(permissions.watcher);
    const carrier = await openAs(commands);
    const worker = await openAs(other);
    const ran: string[] = [];
    worker.consume({ parallel: 1, functions: ["other"] }, async ({ item: of }) => {
      ran.push(of.key);
      return of.key === "dead" && ran.length === 1 ? failed(of, { retryable: false }) : done(of);
    });
    await watcher.enqueue([{ ...item("dead"), function: "other" }]);
    const dead = { function: "other", key: "dead" };
    await eventually("it is dead", async () => (await carrier.deadLetters.show(dead)) !== undefined);
    const known: number[] = [];
    carrier.consume({ parallel: 1, functions: ["commands"] }, async ({ item: of }) => {
      known.push((await carrier.history.ofKey(of, 10)).length);
      await carrier.deadLetters.redrive(dead, "alice");
      return done(of, { enqueue: [{ ...item("asked", { sort: "command" }), function: "other" }] });
    });
    await watcher.enqueue([{ ...item("c1"), function: "commands" }]);
    await eventually("both were looked at", () =>
      ["dead", "asked"].every((key) => ran.slice(1).includes(key)),
    );
    assert.deepEqual(known, [0]);
    const bad = { function: "-", key: "bad-command" };
    await watcher.publish([{ ...changed("x", { id: bad.key }), data: {} }]);
    assert.equal(await carrier.deadLetters.redrive(bad, "alice"), true);
    assert.equal(await carrier.deadLetters.drop(bad), true);
  });

  test("what somebody else wrote among the records hides no other", async () => {
    assert.ok(other !== undefined);
    const operator = await openAs(permissions.operator);
    const connection = await connect({
      servers: server.url,
      user: other.user,
      pass: passwordOf(other.user),
      inboxPrefix: other.inbox,
    });
    for (const [key, text] of [
      "garbage",
      "{}",
      "null",
      '{"state":null,"covered":{}}',
      '{"state":{},"covered":{}}',
    ].entries())
      connection.publish(`reveille.x.other.${key}`, text);
    for (const lane of ["urgent", "sweep"]) connection.publish(`reveille.w.other.${lane}.key`, "garbage");
    await connection.flush();
    const watcher = await openAs(permissions.watcher);
    await watcher.publish([{ ...changed("x", { id: "beside" }), data: {} }]);
    await eventually("the letters are listed", async () =>
      (await operator.deadLetters.list()).some(({ key }) => key === "beside"),
    );
    assert.ok("other" in (await operator.counts()));
    await connection.close();
  });

  test("a user without its inbox is told to name it", async () => {
    assert.ok(widget !== undefined);
    await assert.rejects(openAs({ ...widget, inbox: "_INBOX" }), {
      code: "BUS_MISCONFIGURED",
      message: /may not hear the answers\. Set `bus\.nats\.inbox`/,
    });
  });

  test("a function's user can neither read nor take, acknowledge, replace or hear another's work", async () => {
    assert.ok(other !== undefined && widget !== undefined);
    const watcher = await openAs(permissions.watcher);
    await watcher.enqueue([{ ...item("secret"), function: "woken" }]);
    const refused: string[] = [];
    const connection = await connect({
      servers: server.url,
      user: other.user,
      pass: passwordOf(other.user),
      inboxPrefix: other.inbox,
    });
    void listen(connection, refused);
    const heard: string[] = [];
    for (const subject of [
      ">",
      "reveille.w.>",
      "reveille.o.woken.*",
      `${widget.inbox}.>`,
      "_INBOX.>",
      "$JS.ACK.>",
    ])
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) heard.push(message.subject);
        },
      });
    await connection.flush();
    const tries = [
      "$JS.API.DIRECT.GET.reveille-work.reveille.w.woken.urgent.*",
      "$JS.API.DIRECT.GET.reveille-work.reveille.w.>",
      "$JS.API.DIRECT.GET.reveille-work",
      "$JS.API.DIRECT.GET.reveille-state",
      "$JS.API.STREAM.MSG.GET.reveille-work",
      "$JS.API.STREAM.PURGE.reveille-work",
      "$JS.API.STREAM.MSG.DELETE.reveille-work",
      "$JS.API.STREAM.DELETE.reveille-work",
      "$JS.API.CONSUMER.MSG.NEXT.reveille-work.woken-urgent",
      "$JS.API.CONSUMER.CREATE.reveille-work.woken-urgent.reveille.w.woken.urgent.*",
      "$JS.API.CONSUMER.CREATE.reveille-work.other-urgent.reveille.w.woken.urgent.*",
      "$JS.API.CONSUMER.CREATE.reveille-work",
      "$JS.API.CONSUMER.DURABLE.CREATE.reveille-work.other-urgent",
      "reveille.w.woken.urgent.abc",
      "reveille.x.woken.abc",
      "reveille.v.woken.abc",
      "$JS.ACK.reveille-work.woken-urgent.1.1.1.1.0",
    ];
    for (const subject of tries) connection.publish(subject, "{}", { reply: `${other.inbox}.x` });
    await connection.flush();
    await eventually("every try is refused", () => tries.every((subject) => refused.includes(subject)));
    // Its own consumer with another's filter: the right names the filter, and the server compares.
    const own = "$JS.API.CONSUMER.CREATE.reveille-work.other-urgent.reveille.w.other.urgent.*";
    const answer = await connection.request(
      own,
      JSON.stringify({
        stream_name: "reveille-work",
        config: {
          durable_name: "other-urgent",
          name: "other-urgent",
          ack_policy: "explicit",
          filter_subject: "reveille.w.woken.>",
        },
        action: "",
      }),
    );
    assert.ok("error" in answer.json<object>());
    await watcher.enqueue([{ ...item("secret", { eventId: "again" }), function: "woken" }]);
    await connection.flush();
    assert.deepEqual(heard, []);
    await connection.close();
  });

  test("one that emits may send to whom its events wake, and to nobody else", () => {
    assert.ok(widget?.publish.includes("reveille.w.woken.*.*"));
    assert.ok(!widget?.publish.includes("reveille.w.other.*.*"));
    assert.ok(!other?.publish.includes("reveille.e"));
  });
});

async function listen(connection: NatsConnection, refused: string[]): Promise<void> {
  for await (const status of connection.status())
    if (status.type === "error" && status.error instanceof PermissionViolationError)
      refused.push(status.error.subject);
}
