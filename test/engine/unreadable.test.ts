import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { allInNamespace, changed, each, unreadableIn } from "../../index.ts";
import { defineKind } from "../../shared/function/index.ts";
import { pump, Tank, tank } from "./kinds.ts";
import { at, PUMPS, stage } from "./stage.ts";

/** The server takes pumps of any rate; who reads them here does not. */
class SlowPump extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Pump",
  scope: "Namespaced",
  external: true,
  fields: { spec: z.object({ rate: z.int().max(10) }) },
  status: z.object({ running: z.boolean() }),
  facts: (it) => ({ rate: it.spec.rate }),
}) {}

describe("an object that cannot be read", () => {
  const api = stage();
  const { run, statusOf } = api;

  it("is left out of a list and named there, and its mending wakes who read the list", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "lists",
        wakes: [changed(SlowPump).toName<typeof Tank>(() => undefined)],
        observe: async ({ self, read }) => ({
          pumps: await read.list(SlowPump, { namespace: self.metadata.namespace }),
        }),
        reconcile: ({ pumps }) => ({
          status: {
            level: pumps.length,
            note: unreadableIn(pumps)
              .map(({ object, path }) => `${object.name} ${path}`)
              .join(),
          },
        }),
      }),
    ]);
    await stack.apply(pump("good", 5));
    await stack.apply(pump("bad", 50));
    await stack.apply(tank("one", { size: 1 }));
    await stack.settled();
    assert.deepEqual(await statusOf("one"), { level: 1, note: "bad spec.rate" });
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
    await stack.apply(pump("bad", 7));
    await stack.settled();
    assert.deepEqual(await statusOf("one"), { level: 2, note: "" });
  });

  it("fails who needs it without a dead letter, and its mending wakes", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "gets",
        wakes: [changed(SlowPump).toName<typeof Tank>(() => undefined)],
        observe: async ({ self, read }) => ({
          its: await read.get(SlowPump, { namespace: self.metadata.namespace, name: self.spec.pump ?? "" }),
        }),
        reconcile: ({ its }) => ({ status: { level: its?.spec.rate ?? 0 } }),
        failed: (_, { code }) => ({ error: code }),
      }),
    ]);
    await stack.apply(pump("bad", 50));
    await stack.apply(tank("two", { size: 1, pump: "bad" }));
    await stack.apply(tank("three", { size: 1, pump: "none" }));
    await stack.settled();
    assert.deepEqual(await statusOf("two"), { error: "OBJECT_UNREADABLE" });
    assert.deepEqual(await statusOf("three"), { level: 0 });
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
    await stack.apply(pump("bad", 7));
    await stack.settled();
    assert.deepEqual(await statusOf("two"), { level: 7 });
  });

  it("does not fail its group", async (t) => {
    const stack = await run(t, [
      allInNamespace(SlowPump, { status: ["running"] }).function({
        name: "groups",
        reconcile: ({ members }) => ({
          status: members.map((of) => ({ of, status: { running: unreadableIn(members).length === 1 } })),
        }),
      }),
    ]);
    await stack.apply(pump("good", 5));
    await stack.apply(pump("bad", 50));
    await stack.settled();
    const running = async (name: string) => (await api.client.get(PUMPS, at(name)))?.status;
    assert.deepEqual(await running("good"), { running: true });
    assert.equal(await running("bad"), undefined);
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);
    await stack.apply(pump("bad", 7));
    await stack.settled();
    assert.deepEqual([await running("good"), await running("bad")], [{ running: false }, { running: false }]);
  });
});
