import assert from "node:assert/strict";
import { describe, it, type TestContext } from "vitest";
import { defineKind, defineSystem, each, own } from "../../index.ts";
import { eventTypesOf } from "../../infra/engine/event-types.ts";
import { type Stack, startStack } from "../../infra/testing/stack.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { configuredFunctions } from "../../shared/host/configuration.ts";
import { type FunctionConsole, functionConsole, type Invocation } from "../../shared/host/console/index.ts";
import { ingress } from "../../shared/host/http/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { silent } from "../../shared/log/log.ts";
import { Pump, Tank, tank } from "./kinds.ts";

class Secret extends defineKind({
  group: "",
  version: "v1",
  kind: "Secret",
  scope: "Namespaced",
  external: true,
  fields: {},
}) {}

interface Scene {
  readonly stack: Stack;
  readonly console: FunctionConsole;
  /** What runs of `tanks` wait for; undefined: for nothing. */
  readonly gate: { promise: Promise<void> | undefined };
  /** How many runs of `tanks` are at work now, and were at most. */
  readonly atWork: { now: number; most: number };
  invoke(
    name: string,
    event: unknown,
    options?: { readonly dryRun?: boolean; readonly waitMilliseconds?: number },
  ): Promise<Invocation>;
}

async function scene(t: TestContext): Promise<Scene> {
  const gate: Scene["gate"] = { promise: undefined };
  const atWork: Scene["atWork"] = { now: 0, most: 0 };
  const tanks = each(Tank).function({
    name: "tanks",
    owns: [ConfigMap, Secret],
    observe: async () => {
      atWork.now += 1;
      atWork.most = Math.max(atWork.most, atWork.now);
      await gate.promise;
      atWork.now -= 1;
      return {};
    },
    reconcile: ({ self }) => ({
      effects: [
        own(self, ConfigMap, {
          metadata: { name: `${self.metadata.name}-config` },
          data: {
            level: String(self.spec.size),
            "application.properties": "url=postgres://user:hunter2@db/x\ndb.password = hunter2\nsize=3",
            token: "hunter2",
          },
        }),
        own(self, Secret, {
          metadata: { name: `${self.metadata.name}-secret` },
          data: { plain: Buffer.from("hunter2").toString("base64") },
        } as never),
      ],
      status: { level: self.spec.size },
    }),
  });
  const pumps = each(Pump).function({ name: "pumps", reconcile: () => ({ status: { running: true } }) });
  const systems = [defineSystem({ name: "test", functions: [tanks, pumps] })];
  const stack = await startStack({ api: "local", systems });
  t.onTestFinished(async () => {
    gate.promise = undefined;
    await stack.stop();
  });
  const console = functionConsole({
    functions: configuredFunctions(systems),
    client: stack.client,
    cluster: stack.cluster,
    clock: systemClock,
    types: () => eventTypesOf([tanks, pumps]),
    bus: stack.engine.bus,
  });
  const { signal } = new AbortController();
  return {
    stack,
    console,
    gate,
    atWork,
    invoke: (name, event, options = {}) =>
      console.invoke(name, event, { dryRun: false, askedBy: "alice", signal, ...options }),
  };
}

const changed = (name: string, kind = "Tank"): object => ({
  specversion: "1.0",
  id: "sample",
  type: "resource.changed",
  source: "/clusters/anywhere",
  subject: `engine.example.org/${kind}/default/${name}`,
  time: "2026-01-15T10:00:00.000Z",
  datacontenttype: "application/json",
  data: {
    ref: {
      cluster: "anywhere",
      group: "engine.example.org",
      version: "v1",
      kind,
      namespace: "default",
      name,
      uid: "u",
    },
    era: 0,
    resourceVersion: "1",
    generation: 1,
    lane: "urgent",
    differs: ["created"],
    facts: { size: 3 },
    seen: [],
    incomplete: false,
    owners: [],
    deleting: false,
  },
});
const place = (name: string) => ({ namespace: "default", name });
const pause = (stack: Stack) =>
  stack.engine.bus.publish([
    {
      specversion: "1.0",
      id: "pause",
      type: "command.pause",
      source: "/test",
      time: "2026-01-15T10:00:00.000Z",
      datacontenttype: "application/json",
      data: { function: "tanks", askedBy: "alice" },
    },
  ]);

describe("a function invoked by hand", () => {
  it("tells dry what it would write, seals secrets, and writes nothing", async (t) => {
    const { stack, invoke } = await scene(t);
    await pause(stack);
    await stack.settled();
    await stack.apply(tank("a", { size: 3 }));
    await stack.settled();
    const { runs, dryRun } = await invoke("tanks", changed("a"), { dryRun: true });
    assert.equal(dryRun, true);
    const [run, ...more] = runs;
    assert.deepEqual(more, []);
    assert.equal(run?.decided?.outcome, "done");
    assert.deepEqual(
      run?.saw?.map(({ subject }) => subject),
      ["engine.example.org/Tank/default/a"],
    );
    assert.deepEqual(
      run?.diff?.map(({ subject, change }) => [subject, change]),
      [
        ["/ConfigMap/default/a-config", "created"],
        ["/Secret/default/a-secret", "created"],
        ["engine.example.org/Tank/default/a", "changed"],
      ],
    );
    assert.deepEqual(run?.diff?.[2]?.changes, [{ path: "status.level", to: 3 }]);
    const text = JSON.stringify(runs);
    assert.doesNotMatch(text, /hunter2|aHVudGVyMg/);
    const toOf = (index: number, path: string): unknown =>
      run?.diff?.[index]?.changes.find((one) => one.path === path)?.to;
    assert.equal(toOf(0, "data.level"), "3");
    assert.equal(toOf(0, "data.token"), "(sealed)");
    assert.equal(
      toOf(0, 'data["application.properties"]'),
      "url=postgres://user:(sealed)@db/x\ndb.password = (sealed)\nsize=3",
    );
    assert.equal(toOf(1, "data.plain"), "(sealed)");
    assert.equal(await stack.client.get(resourceOf(ConfigMap), place("a-config")), undefined);
    assert.equal((await stack.client.get(resourceOf(Tank), place("a")))?.status, undefined);
  });

  it("runs for good through the bus, and tells what it wrote", async (t) => {
    const { stack, invoke } = await scene(t);
    await stack.apply(tank("a", { size: 3 }));
    await stack.settled();
    await stack.client.delete(resourceOf(ConfigMap), place("a-config"), { uid: undefined });
    await stack.settled();
    const { runs } = await invoke("tanks", changed("a"));
    const [run] = runs;
    assert.equal(run?.state, "ended");
    assert.equal(run?.decided?.outcome, "done");
    assert.equal(run?.key, `${stack.cluster}/engine.example.org/Tank/default/a`, "the host's own cluster");
    const kept = await stack.engine.bus.history.ofKey({ function: "tanks", key: run?.key ?? "" }, 1);
    assert.deepEqual(
      kept.map(({ id, causes }) => [id, causes.map(({ sort }) => sort)]),
      [[run?.id, ["command"]]],
    );
    assert.deepEqual(run?.wrote, kept[0]?.writes);
  });

  it("never beside a run of the same key: it waits, or says that the key runs", async (t) => {
    const { stack, invoke, gate, atWork } = await scene(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.promise = promise;
    await stack.apply(tank("a", { size: 3 }));
    while (atWork.now === 0) await new Promise((done) => setImmediate(done));
    const busy = await invoke("tanks", changed("a"), { waitMilliseconds: 300 });
    assert.deepEqual(
      busy.runs.map(({ state, decided }) => [state, decided]),
      [["running", undefined]],
    );
    const later = invoke("tanks", changed("a"));
    gate.promise = undefined;
    resolve();
    assert.equal((await later).runs[0]?.state, "ended");
    await stack.settled();
    assert.equal(atWork.most, 1);
  });

  it("says what it does not know, what does not wake it, and what is malformed", async (t) => {
    const { invoke } = await scene(t);
    const codeOf = async (asked: Promise<unknown>): Promise<unknown> => {
      try {
        return await asked;
      } catch (thrown) {
        return [(thrown as { code?: string }).code, (thrown as Error).message];
      }
    };
    assert.deepEqual(await codeOf(invoke("nobody", changed("a"))), [
      "INVOKE_FUNCTION_UNKNOWN",
      "There is no function nobody; there are tanks, pumps.",
    ]);
    const { runs, message } = await invoke("pumps", changed("a"), { dryRun: true });
    assert.deepEqual(runs, []);
    assert.equal(message, "This event does not wake pumps. What does: own engine.example.org/Pump.");
    assert.deepEqual(await codeOf(invoke("tanks", { ...changed("a"), data: {} }, { dryRun: true })), [
      "INVOKE_EVENT_MALFORMED",
      'The event is malformed: data.ref: expected object, received undefined; data.era: expected number, received undefined; data.resourceVersion: expected string, received undefined; data.generation: expected number, received undefined; data.lane: Invalid option: expected one of "urgent"|"sweep"; data.differs: expected array, received undefined; data.facts: expected record, received undefined; data.seen: expected array, received undefined; data.incomplete: expected boolean, received undefined; data.owners: expected array, received undefined; data.deleting: expected boolean, received undefined.',
    ]);
    const [code] = (await codeOf(invoke("tanks", { ...changed("a"), type: "x" }))) as string[];
    assert.equal(code, "INVOKE_TYPE_UNKNOWN");
  });

  it("refuses a wish that would widen a run, or make it a real one", async (t) => {
    const { stack, invoke } = await scene(t);
    await stack.apply(tank("a", { size: 3 }));
    await stack.settled();
    const before = stack.runs().length;
    for (const wish of ["dryRun", "dryrun", "dry-run", "dry_run"])
      await assert.rejects(invoke("tanks", { ...changed("a"), [wish]: true }), {
        code: "INVOKE_EVENT_MALFORMED",
        issues: [`${wish}: is no attribute of an event; say it beside the event`],
      });
    const reconcile = (fields: object): object => ({
      ...changed("a"),
      type: "command.reconcile",
      data: { function: "tanks", askedBy: "alice", ...fields },
    });
    const target = { group: "engine.example.org", kind: "Tank" };
    for (const [fields, issue] of [
      [{ object: { ...target, namespace: "default", name: "a" } }, "data.object: name a key of tanks here"],
      [{ kind: target }, "data.kind: name a key of tanks here"],
      [{ kye: "x" }, "data.kye: is unknown; did you mean key?"],
    ] as const)
      await assert.rejects(invoke("tanks", reconcile(fields)), {
        code: "INVOKE_EVENT_MALFORMED",
        issues: [issue],
      });
    await stack.settled();
    assert.equal(stack.runs().length, before);
  });

  it("by a timer, a command, and a sweep", async (t) => {
    const { stack, invoke } = await scene(t);
    await stack.apply([tank("a", { size: 3 }), tank("b", { size: 4 })]);
    await stack.settled();
    const key = "anywhere/engine.example.org/Tank/default/a";
    const { runs: timers } = await invoke(
      "tanks",
      {
        ...changed("a"),
        type: "timer.due",
        data: {
          function: "tanks",
          key,
          name: "stale",
          sort: "deadline",
          dueAt: "2026-01-15T10:00:00Z",
          number: 1,
        },
      },
      { dryRun: true },
    );
    assert.deepEqual(
      timers.map(({ key: one, decided }) => [one, decided?.outcome]),
      [[`${stack.cluster}/engine.example.org/Tank/default/a`, "done"]],
    );
    const all = { ...changed("a"), type: "command.reconcile", data: { function: "tanks", askedBy: "alice" } };
    const { runs: swept } = await invoke("tanks", all, { dryRun: true });
    assert.equal(swept[0]?.decided?.outcome, "swept");
    assert.equal(swept[0]?.found?.length, 2);
    assert.deepEqual(
      swept.slice(1).map(({ decided }) => decided?.outcome),
      ["done", "done"],
    );
  });
});

describe("functions over HTTP", () => {
  it("are listed and invoked, by whoever may", async (t) => {
    const { stack, console } = await scene(t);
    await stack.apply(tank("a", { size: 3 }));
    await stack.settled();
    const handler = ingress({
      bus: stack.engine.bus,
      types: () => eventTypesOf([]),
      callers: [
        { name: "alice", token: async () => "t1" },
        { name: "robot", token: async () => "t2", may: ["events"] },
      ],
      triggers: [],
      console,
      clock: systemClock,
      log: silent,
    });
    const call = async (
      path: string,
      token: string,
      event?: object,
    ): Promise<{ status: number; body: Invocation & { functions?: unknown[]; code?: string } }> => {
      const response = await handler(
        new Request(`http://reveille${path}`, {
          headers: { authorization: `Bearer ${token}`, "content-type": "application/cloudevents+json" },
          ...(event !== undefined && { method: "POST", body: JSON.stringify(event) }),
        }),
      );
      return { status: response.status, body: (await response.json()) as Invocation };
    };
    const listed = await call("/functions", "t1");
    assert.equal(listed.status, 200);
    assert.equal(listed.body.functions?.length, 2);
    const dry = await call("/functions/tanks/invoke?dry-run=true", "t1", changed("a"));
    assert.deepEqual([dry.status, dry.body.dryRun, dry.body.runs.length], [200, true, 1]);
    const real = await call("/functions/tanks/invoke", "t1", changed("a"));
    assert.deepEqual([real.status, real.body.dryRun, real.body.runs[0]?.state], [200, false, "ended"]);
    assert.equal((await call("/functions/nobody/invoke", "t1", changed("a"))).status, 404);
    assert.equal((await call("/functions/tanks/invoke", "t2", changed("a"))).status, 403);
    assert.equal((await call("/functions/tanks/invoke", "no", changed("a"))).status, 401);
    assert.equal((await call("/functions/tanks/invoke", "t1", {})).status, 400);
    assert.equal((await call("/functions/tanks/invoke?dry-run=maybe", "t1", changed("a"))).status, 400);
    assert.equal((await call("/functions/tanks/invoke", "t1", { ...changed("a"), type: "x" })).status, 422);
    const runs = stack.runs().length;
    for (const [query, issue] of [
      ["dryrun=true", "?dryrun: is unknown; did you mean dry-run?"],
      ["dryRun=true", "?dryRun: is unknown; did you mean dry-run?"],
      ["Dry-Run=true", "?Dry-Run: is unknown; did you mean dry-run?"],
      ["dry-run=true&dry-run=false", "?dry-run: is said more than once"],
      ["dry-run=yes", "?dry-run: expected true or false"],
      ["dry-run=", "?dry-run: expected true or false"],
      ["dry-run=true&wait=1", "?wait: is unknown; there is dry-run"],
    ]) {
      const refused = await call(`/functions/tanks/invoke?${query}`, "t1", changed("a"));
      assert.equal(refused.status, 400, query);
      assert.deepEqual((refused.body as { issues?: unknown }).issues, [issue]);
    }
    assert.equal(stack.runs().length, runs, "none of them ran");
    assert.equal((await call("/functions?page=2", "t1")).status, 400);
    const plain = new Request("http://reveille/functions/nobody/invoke", {
      method: "POST",
      headers: { authorization: "Bearer t1", "content-type": "application/json" },
      body: "{}",
    });
    assert.equal((await handler(plain)).status, 404, "that there is no such function comes first");
  });
});
