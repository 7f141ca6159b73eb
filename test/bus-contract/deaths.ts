import assert from "node:assert/strict";
import type { Lease } from "../../shared/bus/contract.ts";
import type { NewItem } from "../../shared/bus/item.ts";
import { type BusUnderTest, changed, done, F, item } from "./fixture.ts";
import { LEASE, type Prove, RETRY, type Stage } from "./stage.ts";

const INNOCENTS = ["a", "b", "c"];
const never = new Promise<never>(() => undefined);

/** B5 where a process dies: what did not end it does not pay for it. */
export function deathPromises(prove: Prove): void {
  prove(
    "B5: what ran beside a key that kills its hosts runs to its end, and that key alone is given up",
    async ({ under, clock }, t) => {
      if (under.reopen === undefined) return t.skip("it does not outlive its process");
      await under.bus.publish([...INNOCENTS, "poison"].map((name) => changed(name)));
      const ended: Record<string, number> = {};
      let now = under;
      for (let deaths = 0; (await now.bus.deadLetters.list()).length === 0; deaths++) {
        assert.ok(deaths <= RETRY.maximumAttempts + 2, `it killed ${deaths} hosts`);
        const running = new Set<string>();
        let mostBeside = 0;
        // All are on their way when the first two hosts die; then the innocents come to their end.
        now.bus.consume({ parallel: 4 }, async ({ item }: Lease) => {
          running.add(item.key);
          if (running.has("poison")) mostBeside = Math.max(mostBeside, running.size - 1);
          if (item.key === "poison" || deaths < 2) return never;
          running.delete(item.key);
          ended[item.key] = item.attempt;
          return done(item);
        });
        await clock.advance(LEASE);
        for (let waits = 0; !running.has("poison") && waits < 10; waits++)
          await clock.advance(RETRY.maximumMilliseconds);
        if (!running.has("poison")) break;
        assert.equal(mostBeside, deaths < 2 ? INNOCENTS.length : 0, `beside it at death ${deaths + 1}`);
        now.kill();
        now = await (now.reopen?.() ?? assert.fail("it cannot be opened again"));
      }
      assert.deepEqual(ended, { a: 1, b: 1, c: 1 }, "no death counts for what did not run alone");
      const letters = await now.bus.deadLetters.list();
      assert.deepEqual(
        letters.map(({ key, attempts, error }) => [key, attempts, error.code]),
        [["poison", RETRY.maximumAttempts, "BUS_HOST_DIED"]],
      );
      await now.bus.close();
    },
  );

  prove("B5: a suspect has its turn beside a key for which items come all the time", async (stage, t) => {
    const { clock, under, hands } = stage;
    if (under.reopen === undefined) return t.skip("it does not outlive its process");
    await under.bus.publish([changed("poison")]);
    const now = await killedTwice(stage, ["poison"]);
    const mine = hands({}, now.bus);
    await now.bus.publish([changed("hot")]);
    await clock.advance(LEASE);
    const hot = (await mine.running()).find(({ item }) => item.key === "hot");
    assert.ok(hot !== undefined);
    await now.bus.publish([changed("hot")]);
    await clock.advance(RETRY.maximumMilliseconds);
    assert.equal((await mine.only()).item.key, "hot", "the suspect waits for it");
    await hot.end(done(hot.item));
    const suspect = await mine.only();
    assert.equal(suspect.item.key, "poison");
    await suspect.end(done(suspect.item));
    const again = await mine.only();
    assert.equal(again.item.key, "hot", "what came is run then");
    await again.end(done(again.item));
    await now.bus.close();
  });

  prove(
    "B5: a suspect has its turn beside a consumer of other functions that is never idle",
    async (stage, t) => {
      const { can, clock, under, hands } = stage;
      if (under.reopen === undefined) return t.skip("it does not outlive its process");
      if (!can.emptiesProcess) return t.skip("a consumer does not know what others run");
      await under.bus.publish([changed("poison")]);
      const now = await killedTwice(stage, ["poison"]);
      const others = hands({ functions: ["other"] }, now.bus);
      const mine = hands({ functions: [F] }, now.bus);
      const ofOthers = (name: string): NewItem => item(name, {}, "urgent", { function: "other" });
      await now.bus.enqueue([ofOthers("first")]);
      const first = await others.only();
      await clock.advance(LEASE);
      await clock.advance(RETRY.maximumMilliseconds);
      await mine.none();
      await now.bus.enqueue([ofOthers("second")]);
      assert.equal(await others.only(), first, "nothing new begins while the suspect waits");
      await first.end(done(first.item));
      const suspect = await mine.only();
      assert.equal(suspect.item.key, "poison");
      await others.none();
      await suspect.end(done(suspect.item));
      const second = await others.only();
      assert.equal(second.item.key, "second");
      await second.end(done(second.item));
      await now.bus.close();
    },
  );
}

/** Two hosts die one after the other while they run these keys; the next one has not begun yet. */
async function killedTwice({ under, clock, hands }: Stage, names: readonly string[]): Promise<BusUnderTest> {
  let now = under;
  for (const death of [1, 2]) {
    const theirs = hands({}, now.bus);
    await clock.advance(LEASE);
    const running = (await theirs.running()).map(({ item }) => item.key);
    assert.deepEqual(running.sort(), names, `before death ${death}`);
    now.kill();
    now = await (now.reopen?.() ?? assert.fail("it cannot be opened again"));
  }
  return now;
}
