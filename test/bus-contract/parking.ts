import assert from "node:assert/strict";
import { changed, done, F, failed, item, keyOf, parked } from "./fixture.ts";
import type { Prove } from "./stage.ts";

const OTHER = "other";

/** What a connection that is away does to the keys that need it, and what it does not. */
export function parkingPromises(prove: Prove): void {
  prove("B5: a parked run counts as no attempt, however often", async ({ bus, clock, hands }) => {
    const at = hands();
    await bus.publish([changed("a", { id: "first" })]);
    const first = await at.only();
    await first.end(failed(first.item));
    await clock.advance(1_000);
    for (let times = 0; times < 12; times++) {
      const { item: of, end } = await at.only();
      assert.deepEqual([of.attempt, of.lastAttempt], [2, false]);
      assert.equal(of.causes.at(-1)?.sort, "retry");
      await end(parked(of));
      await clock.advance(20_000);
    }
    assert.equal(await bus.deadLetters.show(keyOf("a")), undefined);
    const last = await at.only();
    await last.end(done(last.item));
    assert.equal((await bus.pending(keyOf("a"))).attempts, 0);
    const [, before] = await bus.history.ofKey(keyOf("a"), 2);
    assert.deepEqual([before?.outcome, before?.error?.code], ["away", "CONNECTION_AWAY"]);
  });

  prove("B5: a parked key waits as long as it says, a minute at most", async ({ bus, clock, hands }) => {
    const at = hands();
    await bus.publish([changed("a")]);
    for (const [asked, wait] of [
      [20_000, 20_000],
      [3_600_000, 60_000],
    ] as const) {
      const { item: of, end } = await at.only();
      await end(parked(of, { milliseconds: asked }));
      const { retryAt, behind } = await bus.pending(keyOf("a"));
      assert.deepEqual([retryAt, behind], [new Date(clock.now() + wait).toISOString(), "api"]);
      assert.equal((await bus.counts())[F]?.away, 1);
      await clock.advance(wait - 1);
      await at.none();
      await clock.advance(1);
    }
    const last = await at.only();
    await last.end(done(last.item));
    assert.equal((await bus.counts())[F]?.away ?? 0, 0);
  });

  prove(
    "B5: what comes for a key that is parked, or being parked, is looked at at once",
    async ({ bus, hands }) => {
      const at = hands();
      await bus.publish([changed("a")]);
      const first = await at.only();
      await bus.publish([changed("a", { id: "during" })]);
      await first.end(parked(first.item));
      const second = await at.only();
      assert.equal(second.item.attempt, 1);
      assert.equal(second.item.causes.at(-1)?.eventId, "during");
      await second.end(parked(second.item));
      await bus.publish([changed("a", { id: "after" })]);
      const third = await at.only();
      assert.equal(third.item.attempt, 1);
      assert.equal(third.item.causes.at(-1)?.eventId, "after");
    },
  );

  prove(
    "B3: what a host leaves alone waits unharmed, until it or another one takes it",
    async ({ bus, clock, hands }) => {
      const at = hands();
      at.consumer.leave("all");
      await bus.publish([changed("a"), changed("b")]);
      await at.none();
      await clock.advance(120_000);
      await at.none();
      at.consumer.leave([]);
      const running = await at.running();
      assert.deepEqual(running.map((one) => [one.item.key, one.item.attempt]).sort(), [
        ["a", 1],
        ["b", 1],
      ]);
      // What runs goes on.
      at.consumer.leave("all");
      for (const each of running) {
        assert.ok(await each.lease.held());
        await each.end(done(each.item));
      }
      await bus.publish([changed("a")]);
      const other = hands();
      assert.equal((await other.only()).item.attempt, 1);
      assert.deepEqual(await at.running(), []);
    },
  );

  prove(
    "B4: a host that leaves one function alone takes what is there for the others",
    async ({ bus, hands }) => {
      const at = hands();
      at.consumer.leave([F]);
      await bus.enqueue([item("a"), item("b", {}, "urgent", { function: OTHER })]);
      const other = await at.only();
      assert.deepEqual([other.item.function, other.item.key], [OTHER, "b"]);
      await other.end(done(other.item));
      at.consumer.leave([OTHER]);
      const first = await at.only();
      assert.deepEqual([first.item.function, first.item.key, first.item.attempt], [F, "a", 1]);
    },
  );
}
