import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it, type TestContext } from "vitest";
import type { Envelope } from "../../events/index.ts";
import { releasePublished } from "../../events/release-published.ts";
import { allBy, defineEvent, defineSystem, each, on } from "../../index.ts";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import type { Lease } from "../../shared/bus/contract.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { commandItem, commandTypes } from "../../shared/function/commands.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { TerminalError } from "../../shared/function/terminal-error.ts";
import { pausedFunctions, withCommands } from "../../shared/host/commands/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { silent } from "../../shared/log/log.ts";
import { Pump, pump, Tank, tank } from "./kinds.ts";

const released = defineEvent(
  "release.published",
  releasePublished.data,
  ({ origin, version }) => `${origin}@${version}`,
);

interface Scene {
  readonly stack: Stack;
  readonly functions: readonly FunctionDeclaration[];
  /** How often each function decided, by `<function> <name>`. */
  readonly decided: Map<string, number>;
  readonly outcomes: { readonly command: string; readonly outcome: string; readonly message: string }[];
  /** Publishes a command and waits until nothing is left to do. */
  command(type: string, payload: object, over?: Partial<Envelope>): Promise<Envelope>;
  statusOf(name: string): Promise<unknown>;
}

async function scene(t: TestContext): Promise<Scene> {
  const decided = new Map<string, number>();
  const count = (name: string): void => void decided.set(name, (decided.get(name) ?? 0) + 1);
  const tanks = each(Tank).function({
    name: "tanks",
    wakes: [],
    reconcile: ({ self }) => {
      count(`tanks ${self.metadata.name}`);
      if (self.spec.size === 13) throw new TerminalError("no thirteen", { code: "THIRTEEN" });
      return { status: { level: self.spec.size } };
    },
  });
  const pumps = each(Pump).function({
    name: "pumps",
    wakes: [on(released).toEach((it, { version }) => it.metadata.name === version)],
    reconcile: ({ self }) => {
      count(`pumps ${self.metadata.name}`);
      return { status: { running: true } };
    },
  });
  const groups = allBy(Tank, "pump", { status: [] }).function({
    name: "groups",
    reconcile: ({ group }) => {
      count(`groups ${group}`);
      return {};
    },
  });
  const stack = await startStack({
    api: "local",
    systems: [defineSystem({ name: "test", functions: [tanks, pumps, groups] })],
  });
  t.onTestFinished(() => stack.stop());
  const outcomes: Scene["outcomes"] = [];
  stack.engine.bus.subscribe({
    published: ({ type, data }) => {
      if (type === "command.outcome") outcomes.push(data as Scene["outcomes"][number]);
    },
  });
  await stack.apply([tank("a", { size: 3, pump: "a" }), tank("b", { size: 4 }), pump("a", 1)]);
  await stack.settled();
  return {
    stack,
    functions: [tanks, pumps, groups],
    decided,
    outcomes,
    command: async (type, payload, over = {}) => {
      const event: Envelope = {
        specversion: "1.0",
        id: randomUUID(),
        type,
        source: "/test",
        time: new Date().toISOString(),
        datacontenttype: "application/json",
        data: { askedBy: "alice", ...payload },
        ...over,
      };
      assert.deepEqual(await stack.engine.bus.publish([event]), { refused: [] });
      await stack.settled();
      return event;
    },
    statusOf: async (name) =>
      (await stack.client.get(resourceOf(Tank), { namespace: "default", name }))?.status,
  };
}

const object = (name: string) => ({ group: "engine.example.org", kind: "Tank", namespace: "default", name });

describe("commands", () => {
  it("look at one key, one object, all of a function, all of a kind", async (t) => {
    const { stack, decided, command, outcomes } = await scene(t);
    const after = async (payload: object): Promise<Record<string, number>> => {
      decided.clear();
      await command("command.reconcile", payload);
      return Object.fromEntries(decided);
    };
    const key = `${stack.cluster}/engine.example.org/Tank/default/a`;
    assert.deepEqual(await after({ function: "tanks", key }), { "tanks a": 1 });
    assert.deepEqual(await after({ object: object("a") }), { "tanks a": 1, "groups a": 1 });
    assert.deepEqual(await after({ object: object("a"), function: "tanks" }), { "tanks a": 1 });
    assert.deepEqual(await after({ function: "tanks" }), { "tanks a": 1, "tanks b": 1 });
    assert.deepEqual(await after({ kind: { group: "engine.example.org", kind: "Pump" } }), { "pumps a": 1 });
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ["done", "done", "done", "done", "done"],
    );
  });

  it("are refused with a sentence where they name what is not there", async (t) => {
    const { stack, command, outcomes, decided } = await scene(t);
    decided.clear();
    await command("command.reconcile", { function: "nobody" });
    await command("command.reconcile", { function: "tanks", key: "x" });
    await command("command.reconcile", { function: "tanks", key: `${stack.cluster}/g/Other/default/a` });
    await command("command.reconcile", {
      function: "tanks",
      key: "elsewhere/engine.example.org/Tank/default/a",
    });
    await command("command.pause", { object: object("missing") });
    await command("command.pause", {
      object: { group: "", kind: "Secret", namespace: "default", name: "s" },
    });
    await command("command.redrive", {
      function: "tanks",
      key: `${stack.cluster}/engine.example.org/Tank/default/a`,
    });
    await command("command.redrive", { function: "tanks", key: "nosuchkey" });
    await command("command.redrive", { function: "nobody", key: "x" });
    await command("command.redrive", { function: "-", key: "x" });
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      [...Array(6).fill("refused"), "unchanged", "refused", "refused", "refused"],
    );
    assert.match(outcomes[6]?.message ?? "", /tanks Tank default\/a is not among the dead letters\./);
    assert.match(outcomes[8]?.message ?? "", /no function nobody/);
    assert.match(outcomes[9]?.message ?? "", /no refused event x/);
    assert.match(outcomes[0]?.message ?? "", /no function nobody; there are tanks, pumps, groups/);
    assert.equal(
      outcomes[1]?.message,
      `"x" is no key: a key is cluster/group/kind/namespace/name; one of tanks: ${stack.cluster}/engine.example.org/Tank/NAMESPACE/NAME.`,
    );
    assert.match(outcomes[4]?.message ?? "", /There is no Tank\.engine\.example\.org default\/missing/);
    assert.equal(decided.size, 0);
  });

  it("pause an object and resume it", async (t) => {
    const { stack, command, statusOf } = await scene(t);
    await command("command.pause", { object: object("a"), reason: "maintenance" });
    await stack.apply(tank("a", { size: 8, pump: "a" }));
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { level: 3 });
    await command("command.resume", { object: object("a") });
    assert.deepEqual(await statusOf("a"), { level: 8 });
    const { metadata } = (await stack.client.get(resourceOf(Tank), object("a"))) ?? assert.fail();
    assert.equal(metadata.annotations?.["reveille.dev/paused"], undefined);
    assert.match(metadata.annotations?.["reveille.dev/pause-command"] ?? "", /"askedBy":"alice"/);
  });

  it("pause a function and resume it, over a restart", async (t) => {
    const { stack, command, statusOf, decided } = await scene(t);
    await command("command.pause", { function: "tanks" });
    await stack.restartEngine();
    decided.clear();
    await stack.apply([tank("a", { size: 8, pump: "a" }), tank("c", { size: 1 }), pump("a", 2)]);
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { level: 3 });
    assert.deepEqual([...decided.keys()].sort(), ["groups a", "pumps a"], "others go on");
    const kept = await stack.client.get(resourceOf(ConfigMap), {
      namespace: "reveille-system",
      name: "reveille-paused",
    });
    assert.match(JSON.stringify(kept?.data), /tanks.*paused.*true.*alice/);
    await command("command.resume", { function: "tanks" });
    assert.deepEqual([await statusOf("a"), await statusOf("c")], [{ level: 8 }, { level: 1 }]);
  });

  it("are heard of by other hosts: a pause soon, its end at once", async (t) => {
    const { stack } = await scene(t);
    const clock = manualClock();
    const parts = { client: stack.client, clock, log: silent };
    const [one, other] = [pausedFunctions(parts), pausedFunctions(parts)];
    const said = (paused: boolean, command: string) => ({
      paused,
      command,
      askedBy: "alice",
      at: new Date(clock.now()).toISOString(),
    });
    assert.equal(await other.has("tanks"), false);
    assert.equal((await one.set("tanks", said(true, "1"))).outcome, "done");
    await clock.advance(5_000);
    assert.equal(await other.has("tanks"), true);
    assert.equal((await one.set("tanks", said(false, "2"))).outcome, "done");
    assert.equal(await other.has("tanks"), false, "what it would leave alone nobody wakes again");
    const both = await Promise.all([one.set("tanks", said(true, "3")), other.set("pumps", said(true, "4"))]);
    assert.deepEqual(
      both.map(({ outcome }) => outcome),
      ["done", "done"],
    );
    await clock.advance(5_000);
    assert.deepEqual([await one.has("pumps"), await other.has("tanks")], [true, true]);
  });

  it("redrive what is dead", async (t) => {
    const { stack, command, decided, outcomes } = await scene(t);
    await stack.apply(tank("b", { size: 13 }));
    await stack.settled();
    const letters = await stack.engine.bus.deadLetters.list();
    assert.deepEqual(
      letters.map((letter) => letter.error.code),
      ["THIRTEEN"],
    );
    decided.clear();
    const { function: name, key } = letters[0] ?? assert.fail();
    const event = await command("command.redrive", { function: name, key });
    assert.deepEqual(Object.fromEntries(decided), { "tanks b": 1 });
    const [run] = await stack.engine.bus.history.ofKey({ function: name, key }, 1);
    assert.deepEqual(
      run?.causes.map(({ sort, type, eventId }) => [sort, type, eventId]),
      [["command", "command.redrive", event.id]],
    );
    assert.equal((await stack.engine.bus.history.event(event.id))?.askedBy, "alice");
    assert.equal(outcomes[0]?.outcome, "done");
  });

  it("look at a release again", async (t) => {
    const { command, decided } = await scene(t);
    decided.clear();
    await command("command.recheck-release", { origin: "github.com/example/pumps", version: "a" });
    assert.deepEqual(Object.fromEntries(decided), { "pumps a": 1 });
    await command("command.recheck-release", { origin: "github.com/example/pumps", version: "b" });
    assert.deepEqual(Object.fromEntries(decided), { "pumps a": 1 });
  });

  /** What each type does, so that a second time would be seen. */
  const cases: Readonly<Record<string, (scene: Scene) => object>> = {
    "command.pause": () => ({ object: object("a") }),
    "command.resume": () => ({ function: "tanks" }),
    "command.reconcile": () => ({ function: "tanks" }),
    "command.redrive": ({ stack }) => ({
      function: "tanks",
      key: `${stack.cluster}/engine.example.org/Tank/default/b`,
    }),
    "command.recheck-release": () => ({ origin: "o", version: "a" }),
  };
  it("are all covered by the cases below", () => {
    assert.deepEqual(Object.keys(cases).sort(), commandTypes);
  });
  for (const [type, payload] of Object.entries(cases))
    it(`do not act twice where they come again after their effect: ${type}`, async (t) => {
      const here = await scene(t);
      const { stack, decided, command, outcomes } = here;
      await stack.apply(tank("b", { size: 13 }));
      await stack.settled();
      if (type === "command.resume") await command("command.pause", { function: "tanks" });
      const first = await command(type, payload(here));
      const told = outcomes.length;
      assert.equal(outcomes.at(-1)?.outcome, "done");
      // What came after it must stand: a second effect of the first would undo it.
      if (type === "command.pause") await command("command.resume", payload(here));
      const versions = async () =>
        Promise.all(
          ["a", "b"].map(
            async (name) =>
              (await stack.client.get(resourceOf(Tank), object(name)))?.metadata.resourceVersion,
          ),
        );
      const before = await versions();
      const runs = stack.runs().filter(({ function: name }) => name !== "commands").length;
      decided.clear();
      // Past the publisher, which knows the id: only the history and the cluster tell.
      await stack.engine.bus.enqueue([commandItem(first) ?? assert.fail()]);
      await stack.settled();
      assert.deepEqual(await versions(), before);
      assert.equal(stack.runs().filter(({ function: name }) => name !== "commands").length, runs);
      assert.equal(decided.size, 0);
      assert.equal(outcomes.length, type === "command.pause" ? told + 1 : told);
    });

  for (const [type, payload] of Object.entries(cases))
    it(`heal where their host died between effect and acknowledgement: ${type}`, async (t) => {
      const here = await scene(t);
      const { stack, command, decided, outcomes } = here;
      await stack.apply(tank("b", { size: 13 }));
      await stack.settled();
      if (type === "command.resume") await command("command.pause", { function: "tanks" });
      const data = { askedBy: "alice", ...payload(here) };
      const event: Envelope = {
        specversion: "1.0",
        id: randomUUID(),
        type,
        source: "/test",
        time: new Date().toISOString(),
        datacontenttype: "application/json",
        data,
      };
      const item = commandItem(event) ?? assert.fail();
      const work = withCommands(async () => ({ state: "lost" }), {
        functions: here.functions,
        client: stack.client,
        cluster: stack.cluster,
        bus: stack.engine.bus,
        paused: pausedFunctions({ client: stack.client, clock: systemClock, log: silent }),
        clock: systemClock,
        log: silent,
      });
      const lease: Lease = {
        item: { ...item, causes: [item.cause], causesIncomplete: false, enqueuedAt: 0, attempt: 1 },
        held: () => true,
        signal: new AbortController().signal,
      };
      const died = await work(lease);
      assert.equal(died.state, "finished");
      await stack.settled();
      outcomes.length = 0;
      decided.clear();
      const version = async () =>
        (await stack.client.get(resourceOf(Tank), object("a")))?.metadata.resourceVersion;
      const before = await version();
      await stack.engine.bus.enqueue([item]);
      await stack.settled();
      assert.equal(await version(), before, "the effect in the cluster is not made again");
      // What becomes durable with the acknowledgement happens once, now.
      const runs: Readonly<Record<string, readonly string[]>> = {
        "command.resume": ["tanks a", "tanks b"],
        "command.reconcile": ["tanks a", "tanks b"],
        "command.redrive": ["tanks b"],
      };
      assert.deepEqual([...decided.keys()].sort(), runs[type] ?? []);
      for (const count of decided.values()) assert.equal(count, 1);
    });

  it("that came too late leave a later one about the same alone", async (t) => {
    const { command, outcomes, stack } = await scene(t);
    const at = (second: number): Partial<Envelope> => ({ time: `2026-01-15T10:00:0${second}.000Z` });
    for (const target of [{ object: object("a") }, { function: "tanks" }]) {
      outcomes.length = 0;
      await command("command.pause", target, at(1));
      await command("command.resume", target, at(3));
      await command("command.pause", target, at(2));
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ["done", "done", "superseded"],
      );
    }
    const live = await stack.client.get(resourceOf(Tank), object("a"));
    assert.equal(live?.metadata.annotations?.["reveille.dev/paused"], undefined);
  });

  it("count although they change nothing: what was said before them comes too late", async (t) => {
    const { command, outcomes, stack, statusOf } = await scene(t);
    const at = (second: number): Partial<Envelope> => ({ time: `2026-01-15T10:00:0${second}.000Z` });
    for (const target of [{ object: object("a") }, { function: "tanks" }]) {
      outcomes.length = 0;
      await command("command.resume", target, at(2));
      await command("command.pause", target, at(1));
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ["unchanged", "superseded"],
      );
    }
    await stack.apply(tank("a", { size: 8, pump: "a" }));
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { level: 8 });
  });

  it("lock nobody out by a clock that is far ahead", async (t) => {
    const { command, outcomes, stack } = await scene(t);
    const far: Partial<Envelope> = { time: "9999-12-31T23:59:59Z" };
    for (const target of [{ object: object("a") }, { function: "tanks" }]) {
      outcomes.length = 0;
      await command("command.pause", target, far);
      await command("command.resume", target, far);
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ["done", "done"],
      );
    }
    const live = await stack.client.get(resourceOf(Tank), object("a"));
    const mark = JSON.parse(live?.metadata.annotations?.["reveille.dev/pause-command"] ?? "{}") as {
      at: string;
    };
    assert.ok(Date.parse(mark.at) <= Date.now() + 5 * 60_000, mark.at);
  });
});
