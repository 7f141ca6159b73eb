import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { changed, each } from "../../index.ts";
import { Pump, pump, Tank, tank } from "./kinds.ts";
import { at, PUMPS, stage, TANKS } from "./stage.ts";

describe("finalizers on the local API", () => {
  const api = stage();
  const { run, statusOf } = api;
  it("puts its finalizer on before the first effect and takes it off when all is cleaned up", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "clean",
        wakes: [changed(Pump).toEach((it, said) => it.metadata.name === said.name)],
        writes: [Pump],
        observe: async ({ self, read }) => ({ guard: await read.get(Pump, at(self.metadata.name)) }),
        reconcile: () => ({ status: { note: "in use" } }),
        finalizer: {
          name: "engine.example.org/clean",
          finalize: ({ guard }) =>
            guard === undefined
              ? { finalized: true }
              : { status: { note: "waiting for its pump to go" }, waitingFor: [{ for: "its pump to go" }] },
        },
      }),
    ]);
    await stack.apply([pump("kept", 1), tank("kept", { size: 1 })]);
    await stack.settled();
    assert.deepEqual((await api.client.get(TANKS, at("kept")))?.metadata.finalizers, [
      "engine.example.org/clean",
    ]);
    await api.client.delete(TANKS, at("kept"), { uid: undefined });
    await stack.settled();
    assert.deepEqual(await statusOf("kept"), { note: "waiting for its pump to go" });
    await api.client.delete(PUMPS, at("kept"), { uid: undefined });
    await stack.settled();
    assert.equal(await api.client.get(TANKS, at("kept")), undefined);
  });

  it("finalizes what bears a finalizer of the operator before, and lets all go together", async (t) => {
    const former = ["former.example.org/one", "former.example.org/two"];
    const stack = await run(t, [
      each(Tank).function({
        name: "succeeds",
        wakes: [changed(Pump).toEach((it, said) => it.metadata.name === said.name)],
        writes: [Pump],
        observe: async ({ self, read }) => ({ guard: await read.get(Pump, at(self.metadata.name)) }),
        reconcile: () => ({ status: { note: "in use" } }),
        finalizer: {
          name: "engine.example.org/succeeds",
          succeeds: former,
          finalize: ({ guard }) => ({ finalized: guard === undefined, status: { note: "goes" } }),
        },
      }),
    ]);
    const put = async (name: string, finalizers: readonly string[]): Promise<void> => {
      const [object] = await stack.apply([tank(name, { size: 1 })]);
      assert.ok(object);
      await api.client.patch(
        TANKS,
        at(name),
        "merge",
        { metadata: { finalizers } },
        { fieldManager: "former" },
      );
      await stack.settled();
    };
    const finalizersOf = async (name: string) => (await api.client.get(TANKS, at(name)))?.metadata.finalizers;
    await stack.apply(pump("taken-over", 1));
    await put("taken-over", former);
    assert.deepEqual(await finalizersOf("taken-over"), [...former, "engine.example.org/succeeds"]);
    // One that is being deleted already, and that another has a finalizer on too.
    await stack.apply(pump("half-gone", 1));
    await put("half-gone", [former[1] ?? "", "others.example.org/kept"]);
    for (const name of ["taken-over", "half-gone"]) {
      await api.client.delete(TANKS, at(name), { uid: undefined });
      await stack.settled();
      assert.deepEqual(await statusOf(name), { note: "goes" });
    }
    await api.client.patch(
      TANKS,
      at("half-gone"),
      "merge",
      { metadata: { finalizers: [former[1], "others.example.org/kept"] } },
      { fieldManager: "former" },
    );
    for (const name of ["taken-over", "half-gone"])
      await api.client.delete(PUMPS, at(name), { uid: undefined });
    await stack.settled();
    assert.equal(await api.client.get(TANKS, at("taken-over")), undefined);
    assert.deepEqual(await finalizersOf("half-gone"), ["others.example.org/kept"]);
    await api.client.patch(
      TANKS,
      at("half-gone"),
      "merge",
      { metadata: { finalizers: null } },
      { fieldManager: "former" },
    );
  });

  it("takes its finalizer off an object that needs it no longer, unless something is owed", async (t) => {
    const stack = await run(t, [
      each(Tank).function({
        name: "spares",
        reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
        finalizer: {
          name: "engine.example.org/spares",
          when: ({ self }) => self.spec.size === 1,
          owes: ({ self }) => self.spec.size === 2,
          finalize: () => ({ finalized: true }),
        },
      }),
    ]);
    for (const [size, finalizers] of [
      [0, []],
      [1, ["engine.example.org/spares"]],
      [2, ["engine.example.org/spares"]],
      [3, []],
    ] as const) {
      await stack.apply(tank("spared", { size }));
      await stack.settled();
      const spared = await api.client.get(TANKS, at("spared"));
      assert.deepEqual(spared?.metadata.finalizers ?? [], finalizers, `size ${size}`);
      assert.deepEqual(spared?.status, { level: size });
    }
  });
});
