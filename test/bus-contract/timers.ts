import assert from "node:assert/strict";
import { eventually } from "../../infra/testing/eventually.ts";
import { changed, done, F, failed, item, keyOf } from "./fixture.ts";
import type { Prove, Stage } from "./stage.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function setDeadlines(
  { bus, hands }: Stage,
  deadlines: Readonly<Record<string, string>>,
  net?: number,
) {
  const at = hands();
  await bus.enqueue([item("a")]);
  const first = await at.only();
  await first.end(done(first.item, { deadlines, net }));
  return at;
}
const iso = (time: number): string => new Date(time).toISOString();

/** B7. */
export function timerPromises(prove: Prove): void {
  prove("B7: a deadline wakes its key once, with its name and due time", async (stage) => {
    const { clock, bus } = stage;
    const due = iso(clock.now() + 5_000);
    const at = await setDeadlines(stage, { stale: due });
    assert.equal((await bus.counts())[F]?.deadlines, 1);
    assert.deepEqual((await bus.pending(keyOf("a"))).deadlines, { stale: due });
    await clock.advance(4_999);
    await at.none();
    await clock.advance(1);
    const woken = await at.only();
    assert.deepEqual(
      woken.item.causes.map(({ sort, timer, dueAt }) => ({ sort, timer, dueAt })),
      [{ sort: "deadline", timer: "stale", dueAt: due }],
    );
    await woken.end(done(woken.item));
    await clock.advance(HOUR);
    await at.none();
    assert.deepEqual(await bus.counts(), {});
  });

  prove("B7: a deadline of a function that nobody runs here rests until somebody does", async (stage) => {
    const { clock, bus, hands } = stage;
    const others = hands({ functions: ["other"] });
    const mine = hands({ functions: [F] });
    await bus.enqueue([item("a")]);
    const first = await mine.only();
    await first.end(done(first.item, { deadlines: { stale: iso(clock.now() + 5_000) } }));
    await mine.consumer.stop();
    await clock.advance(6_000);
    await others.none();
    assert.deepEqual(await bus.deadLetters.list(), []);
    const woken = await hands({ functions: [F] }).only();
    assert.deepEqual([woken.item.key, woken.item.causes.map(({ timer }) => timer)], ["a", ["stale"]]);
  });

  prove(
    "B7: the set is replaced as a whole: moved, cleared, added; undefined leaves it alone",
    async (stage) => {
      const { bus, clock } = stage;
      const start = clock.now();
      const at = await setDeadlines(stage, {
        moved: iso(start + 1_000),
        cleared: iso(start + 2_000),
        kept: iso(start + 9_000),
      });
      await bus.enqueue([item("a")]);
      const second = await at.only();
      await second.end(
        done(second.item, {
          deadlines: { moved: iso(start + 5_000), added: iso(start + 7_000), kept: iso(start + 9_000) },
        }),
      );
      await clock.advance(4_999);
      await at.none();
      const names: (string | undefined)[] = [];
      for (const step of [1, 2_000, 2_000]) {
        await clock.advance(step);
        const woken = await at.only();
        names.push(...woken.item.causes.map(({ timer }) => timer));
        await woken.end(done(woken.item, { deadlines: undefined }));
      }
      assert.deepEqual(names, ["moved", "added", "kept"]);
      await clock.advance(HOUR);
      await at.none();
    },
  );

  for (const sort of ["deadline", "net"] as const)
    prove(`B7: a ${sort} that is past when its run ends wakes its key once more`, async (stage) => {
      const { bus, clock, hands } = stage;
      const at = hands();
      await bus.enqueue([item("a")]);
      const first = await at.only();
      const due = clock.now() + 1_000;
      await clock.advance(2_000);
      await first.end(done(first.item, sort === "net" ? { net: due } : { deadlines: { late: iso(due) } }));
      await clock.advance(1_000);
      const second = await at.only();
      assert.deepEqual(
        second.item.causes.map((cause) => cause.sort),
        [sort],
      );
      await second.end(done(second.item));
      await clock.advance(HOUR);
      await at.none();
    });

  prove("B7: a failure leaves deadlines alone", async (stage) => {
    const { bus, clock } = stage;
    const due = iso(clock.now() + 60_000);
    const at = await setDeadlines(stage, { stale: due });
    await bus.enqueue([item("a")]);
    const second = await at.only();
    await second.end(failed(second.item));
    assert.deepEqual((await bus.pending(keyOf("a"))).deadlines, { stale: due });
  });

  prove("B7: a deadline that comes during a run leads to one further run", async (stage) => {
    const { bus, clock } = stage;
    const at = await setDeadlines(stage, { stale: iso(clock.now() + 1_000) });
    await bus.enqueue([item("a")]);
    const second = await at.only();
    await clock.advance(1_000);
    await second.end(done(second.item));
    const third = await at.only();
    assert.deepEqual(
      third.item.causes.map(({ timer }) => timer),
      ["stale"],
    );
    await third.end(done(third.item));
    await at.none();
  });

  prove("B7: any time ahead, beyond what a timer of the machine can hold", async (stage, t) => {
    if (!stage.can.keepsOurTime) return t.skip("its server counts the time");
    const at = await setDeadlines(stage, { far: iso(stage.clock.now() + 40 * DAY) });
    stage.clock.jump(40 * DAY - 120_000);
    await stage.clock.advance(119_999);
    await at.none();
    await stage.clock.advance(1);
    assert.equal((await at.only()).item.causes[0]?.timer, "far");
  });

  prove(
    "B7: deadlines and back-offs outlive the process; what fell due meanwhile fires at once",
    async (stage, t) => {
      const { under, bus, clock, hands, can } = stage;
      if (under.reopen === undefined) return t.skip("it does not outlive its process");
      const before = await setDeadlines(stage, {
        stale: iso(clock.now() + (can.keepsOurTime ? 60_000 : 5_000)),
      });
      await bus.publish([changed("b")]);
      const b = await before.only();
      await b.end(failed(b.item));
      await bus.close();
      await clock.advance(120_000);
      const next = await under.reopen();
      const at = hands({}, next.bus);
      // A server announces what is due when it comes to it.
      await eventually("both to fire", async () => (await at.running()).length >= 2);
      const woken = await at.running();
      assert.deepEqual(woken.map((each) => [each.item.key, each.item.attempt]).sort(), [
        ["a", 1],
        ["b", 2],
      ]);
      await next.bus.close();
    },
  );

  prove("a net wakes its key when nothing came; each ending sets it anew", async (stage) => {
    const { bus, clock } = stage;
    const at = await setDeadlines(stage, {}, stage.clock.now() + 60_000);
    await clock.advance(50_000);
    await bus.enqueue([item("a")]);
    const second = await at.only();
    await second.end(done(second.item, { net: clock.now() + 60_000 }));
    await clock.advance(59_999);
    await at.none();
    await clock.advance(1);
    const third = await at.only();
    assert.deepEqual(
      third.item.causes.map(({ sort }) => sort),
      ["net"],
    );
    assert.equal(third.item.lane, "sweep");
    await third.end(done(third.item));
    await clock.advance(HOUR);
    await at.none();
  });
}
