import assert from "node:assert/strict";
import type { Bus, WaitedObject } from "../../shared/bus/contract.ts";
import { changed, done, echo, item, run } from "./fixture.ts";
import type { Prove } from "./stage.ts";

const waited = {
  cluster: "local",
  group: "bench.example.org",
  kind: "Widget",
  namespace: "elsewhere",
  name: "db",
};
const subject = "bench.example.org/Widget/elsewhere/db";
const told = (over: Parameters<typeof changed>[1] = {}) => changed("db", { namespace: "elsewhere", ...over });

/** B11 while a run is on its way: register, then check. */
export function waitPromises(prove: Prove): void {
  prove(
    "B11: what became of an object during the run that ends waiting for it wakes the key, once",
    async ({ bus, hands }) => {
      const at = hands();
      await bus.enqueue([item("a")]);
      const first = await at.only();
      const event = told();
      await bus.publish([told(), event]);
      await first.end(done(first.item, { waits: [waited] }));
      const second = await at.only();
      assert.deepEqual(
        second.item.causes.map(({ sort, eventId, subject: about }) => [sort, eventId, about]),
        [["wait", event.id, subject]],
      );
      assert.equal(second.item.attempt, 1);
      await second.end(done(second.item, { waits: [waited] }));
      await at.none();
      await bus.publish([told()]);
      assert.equal(await at.drain(), 1);
    },
  );

  prove("B11: a wait that adds itself to others is checked alone", async ({ bus, hands }) => {
    const at = hands();
    const other = { ...waited, name: "other" };
    await bus.enqueue([item("a")]);
    const first = await at.only();
    await first.end(done(first.item, { waits: [other] }));
    await bus.enqueue([item("a")]);
    const second = await at.only();
    await bus.publish([told()]);
    await second.end(done(second.item, { waits: [other, waited] }));
    const third = await at.only();
    assert.deepEqual(
      third.item.causes.map(({ sort }) => sort),
      ["wait"],
    );
    await third.end(done(third.item));
    await at.none();
  });

  prove(
    "B11: what the run read or wrote itself is no news to it, and what others waited for does not concern it",
    async ({ bus, hands }) => {
      const at = hands();
      const unread = { subject, uid: "u", resourceVersion: "70" };
      for (const [version, over] of [
        // It read this very version, or a later one.
        ["70", { run: { reads: [unread] } }],
        ["69", { run: { reads: [unread] } }],
        ["71", { echoes: [echo("u", "71")] }],
      ] as const) {
        await bus.enqueue([item("a")]);
        const first = await at.only();
        await bus.publish([
          told({ uid: "u", resourceVersion: version }),
          changed("other", { namespace: "elsewhere" }),
        ]);
        await first.end(
          done(first.item, {
            waits: [waited],
            echoes: "echoes" in over ? over.echoes : [],
            run: run(first.item, "run" in over ? over.run : {}),
          }),
        );
        await at.none();
        await bus.enqueue([item("a")]);
        await at.drain();
      }
    },
  );

  prove(
    "B11: what keys wait for beyond the watch list is listed, each once, as long as one of them waits",
    async ({ bus, hands }) => {
      const at = hands();
      assert.deepEqual(await bus.waits(), []);
      const end = async (name: string, waits: readonly WaitedObject[]): Promise<void> => {
        await bus.enqueue([item(name)]);
        const one = await at.only();
        await one.end(done(one.item, { waits }));
      };
      await end("a", [waited, followed("x")]);
      await end("b", [followed("x"), followed("y")]);
      assert.deepEqual(await namesOf(bus), ["x", "y"]);
      assert.deepEqual(
        (await bus.waits()).map(({ version, namespace, cluster }) => [version, namespace, cluster]),
        [
          ["v1", "elsewhere", "local"],
          ["v1", "elsewhere", "local"],
        ],
      );
      await end("a", [waited]);
      assert.deepEqual(await namesOf(bus), ["x", "y"]);
      await end("b", [followed("y")]);
      assert.deepEqual(await namesOf(bus), ["y"]);
      await end("b", []);
      assert.deepEqual(await bus.waits(), []);
    },
  );

  prove(
    "B11: who listens hears what a key waits for from now on, also where others wait for it",
    async ({ bus, hands, clock }) => {
      const told: string[][] = [];
      bus.subscribe({ waits: (objects) => void told.push((objects ?? []).map(({ name }) => name).sort()) });
      const at = hands();
      const end = async (name: string, waits: readonly WaitedObject[]): Promise<void> => {
        await bus.enqueue([item(name)]);
        const one = await at.only();
        await one.end(done(one.item, { waits }));
        // A table is asked, so it may take a while.
        await clock.advance(10_000);
        await at.drain();
      };
      await end("a", [waited, followed("x")]);
      assert.deepEqual(told.splice(0), [["x"]]);
      await end("b", [followed("x"), followed("y")]);
      assert.deepEqual(told.splice(0), [["x", "y"]]);
      await end("b", [followed("x")]);
      await end("b", [followed("x")]);
      assert.deepEqual(told.splice(0), []);
      await end("b", []);
      await end("b", [followed("x")]);
      assert.deepEqual(told.splice(0), [["x"]]);
    },
  );

  prove(
    "B11: what keys wait for is known to the next process, and to one beside",
    async ({ bus, hands, under }, context) => {
      const at = hands();
      await bus.enqueue([item("a")]);
      const one = await at.only();
      await one.end(done(one.item, { waits: [followed("x")] }));
      const next = under.beside ?? under.reopen;
      if (next === undefined) return context.skip();
      if (under.beside === undefined) await bus.close();
      const other = await next();
      assert.deepEqual(await namesOf(other.bus), ["x"]);
      await other.bus.close();
    },
  );
}

const followed = (name: string): WaitedObject => ({ ...waited, name, version: "v1" });
const namesOf = async (bus: Bus): Promise<readonly string[]> =>
  (await bus.waits()).map(({ name }) => name).sort();
