import assert from "node:assert/strict";
import { eventually } from "../../infra/testing/eventually.ts";
import { MAXIMUM_CAUSES, MAXIMUM_FACTS, type SweepSource } from "../../shared/bus/item.ts";
import { changed, done, echo, F, failed, item, keyOf, run } from "./fixture.ts";
import type { Prove } from "./stage.ts";

const sweepOf = (facts: readonly Record<string, unknown>[]): SweepSource => ({
  wake: 0,
  subject: { cluster: "local", name: "db" },
  facts,
  gone: false,
  incomplete: false,
});

/** B2, B3, B4, B8, B9. */
export function deliveryPromises(prove: Prove): void {
  prove(
    "B1: an event wakes the function that it routes to, with its cause and trace",
    async ({ bus, hands }) => {
      const at = hands();
      const event = changed("a", { generation: 7 });
      assert.deepEqual(await bus.publish([event]), { refused: [] });
      const { item: got, lease, end } = await at.only();
      assert.equal(got.function, F);
      assert.equal(got.key, "a");
      assert.equal(got.attempt, 1);
      const [cause] = got.causes;
      assert.equal(cause?.eventId, event.id);
      assert.equal(cause?.generation, 7);
      assert.equal(cause?.traceparent, event.traceparent);
      assert.equal(await lease.held(), true);
      await end(done(got));
      await at.none();
      assert.deepEqual(await bus.counts(), {});
    },
  );

  prove(
    "B8: a sweep comes soon where others took the urgent items that were known to wait",
    async (stage) => {
      const { bus, hands } = stage;
      await bus.publish(Array.from({ length: 8 }, (_, index) => changed(`urgent-${index}`)));
      const one = hands({ parallel: 1 });
      const first = await one.only();
      const others = hands({ parallel: 7 });
      await others.drain();
      await others.consumer.stop();
      assert.equal(one.taken.length + others.taken.length, 8);
      await first.end(done(first.item));
      await one.none();
      await bus.enqueue([item("late", {}, "sweep")]);
      await eventually("the sweep to run", async () => (await one.running()).length > 0, 5_000);
      const { item: late, end } = await one.only();
      assert.equal(late.key, "late");
      await end(done(late));
    },
  );

  prove(
    "B2: one item waits, with the more urgent lane, the earlier time and the causes of both",
    async ({ bus, clock, hands, can }) => {
      await bus.enqueue([item("a", { eventId: "1" }, "sweep", { notBefore: clock.now() + 60_000 })]);
      await bus.enqueue([item("a", { eventId: "2" }, "sweep", { notBefore: clock.now() + 5_000 })]);
      const at = hands();
      await at.none();
      await bus.enqueue([item("a", { eventId: "3" }, "urgent", { notBefore: clock.now() + 9_000 })]);
      await clock.advance(4_999);
      await at.none();
      await clock.advance(1);
      const { item: got, end } = await at.only();
      if (can.mergesWaiting) assert.equal(got.lane, "urgent");
      await end(done(got));
      for (const wait of [4_000, 51_000]) {
        await clock.advance(wait);
        await at.drain();
      }
      assert.deepEqual(at.taken.flatMap(({ causes }) => causes.map(({ eventId }) => eventId)).sort(), [
        "1",
        "2",
        "3",
      ]);
      if (can.mergesWaiting) assert.equal(at.taken.length, 1);
      assert.equal(got.causesIncomplete, false);
    },
  );

  prove(
    "B2: causes are bounded, a command outlives them, and what lost causes is no echo",
    async ({ bus, hands, can }, t) => {
      if (!can.mergesWaiting) return t.skip("its waiting items stay apart");
      const at = hands({ parallel: 1 });
      await bus.enqueue([item("a")]);
      const { item: first, end } = await at.only();
      await bus.enqueue([item("a", { sort: "command", eventId: "asked", uid: "u", resourceVersion: "1" })]);
      for (let i = 0; i < MAXIMUM_CAUSES + 5; i++)
        await bus.enqueue([item("a", { eventId: `e${i}`, uid: "u", resourceVersion: "1" })]);
      await end(done(first, { echoes: [echo("u", "1")] }));
      const { item: next } = await at.only();
      assert.equal(next.causes.length, MAXIMUM_CAUSES);
      assert.equal(next.causesIncomplete, true);
      assert.equal(next.causes[0]?.eventId, "asked");
      assert.equal(next.causes.at(-1)?.eventId, `e${MAXIMUM_CAUSES + 4}`);
    },
  );

  prove(
    "B2: the facts of a sweep that waits are kept for the one that replaces it",
    async ({ bus, hands, can }, t) => {
      if (!can.mergesWaiting) return t.skip("its waiting items stay apart");
      await bus.enqueue([item("s", {}, "sweep", { sweep: sweepOf([{ v: 2 }, { v: 1 }]) })]);
      await bus.enqueue([item("s", {}, "sweep", { sweep: sweepOf([{ v: 3 }]) })]);
      const at = hands();
      const { item: got, end } = await at.only();
      assert.deepEqual(got.sweep?.facts, [{ v: 3 }, { v: 2 }, { v: 1 }]);
      assert.equal(got.sweep?.incomplete, false);
      await bus.enqueue([item("s", {}, "sweep", { sweep: sweepOf(Array.from({ length: 10 }, () => ({}))) })]);
      await bus.enqueue([item("s", {}, "sweep", { sweep: sweepOf(Array.from({ length: 10 }, () => ({}))) })]);
      await end(done(got));
      const { item: next } = await at.only();
      assert.equal(next.sweep?.facts.length, MAXIMUM_FACTS);
      assert.equal(next.sweep?.incomplete, true);
    },
  );

  prove(
    "B3, B4: one run of a key at a time; events during it lead to exactly one further run",
    async ({ bus, hands, can }) => {
      const at = hands();
      await bus.publish([changed("a")]);
      const first = await at.only();
      const [one, two, three] = [changed("a"), changed("a"), changed("a")];
      await bus.publish([one]);
      await bus.publish([two, three]);
      await at.only();
      await first.end(done(first.item));
      const further = await at.drain();
      assert.ok(further === 1 || (!can.mergesWaiting && further <= 3), `${further} further runs`);
      assert.deepEqual(
        at.taken.slice(1).flatMap(({ causes }) => causes.map(({ eventId }) => eventId)),
        [one.id, two.id, three.id],
      );
    },
  );

  prove("B4: keys and functions are independent, up to what may run at once", async ({ bus, hands, can }) => {
    const at = hands({ parallel: 3 });
    await bus.enqueue([item("a"), item("b"), { ...item("a"), function: "other" }, item("c"), item("d")]);
    const running = await at.running();
    assert.equal(running.length, 3);
    if (can.ordersKeys)
      assert.deepEqual(
        running.map(({ item: of }) => `${of.function}/${of.key}`),
        [`${F}/a`, `${F}/b`, "other/a"],
      );
    const [, b] = running;
    await b?.end(done(b.item));
    const others = (await at.running()).map(({ item: of }) => of.key);
    assert.equal(others.length, 3);
    if (can.ordersKeys) assert.deepEqual(others, ["a", "a", "c"]);
    assert.equal(await at.drain(), 4);
  });

  prove(
    "B4: an echo of the run's own conditional writes wakes nobody, whether it ended well or failed",
    async ({ bus, clock, hands }) => {
      const at = hands();
      for (const fails of [false, true]) {
        await bus.publish([changed("a")]);
        const first = await at.only();
        await bus.publish([
          changed("a", { uid: "u", resourceVersion: "5" }),
          changed("a", { uid: "u", resourceVersion: "6" }),
        ]);
        const echoes = [echo("u", "5"), echo("u", "6")];
        await first.end(fails ? failed(first.item, { echoes }) : done(first.item, { echoes }));
        await at.none();
      }
      await clock.advance(1_000);
      assert.deepEqual(
        (await at.only()).item.causes.map(({ sort }) => sort),
        ["retry"],
      );
    },
  );

  prove(
    "B4: nothing else is an echo: another version, another uid, one foreign cause among them",
    async ({ bus, hands }) => {
      const at = hands();
      const echoes = [echo("u", "5")];
      for (const foreign of [
        changed("a", { uid: "u", resourceVersion: "6" }),
        changed("a", { uid: "v", resourceVersion: "5" }),
      ]) {
        await bus.publish([changed("a")]);
        const first = await at.only();
        await bus.publish([changed("a", { uid: "u", resourceVersion: "5" }), foreign]);
        await first.end(done(first.item, { echoes }));
        const second = await at.only();
        await second.end(done(second.item));
      }
      await bus.publish([changed("b")]);
      const first = await at.only();
      await bus.enqueue([item("b", { sort: "net" })]);
      await first.end(done(first.item, { echoes }));
      assert.equal((await at.only()).item.causes[0]?.sort, "net");
    },
  );

  prove(
    "B4: an echo that comes after the end wakes at most once, and hides no other change",
    async ({ bus, hands }) => {
      const at = hands();
      const echoes = [echo("u", "5")];
      for (const fails of [false, true]) {
        await bus.publish([changed("a")]);
        const first = await at.only();
        await first.end(fails ? failed(first.item, { echoes }) : done(first.item, { echoes }));
        await bus.publish([changed("a", { uid: "u", resourceVersion: "5" })]);
        assert.ok((await at.drain()) <= 1);
        await bus.publish([changed("a", { uid: "u", resourceVersion: "6" })]);
        await at.only();
        assert.equal(await at.drain(), 1);
      }
    },
  );

  prove(
    "B4: what a run wrote is news again after another run, which may have rested on less",
    async ({ bus, hands }) => {
      const at = hands();
      await bus.publish([changed("a")]);
      for (const during of [false, true]) {
        const first = await at.only();
        const second = changed("a", { uid: "other", resourceVersion: "4" });
        if (during) await bus.publish([second]);
        await first.end(done(first.item, { echoes: [echo("u", "5")] }));
        if (!during) await bus.publish([second]);
        const next = await at.only();
        await bus.publish([changed("a", { uid: "u", resourceVersion: "5" })]);
        await next.end(done(next.item));
        assert.equal((await at.only()).item.causes[0]?.resourceVersion, "5");
      }
    },
  );

  prove(
    "B4: what a run wrote is no news after another run that read it, or what came later",
    async ({ bus, hands, can }) => {
      const at = hands();
      for (const [key, read] of [
        ["a", "5"],
        ["b", "10"],
      ] as const) {
        await bus.publish([changed(key)]);
        const first = await at.only();
        await first.end(done(first.item, { echoes: [echo("u", "5")] }));
        await bus.publish([changed(key, { uid: "other", resourceVersion: "4" })]);
        const next = await at.only();
        const reads = [{ subject: "example.org/Toy/a/b", uid: "u", resourceVersion: read }];
        await next.end(done(next.item, { run: { ...run(next.item), reads } }));
        await bus.publish([changed(key, { uid: "u", resourceVersion: "5" })]);
        assert.equal(await at.drain(), can.knowsLateEchoes ? 0 : 1);
        await bus.publish([changed(key, { uid: "u", resourceVersion: "11" })]);
        const last = await at.only();
        assert.equal(last.item.causes[0]?.resourceVersion, "11");
        await last.end(done(last.item));
      }
    },
  );

  prove(
    "a run may ask for one more and for other keys; `again` goes to the end of the queue",
    async ({ bus, hands, can }) => {
      const at = hands({ parallel: 1 });
      await bus.enqueue([item("a"), item("b")]);
      const a = await at.only();
      await a.end(done(a.item, { again: true, enqueue: [item("c", { sort: "sweep" })] }));
      if (!can.ordersKeys) {
        assert.equal(await at.drain(), 3);
        const after = at.taken.slice(1).map(({ key, causes: [cause] }) => `${key}: ${cause?.sort}`);
        assert.deepEqual(after.sort(), ["a: again", "b: own", "c: sweep"]);
        return;
      }
      const b = await at.only();
      assert.equal(b.item.key, "b");
      await b.end(done(b.item));
      const again = await at.only();
      assert.equal(again.item.key, "a");
      assert.deepEqual(
        again.item.causes.map(({ sort }) => sort),
        ["again"],
      );
      await again.end(done(again.item));
      assert.equal((await at.only()).item.key, "c");
    },
  );

  prove("B8: urgent items go first, and sweeps still come", async ({ bus, clock, hands, can }) => {
    for (let i = 0; i < 40; i++) await bus.enqueue([item(`sweep-${i}`, {}, "sweep")]);
    for (let i = 0; i < 40; i++) await bus.enqueue([item(`urgent-${i}`)]);
    const at = hands({ parallel: 1 });
    for (let i = 0; i < 40; i++) {
      const { item: of, end } = await at.only();
      await end(done(of));
    }
    const sweeps = at.taken.slice(0, 40).filter(({ lane }) => lane === "sweep").length;
    assert.ok(sweeps >= 2 && sweeps <= 10, `${sweeps} of 40 were sweeps`);
    let rest = await at.drain();
    for (let waits = 0; !can.ordersLanes && rest < 40 && waits < 100; waits++) {
      await clock.advance(5_000);
      rest += await at.drain();
    }
    assert.equal(rest, 40);
  });

  prove("places that are lent are filled, and what runs in them goes on", async ({ bus, hands }) => {
    const at = hands({ parallel: 1 });
    await bus.enqueue(["a", "b", "c", "d"].map((key) => item(key)));
    await at.only();
    at.consumer.lend(2);
    const [one, two, three, ...none] = await at.running();
    assert.ok(one !== undefined && two !== undefined && three !== undefined && none.length === 0);
    at.consumer.lend(0);
    for (const [ended, left] of [
      [one, 2],
      [two, 1],
      [three, 1],
    ] as const) {
      await ended.end(done(ended.item));
      assert.equal((await at.running()).length, left);
    }
    assert.equal(new Set(at.taken.map(({ key }) => key)).size, 4);
  });

  prove("B8: sweeps leave a place to what users caused, however many wait", async ({ bus, hands, can }) => {
    if (!can.ordersLanes) return;
    for (let i = 0; i < 10; i++) await bus.enqueue([item(`sweep-${i}`, {}, "sweep")]);
    const at = hands({ parallel: 4 });
    const lanes = async (): Promise<readonly string[]> => (await at.running()).map((each) => each.item.lane);
    assert.deepEqual(await lanes(), ["sweep", "sweep", "sweep"]);
    await bus.enqueue([item("user")]);
    assert.deepEqual(await lanes(), ["sweep", "sweep", "sweep", "urgent"]);
    const [first] = await at.running();
    await first?.end(done(first.item));
    assert.deepEqual((await lanes()).toSorted(), ["sweep", "sweep", "sweep", "urgent"]);
    await at.drain();
    assert.equal(at.taken.length, 11);
    assert.deepEqual(await bus.counts(), {});
  });

  prove("a consumer of some functions takes only theirs", async ({ bus, hands }) => {
    const at = hands({ functions: ["other"] });
    await bus.enqueue([item("a"), { ...item("b"), function: "other" }]);
    assert.equal((await at.only()).item.key, "b");
    const rest = hands({ functions: [F] });
    assert.equal((await rest.only()).item.key, "a");
  });

  prove("B9: the same send twice does no harm", async ({ bus, hands }) => {
    const at = hands();
    const event = changed("a");
    await Promise.all([bus.publish([event]), bus.publish([event, event])]);
    await at.drain();
    assert.ok(at.taken.length <= 2);
    await bus.publish([event]);
    await at.drain();
    assert.ok(at.taken.length <= 3);
    // The same id with another body says something new: it may not be taken for known.
    const before = at.taken.length;
    await bus.publish([
      { ...event, data: { ...(event.data as object), differs: ["unknown"], lane: "sweep" } },
    ]);
    assert.equal(await at.drain(), 1);
    assert.equal(at.taken.length, before + 1);
  });

  prove("B11: an object that a key waits for wakes it, until it no longer waits", async ({ bus, hands }) => {
    const at = hands();
    const waited = {
      cluster: "local",
      group: "bench.example.org",
      kind: "Widget",
      namespace: "elsewhere",
      name: "db",
    };
    const end = async (waits: readonly (typeof waited)[]): Promise<void> => {
      const { item: of, end: finish } = await at.only();
      await finish(done(of, { waits }));
    };
    await bus.enqueue([item("a")]);
    await end([waited]);
    assert.equal((await bus.counts())[F]?.parked, 1);
    assert.deepEqual((await bus.pending(keyOf("a"))).waits, [waited]);
    await bus.publish([changed("other", { namespace: "elsewhere" })]);
    await at.none();
    await bus.publish([changed("db", { namespace: "elsewhere" })]);
    const woken = await at.only();
    assert.deepEqual(
      woken.item.causes.map(({ sort, subject }) => [sort, subject]),
      [["wait", "bench.example.org/Widget/elsewhere/db"]],
    );
    await end([{ ...waited, name: "db2" }]);
    await bus.publish([changed("db", { namespace: "elsewhere" })]);
    await at.none();
    await bus.publish([changed("db2", { namespace: "elsewhere" })]);
    await end([]);
    await bus.publish([changed("db2", { namespace: "elsewhere" })]);
    await at.none();
    assert.deepEqual(await bus.counts(), {});
  });

  prove(
    "listeners are told of events and runs, and one that throws stops nothing",
    async ({ bus, hands }) => {
      const told: string[] = [];
      bus.subscribe({
        published: () => {
          throw new Error("a bad listener");
        },
      });
      const stop = bus.subscribe({
        published: (event, items) => told.push(`${event.id}: ${items.length}`),
        ran: ({ id }) => told.push(id),
      });
      const at = hands();
      await bus.publish([changed("a", { id: "one" })]);
      const first = await at.only();
      await first.end(done(first.item, { run: run(first.item, { id: "run" }) }));
      stop();
      await bus.publish([changed("a", { id: "two" })]);
      assert.deepEqual(told, ["one: 1", "run"]);
    },
  );
}
