import assert from "node:assert/strict";
import { changed, done, F, failed, item, keyOf } from "./fixture.ts";
import { LEASE, type Prove, RETRY } from "./stage.ts";

/** B1, B3 over deaths, and orderly ends. */
export function durabilityPromises(prove: Prove): void {
  prove("B1: what was published is there after a kill", async ({ bus, under, clock, hands }, t) => {
    if (under.reopen === undefined) return t.skip("it does not outlive its process");
    await bus.publish([changed("a"), changed("b")]);
    under.kill();
    const next = await under.reopen();
    const at = hands({}, next.bus);
    assert.deepEqual(
      (await at.running()).map((each) => each.item.key),
      ["a", "b"],
    );
    await at.drain();
    await clock.settle();
    await next.bus.close();
  });

  prove(
    "B3: a host that dies gives its items back, with what came meanwhile, and its attempt counts where it certainly ran alone",
    async ({ bus, under, clock, hands, can }, t) => {
      if (under.reopen === undefined) return t.skip("it does not outlive its process");
      const at = hands();
      const [one, two] = [changed("a"), changed("a")];
      await bus.publish([one]);
      const running = await at.only();
      await bus.publish([two]);
      under.kill();
      assert.equal(await running.lease.held(), false);
      assert.equal(running.lease.signal.aborted, true);
      const next = await under.reopen();
      const other = hands({}, next.bus);
      await clock.advance(LEASE);
      const again = await other.only();
      assert.equal(again.item.attempt, can.knowsCompany ? 2 : 1);
      await running.end(done(running.item, { enqueue: [item("never")] }));
      await again.end(done(again.item));
      if (!can.mergesWaiting) await other.drain();
      assert.deepEqual(
        other.taken.flatMap(({ causes }) => causes.map(({ eventId }) => eventId)),
        [one.id, two.id],
      );
      await other.none();
      assert.deepEqual(await next.bus.counts(), {});
      await next.bus.close();
    },
  );

  prove(
    "B5: an item that kills every host ends in the dead letters",
    async ({ under, clock, hands, can }, t) => {
      if (under.reopen === undefined) return t.skip("it does not outlive its process");
      await under.bus.publish([changed("poison", { uid: "u", generation: 4 })]);
      let now = under;
      const uncounted = can.knowsCompany ? 0 : 2;
      for (let host = 1; host <= RETRY.maximumAttempts + uncounted; host++) {
        const at = hands({}, now.bus);
        await clock.advance(LEASE);
        await clock.advance(RETRY.maximumMilliseconds);
        assert.equal((await at.only()).item.attempt, Math.max(1, host - uncounted));
        now.kill();
        now = await (now.reopen?.() ?? assert.fail("it cannot be opened again"));
      }
      const at = hands({}, now.bus);
      await clock.advance(LEASE);
      await at.none();
      const [letter] = await now.bus.deadLetters.list();
      assert.equal(letter?.error.code, "BUS_HOST_DIED");
      assert.equal(letter?.attempts, RETRY.maximumAttempts);
      await now.bus.publish([changed("poison", { uid: "u", generation: 4, differs: ["status"] })]);
      await at.none();
      await now.bus.publish([changed("poison", { uid: "u", generation: 5 })]);
      assert.equal((await at.only()).item.attempt, 1);
      await now.bus.close();
    },
  );

  prove("B3: a lease that is renewed lasts as long as the run", async ({ bus, under, clock, hands }) => {
    const at = hands();
    const beside = await under.beside?.();
    const other = beside === undefined ? undefined : hands({}, beside.bus);
    await bus.publish([changed("a")]);
    await clock.advance(1_000);
    const all = [...(await at.running()), ...((await other?.running()) ?? [])];
    assert.equal(all.length, 1);
    await clock.advance(10 * LEASE);
    const [only] = all;
    assert.equal(await only?.lease.held(), true);
    assert.equal(at.taken.length + (other?.taken.length ?? 0), 1);
    await only?.end(done(only.item));
    assert.deepEqual(await bus.counts(), {});
    await beside?.bus.close();
  });

  prove("B3: two processes share the keys, and never one key", async ({ bus, under, clock, hands }, t) => {
    const beside = await under.beside?.();
    if (beside === undefined) return t.skip("it does not outlive its process");
    const [here, there] = [hands({ parallel: 2 }), hands({ parallel: 2 }, beside.bus)];
    await bus.publish(["a", "b", "c", "d"].map((name) => changed(name)));
    await clock.advance(1_000);
    const keys = [...(await here.running()), ...(await there.running())].map((each) => each.item.key);
    assert.deepEqual(keys.sort(), ["a", "b", "c", "d"]);
    for (const each of await there.running()) await each.end(done(each.item));
    await here.drain();
    await beside.bus.close();
    assert.deepEqual(await bus.counts(), {});
  });

  prove(
    "what another process redrives or publishes is picked up",
    async ({ bus, under, clock, hands }, t) => {
      const beside = await under.beside?.();
      if (beside === undefined) return t.skip("it does not outlive its process");
      const at = hands();
      await bus.publish([changed("a")]);
      const first = await at.only();
      await first.end(failed(first.item, { retryable: false }));
      assert.equal(await beside.bus.deadLetters.redrive(keyOf("a"), "alice"), true);
      await beside.bus.publish([changed("b")]);
      await clock.advance(1_000);
      assert.deepEqual(
        (await at.running()).map((each) => each.item.key),
        ["a", "b"],
      );
      await beside.bus.close();
    },
  );

  prove(
    "a consumer that stops waits for its runs, takes nothing more, and gives back the rest uncounted",
    async ({ bus, clock, hands }) => {
      const at = hands({ parallel: 2 });
      await bus.enqueue([item("slow"), item("quick"), item("later")]);
      const [slow, quick] = await at.running();
      let stopped = false;
      const stopping = at.consumer.stop(5_000).then(() => {
        stopped = true;
      });
      await quick?.end(done(quick.item));
      assert.equal(stopped, false);
      assert.equal(await slow?.lease.held(), true);
      await clock.advance(5_000);
      await stopping;
      assert.equal(await slow?.lease.held(), false);
      assert.equal(slow?.lease.signal.aborted, true);
      const counts = (await bus.counts())[F];
      assert.equal(counts?.running, 0);
      assert.equal(counts?.waiting, 2);
      const next = hands();
      assert.deepEqual((await next.running()).map((each) => [each.item.key, each.item.attempt]).sort(), [
        ["later", 1],
        ["slow", 1],
      ]);
      // The one that was stopped ends after all: too late to count.
      await slow?.end(done(slow.item, { enqueue: [item("never")] }));
      assert.equal(await next.drain(), 2);
    },
  );

  prove("a run that says it lost its lease is run again", async ({ bus, hands, can }) => {
    const at = hands();
    await bus.publish([changed("a")]);
    const first = await at.only();
    await first.end({ state: "lost" });
    assert.equal((await at.only()).item.attempt, can.knowsCompany ? 2 : 1);
  });

  prove("closing gives back what runs, and nothing is lost", async ({ bus, under, hands }, t) => {
    if (under.reopen === undefined) return t.skip("it does not outlive its process");
    const at = hands();
    await bus.publish([changed("a")]);
    const running = await at.only();
    await bus.close();
    assert.equal(await running.lease.held(), false);
    await assert.rejects(bus.publish([changed("b")]), { code: "BUS_CLOSED" });
    const next = await under.reopen();
    const again = await hands({}, next.bus).only();
    assert.equal(again.item.attempt, 1);
    await next.bus.close();
  });

  prove("items that nobody consumes wait, and say since when", async ({ bus, clock, can }) => {
    await bus.enqueue([item("a")]);
    await clock.advance(2_000);
    await bus.enqueue([item("b")]);
    const counts = (await bus.counts())[F];
    assert.equal(counts?.waiting, 2);
    if (!can.knowsWaiting) return;
    assert.equal(counts?.oldest, 2_000);
    assert.equal((await bus.pending(keyOf("a"))).waiting, true);
  });
}
