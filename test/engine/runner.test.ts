import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { changed, each, own, patch, ready, setStatus, TerminalError } from "../../index.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { later } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { Pump, pump, Tank, tank } from "./kinds.ts";
import { at, MAPS, PUMPS, stage, TANKS } from "./stage.ts";

describe("the runner on the local API", () => {
  const api = stage();
  const { run, statusOf } = api;
  const edit = (name: string, spec: object): Promise<KubeObject> =>
    api.client.patch(TANKS, at(name), "merge", { spec }, { fieldManager: "somebody" });

  it("answers a change with one status, and nothing else", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "level",
        reconcile: ({ self }) => ({
          status: { observedGeneration: self.metadata.generation, level: self.spec.size * 2 },
        }),
      }),
    ]);
    await stack.apply(tank("one", { size: 2 }));
    await stack.settled();
    assert.deepEqual(await statusOf("one"), { observedGeneration: 1, level: 4 });
    const before = (await api.client.get(TANKS, at("one")))?.metadata.resourceVersion;
    await stack.everyKeyOnce();
    assert.equal((await api.client.get(TANKS, at("one")))?.metadata.resourceVersion, before);
  });

  it("takes a field away that is no longer wanted, from the child and from the status", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "drop",
        owns: [ConfigMap],
        reconcile: ({ self }) => ({
          effects: own(self, ConfigMap, {
            metadata: { name: `${self.metadata.name}-drop` },
            data: { size: `${self.spec.size}`, ...(self.spec.size > 5 && { big: "yes" }) },
          }),
          status: { level: self.spec.size, ...(self.spec.size > 5 && { note: "big" }) },
        }),
      }),
    ]);
    await stack.apply(tank("drop", { size: 9 }));
    await stack.settled();
    assert.deepEqual((await api.client.get(MAPS, at("drop-drop")))?.data, { size: "9", big: "yes" });
    await edit("drop", { size: 1 });
    await stack.settled();
    assert.deepEqual((await api.client.get(MAPS, at("drop-drop")))?.data, { size: "1" });
    assert.deepEqual(await statusOf("drop"), { level: 1 });
  });

  it("brings a child back that somebody deleted or spoiled", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "heal",
        owns: [ConfigMap],
        reconcile: ({ self }) => ({
          effects: own(
            self,
            ConfigMap,
            { metadata: { name: `${self.metadata.name}-heal` }, data: { size: `${self.spec.size}` } },
            { force: true },
          ),
        }),
      }),
    ]);
    await stack.apply(tank("heal", { size: 3 }));
    await stack.settled();
    await api.client.delete(MAPS, at("heal-heal"), { uid: undefined });
    await stack.settled();
    assert.deepEqual((await api.client.get(MAPS, at("heal-heal")))?.data, { size: "3" });
    await api.client.patch(
      MAPS,
      at("heal-heal"),
      "merge",
      { data: { size: "spoiled" } },
      { fieldManager: "somebody" },
    );
    await stack.settled();
    assert.deepEqual((await api.client.get(MAPS, at("heal-heal")))?.data, { size: "3" });
  });

  it("does not take over what another owner controls: the status says so, and it waits for the other to go", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "refuse",
        owns: [ConfigMap],
        reconcile: ({ self }) => ({
          effects: own(self, ConfigMap, {
            metadata: { name: "refuse-shared" },
            data: { by: self.metadata.name },
          }),
          status: { note: "mine" },
        }),
        failed: (_, error) => ({ error: error.message }),
      }),
    ]);
    await stack.apply(tank("first", { size: 1 }));
    await stack.settled();
    await stack.apply(tank("second", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await statusOf("first"), { note: "mine" });
    assert.match(String((await statusOf("second"))?.error), /belongs to Tank first/);
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
    assert.equal(stack.runs().at(-1)?.error?.code, "OWNED_BY_ANOTHER");
    await api.client.delete(TANKS, at("first"), { uid: undefined });
    await eventually("the other's child to be collected, and made anew", async () => {
      const map = await api.client.get(MAPS, at("refuse-shared"));
      return (map?.data as { readonly by?: string } | undefined)?.by === "second";
    });
    await stack.settled();
    assert.deepEqual(await statusOf("second"), { note: "mine" });
  });

  it("leaves a field that another manager owns, and says who; a declaration may force", async (t) => {
    const declare = (name: string, force: boolean) =>
      each(Tank, { status: force ? ["note"] : ["error"] }).function({
        name,
        owns: [ConfigMap],
        reconcile: ({ self }) =>
          self.metadata.name === name
            ? {
                effects: own(
                  self,
                  ConfigMap,
                  { metadata: { name: `owned-${name}` }, data: { size: `${self.spec.size}` } },
                  { force },
                ),
              }
            : {},
        failed: (_, error) => ({ error: error.message }) as never,
      });
    const stack = await run(t, [declare("gentle", false), declare("rough", true)]);
    for (const name of ["gentle", "rough"]) await stack.apply(tank(name, { size: 1 }));
    await stack.settled();
    const spoiled = { data: { size: "mine" } };
    for (const name of ["gentle", "rough"])
      await api.client.patch(MAPS, at(`owned-${name}`), "merge", spoiled, { fieldManager: "somebody" });
    await stack.settled();
    assert.match(String((await statusOf("gentle"))?.error), /somebody/);
    assert.deepEqual((await api.client.get(MAPS, at("owned-gentle")))?.data, { size: "mine" });
    assert.deepEqual((await api.client.get(MAPS, at("owned-rough")))?.data, { size: "1" });
  });

  it("takes its status back from whoever wrote into it", async (t) => {
    const stack = await run(t, [
      each(Tank).function({ name: "own", reconcile: ({ self }) => ({ status: { level: self.spec.size } }) }),
    ]);
    await stack.apply(tank("spoiled", { size: 4 }));
    await stack.settled();
    const spoil = { fieldManager: "somebody", subresource: "status" } as const;
    await api.client.patch(TANKS, at("spoiled"), "merge", { status: { level: 99 } }, spoil);
    await stack.settled();
    assert.deepEqual(await statusOf("spoiled"), { level: 4 });
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
  });

  it("refuses reads and writes that are not declared, with the line to add", async (t) => {
    const reads = each(Tank, { status: ["note"] }).function({
      name: "reads",
      observe: async ({ read }) => ({ map: await read.get(ConfigMap as never, at("x")) }),
      reconcile: () => ({}),
    });
    const writes = each(Tank, { status: ["error"] }).function({
      name: "writes",
      reconcile: ({ self }) => ({ effects: own(self, ConfigMap, { metadata: { name: "x" } }) as never }),
    });
    const stack = await run(t, [reads, writes]);
    await stack.apply(tank("undeclared", { size: 1 }));
    await stack.settled();
    const messages = (await stack.engine.bus.deadLetters.list()).map(({ error }) => error.message).sort();
    assert.match(
      messages[0] ?? "",
      /reads reads ConfigMap, which it does not declare: add changed\(ConfigMap\) to its wakes/,
    );
    assert.match(messages[1] ?? "", /add owns: \[ConfigMap\]/);
  });

  it("wakes when a dependency becomes ready, changes or goes, and only then", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "uses-pump",
        wakes: [
          changed(Pump).toEach((it, said) => it.spec.pump === said.name),
          ready(Pump).toEach((it, said) => it.spec.pump === said.name),
        ],
        observe: async ({ self, read }) => ({
          pump:
            self.spec.pump === undefined
              ? undefined
              : await read.get(Pump, { namespace: self.metadata.namespace, name: self.spec.pump }),
        }),
        reconcile: ({ self, pump: used }) =>
          used?.status?.running === true
            ? { status: { level: self.spec.size * used.spec.rate } }
            : {
                status: { note: used === undefined ? "no pump" : "pump stands" },
                waitingFor: [{ for: `Pump ${self.spec.pump} to run` }],
              },
      }),
    ]);
    await stack.apply([tank("a", { size: 2, pump: "p" }), tank("b", { size: 3, pump: "other" })]);
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { note: "no pump" });
    await stack.apply(pump("p", 5));
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { note: "pump stands" });
    await api.client.patch(
      PUMPS,
      at("p"),
      "merge",
      { status: { running: true } },
      { fieldManager: "somebody", subresource: "status" },
    );
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { level: 10 });
    const runsOfB = stack.runs().filter((one) => one.key.endsWith("/b")).length;
    await api.client.delete(PUMPS, at("p"), { uid: undefined });
    await stack.settled();
    assert.deepEqual(await statusOf("a"), { note: "no pump" });
    assert.equal(
      stack.runs().filter((one) => one.key.endsWith("/b")).length,
      runsOfB,
      "who does not use it is not woken",
    );
  });

  it("wakes who waits for an object that no wake names", async (t) => {
    const stack = await run(t, [
      each(Tank, { status: ["note"] }).function({
        name: "waits",
        wakes: [changed(Pump).toEach(() => false)],
        observe: async ({ read }) => ({ there: (await read.get(Pump, at("late"))) !== undefined }),
        reconcile: ({ there }) =>
          there
            ? { status: { note: "came" } }
            : {
                status: { note: "waits" },
                waitingFor: [
                  {
                    for: "Pump late",
                    object: { apiVersion: "engine.example.org/v1", kind: "Pump", ...at("late") },
                  },
                ],
              },
      }),
    ]);
    await stack.apply(tank("waiter", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await statusOf("waiter"), { note: "waits" });
    await stack.apply(pump("late", 1));
    await stack.settled();
    assert.deepEqual(await statusOf("waiter"), { note: "came" });
  });

  it("goes on at once with `again`, writes engine-owned paths, and never another's spec", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "locks",
        writes: [Tank],
        reconcile: ({ self }, { uid }) =>
          self.spec.lock === undefined
            ? { effects: patch(Tank, self, { engine: { lock: uid("lock") } }), again: true }
            : { status: { note: self.spec.lock } },
      }),
    ]);
    await stack.apply(tank("locked", { size: 1 }));
    await stack.settled();
    const object = await api.client.get(TANKS, at("locked"));
    const { lock, size } = (object?.spec ?? {}) as { lock: string; size: number };
    assert.match(lock, /^[0-9a-f-]{36}$/);
    assert.equal(size, 1);
    assert.deepEqual(object?.status, { note: lock });
  });

  it("leaves paused objects alone until they are no longer", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "pauses",
        reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
      }),
    ]);
    const paused = tank("paused", { size: 7 });
    await stack.apply({
      ...paused,
      metadata: { ...paused.metadata, annotations: { "reveille.dev/paused": "true" } },
    });
    await stack.settled();
    assert.equal(await statusOf("paused"), undefined);
    assert.equal(stack.runs().at(-1)?.outcome, "parked");
    await api.client.patch(
      TANKS,
      at("paused"),
      "merge",
      { metadata: { annotations: { "reveille.dev/paused": null } } },
      { fieldManager: "somebody" },
    );
    await stack.settled();
    assert.deepEqual(await statusOf("paused"), { level: 7 });
  });

  it("sends a terminal failure to the dead letters, and a new generation takes it out", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "terminal",
        reconcile: ({ self }) => {
          if (self.spec.size > 10) throw new TerminalError("a tank holds at most 10");
          return { status: { level: self.spec.size } };
        },
        failed: (_, error) => ({ error: error.message }),
      }),
    ]);
    await stack.apply(tank("dead", { size: 11 }));
    await stack.settled();
    assert.deepEqual(await statusOf("dead"), { error: "a tank holds at most 10" });
    assert.equal((await stack.engine.bus.deadLetters.list()).length, 1);
    await api.client.patch(
      TANKS,
      at("dead"),
      "merge",
      { metadata: { labels: { harmless: "yes" } } },
      { fieldManager: "somebody" },
    );
    await stack.settled();
    assert.equal((await stack.engine.bus.deadLetters.list()).length, 1, "a label does not take it out");
    await edit("dead", { size: 10 });
    await stack.settled();
    assert.deepEqual(await statusOf("dead"), { level: 10 });
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
  });

  it("slows functions that answer each other's writes for ever, and says so", async (t) => {
    const ping = each(Tank).function({
      name: "ping",
      owns: [Pump],
      reconcile: ({ self }) => ({
        effects: own(self, Pump, {
          metadata: { name: "spun" },
          spec: { rate: (self.status?.level ?? 0) + 1 },
        }),
      }),
    });
    const pong = each(Pump).function({
      name: "pong",
      wakes: [changed(Tank).toName((said) => ({ namespace: said.namespace, name: "spun" }))],
      writes: [Tank],
      observe: async ({ self, read }) => ({
        tank: await read.get(Tank, at(self.metadata.ownerReferences[0]?.name ?? "")),
      }),
      reconcile: ({ self, tank: owner }) =>
        owner === undefined ? {} : { effects: setStatus(Tank, owner, { level: self.spec.rate }) },
    });
    const stack = await run(t, [ping, pong]);
    await stack.apply(tank("loop", { size: 1 }));
    await stack.settled();
    const level = Number((await statusOf("loop"))?.level);
    assert.ok(level >= 20 && level <= 40, `went on for ${level} turns`);
    const events = await api.client.list({
      group: "",
      version: "v1",
      kind: "Event",
      plural: "events",
      scope: "Namespaced",
    });
    assert.ok(events.items.some(({ reason }) => reason === "Looping"));
  });

  it("wakes at a deadline, never before it by its own clock", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "deadline",
        reconcile: ({ self }, { now }) => {
          const due = later(self.metadata.creationTimestamp, "1500ms");
          return now >= due
            ? { status: { note: "over" } }
            : { status: { note: "runs" }, wakeAt: { over: due } };
        },
      }),
    ]);
    await stack.apply(tank("timed", { size: 1 }));
    await eventually("the deadline to be answered", async () => (await statusOf("timed"))?.note === "over");
    assert.equal(stack.runs().at(-1)?.outcome, "done");
  });
});
