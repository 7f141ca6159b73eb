import assert from "node:assert/strict";
import { changed, done, F, item, keyOf, run } from "./fixture.ts";
import { type Prove, RUNS } from "./stage.ts";

const FEW = 10;

/** B12. */
export function historyPromises(prove: Prove): void {
  prove(
    "B12: runs are found by key, by object, by the version that they wrote, by id, in order",
    async ({ bus, hands }) => {
      const at = hands();
      const event = changed("a");
      await bus.publish([event]);
      const first = await at.only();
      const record = run(first.item, {
        id: "first",
        reads: [{ subject: "apps/Deployment/default/db", uid: "d", resourceVersion: "3" }],
        writes: [
          {
            verb: "apply",
            subject: "/ConfigMap/default/a",
            uid: "c",
            resourceVersion: "9",
            paths: ["data.x"],
            sent: true,
          },
          {
            verb: "apply",
            subject: "/ConfigMap/default/b",
            uid: "e",
            resourceVersion: "4",
            paths: [],
            sent: false,
          },
        ],
      });
      await first.end(done(first.item, { run: record }));
      await bus.enqueue([{ ...item("z"), function: "other" }]);
      const second = await at.only();
      await second.end(done(second.item, { run: run(second.item, { id: "second" }) }));

      const { history } = bus;
      assert.deepEqual(await history.ofKey(keyOf("a"), 10), [record]);
      for (const subject of ["apps/Deployment/default/db", "/ConfigMap/default/a", event.subject ?? ""])
        assert.deepEqual(await history.ofSubject(subject, 10), [record], subject);
      assert.deepEqual(await history.ofSubject("apps/Deployment/default/none", 10), []);
      assert.deepEqual(await history.ofWrite({ uid: "c", resourceVersion: "9" }), record);
      assert.equal(await history.ofWrite({ uid: "e", resourceVersion: "4" }), undefined, "it was not sent");
      assert.equal((await history.run("second"))?.function, "other");
      assert.equal((await history.event(event.id))?.uid, "uid-a");
      assert.equal((await history.event(event.id))?.traceparent, event.traceparent);
      assert.equal(await history.event("never"), undefined);

      const all = await history.after(0, { limit: 10 });
      assert.deepEqual(
        all.runs.map(({ id }) => id),
        ["first", "second"],
      );
      assert.deepEqual(await history.after(all.position, { limit: 10 }), {
        runs: [],
        position: all.position,
      });
      const page = await history.after(0, { limit: 1 });
      assert.deepEqual(
        (await history.after(page.position, { limit: 1 })).runs.map(({ id }) => id),
        ["second"],
      );
      assert.deepEqual(
        (await history.after(0, { function: F, limit: 10 })).runs.map(({ id }) => id),
        ["first"],
      );
    },
  );

  prove("B12: the history is bounded by count and by age", async ({ bus, clock, hands, can }) => {
    const at = hands();
    const runAll = async (count: number, name: string): Promise<void> => {
      for (let i = 0; i < count; i++) await bus.enqueue([item(`${name}-${i}`)]);
      assert.equal(await at.drain(), count);
    };
    const kept = async (): Promise<readonly string[]> =>
      (await bus.history.after(0, { limit: 10 * RUNS })).runs.map(({ key }) => key);
    // Where nobody counts them, age alone bounds them: a few show it.
    const [before, after] = can.countsHistory ? [RUNS * 4, RUNS] : [FEW, FEW];
    await runAll(before, "old");
    if (can.countsHistory)
      assert.ok((await kept()).length <= RUNS * 2, `${(await kept()).length} runs are kept`);
    assert.equal((await kept()).at(-1), `old-${before - 1}`);
    clock.jump(48 * 3_600_000);
    await runAll(after, "new");
    assert.deepEqual(
      (await kept()).filter((key) => key.startsWith("old")),
      [],
    );
    assert.equal((await kept()).at(-1), `new-${after - 1}`);
  });
}
