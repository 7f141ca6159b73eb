import assert from "node:assert/strict";
import type { Envelope } from "../../events/index.ts";
import type { Failed } from "../../shared/bus/contract.ts";
import { MOST_REFUSED } from "../../shared/bus/refused.ts";
import { changed, done, F, failed, item, keyOf } from "./fixture.ts";
import { type Prove, RETRY, type Stage } from "./stage.ts";

/** Brings the key into the dead letters with its first attempt. */
async function bury({ bus, hands }: Stage, name: string, over: Partial<Failed> = {}) {
  const at = hands();
  await bus.publish([changed(name, { uid: "u", generation: 3 })]);
  const first = await at.only();
  await first.end(failed(first.item, { retryable: false, subjects: { u: 3 }, ...over }));
  await at.none();
  return at;
}

/** B5, B6 and refused events. */
export function deadLetterPromises(prove: Prove): void {
  prove(
    "B5: a failure backs off, doubles, and goes to the dead letters after its last attempt",
    async ({ bus, clock, hands }) => {
      const at = hands();
      await bus.publish([changed("a", { id: "first" })]);
      for (const [attempt, wait] of [
        [1, 1_000],
        [2, 2_000],
      ] as const) {
        const { item: of, end } = await at.only();
        assert.equal(of.attempt, attempt);
        assert.equal(of.lastAttempt, false);
        await end(failed(of));
        assert.equal((await bus.counts())[F]?.retrying, 1);
        assert.equal((await bus.pending(keyOf("a"))).retryAt, new Date(clock.now() + wait).toISOString());
        await clock.advance(wait - 1);
        await at.none();
        await clock.advance(1);
        const retry = await at.only();
        assert.equal(retry.item.causes.at(-1)?.sort, "retry");
      }
      const last = await at.only();
      assert.equal(last.item.attempt, RETRY.maximumAttempts);
      assert.equal(last.item.lastAttempt, true);
      await last.end(failed(last.item, { error: { code: "LAST", message: "the last straw" } }));
      await clock.advance(3_600_000);
      await at.none();
      const letter = await bus.deadLetters.show(keyOf("a"));
      assert.deepEqual(letter?.error, { code: "LAST", message: "the last straw" });
      assert.equal(letter?.attempts, 3);
      const outcomes = (await bus.history.ofKey(keyOf("a"), 10)).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ["dead", "retry", "retry"]);
    },
  );

  prove("B5: Retry-After is honoured, beyond the longest back-off too", async ({ bus, clock, hands }) => {
    const at = hands();
    await bus.publish([changed("a")]);
    const first = await at.only();
    await first.end(failed(first.item, { retryAfterMilliseconds: 60_000 }));
    await clock.advance(59_999);
    await at.none();
    await clock.advance(1);
    await at.only();
  });

  prove("B5: a Retry-After of a month is one of five minutes", async ({ bus, clock, hands }) => {
    const at = hands();
    await bus.publish([changed("a")]);
    const first = await at.only();
    await first.end(failed(first.item, { retryAfterMilliseconds: 30 * 24 * 3_600_000 }));
    const { retryAt } = await bus.pending(keyOf("a"));
    assert.equal(retryAt, new Date(clock.now() + 5 * 60_000).toISOString());
  });

  prove(
    "B5: a newer event wakes at once and keeps the attempts; a success resets them",
    async ({ bus, clock, hands }) => {
      const at = hands();
      await bus.publish([changed("a")]);
      const first = await at.only();
      await first.end(failed(first.item));
      const event = changed("a");
      await bus.publish([event]);
      const second = await at.only();
      assert.equal(second.item.attempt, 2);
      assert.equal(second.item.causes.at(-1)?.eventId, event.id);
      await second.end(done(second.item));
      await clock.advance(3_600_000);
      await at.none();
      await bus.publish([changed("a")]);
      assert.equal((await at.only()).item.attempt, 1);
    },
  );

  prove(
    "B5: an event during a run that fails leads to one further run at once, not to two",
    async ({ bus, clock, hands }) => {
      const at = hands();
      await bus.publish([changed("a")]);
      const first = await at.only();
      await bus.publish([changed("a")]);
      await first.end(failed(first.item));
      const second = await at.only();
      assert.equal(second.item.attempt, 2);
      await second.end(done(second.item));
      await clock.advance(3_600_000);
      await at.none();
    },
  );

  prove("B5: a failed key delays no other", async ({ bus, hands }) => {
    const at = hands({ parallel: 1 });
    await bus.publish([changed("bad"), changed("good")]);
    const bad = await at.only();
    await bad.end(failed(bad.item));
    assert.equal((await at.only()).item.key, "good");
  });

  prove("a run that throws is a failure with its message", async ({ bus, clock }) => {
    let runs = 0;
    bus.consume({ parallel: 1 }, async () => {
      runs += 1;
      throw new Error("nobody caught this");
    });
    await bus.publish([changed("a")]);
    await clock.advance(3_600_000);
    assert.equal(runs, RETRY.maximumAttempts);
    assert.deepEqual((await bus.deadLetters.show(keyOf("a")))?.error, {
      code: "BUS_WORK_THREW",
      message: "nobody caught this",
    });
  });

  prove(
    "a failed sweep keeps what it owes, over a retry and over the dead letters",
    async ({ bus, clock, hands }) => {
      const at = hands();
      const sweep = {
        wake: 0,
        subject: { cluster: "local", name: "db" },
        facts: [{ v: 1 }],
        gone: false,
        incomplete: false,
      };
      await bus.enqueue([item("s", {}, "sweep", { sweep })]);
      const first = await at.only();
      await first.end(failed(first.item));
      await clock.advance(1_000);
      const second = await at.only();
      assert.deepEqual(second.item.sweep, sweep);
      assert.equal(second.item.lane, "sweep");
      await second.end(failed(second.item, { retryable: false }));
      await bus.enqueue([item("s", {}, "sweep", { sweep: { ...sweep, facts: [{ v: 2 }] } })]);
      assert.deepEqual((await at.only()).item.sweep?.facts, [{ v: 2 }, { v: 1 }]);
    },
  );

  prove("B6: other events on a dead key start nothing and leave the letter", async (stage) => {
    const at = await bury(stage, "a");
    const { bus, clock } = stage;
    await bus.publish([changed("a", { uid: "u", generation: 3, differs: ["status"] })]);
    await bus.enqueue([
      item("a", { sort: "dependency", uid: "other", generation: 9 }),
      item("a", { sort: "net" }),
    ]);
    await clock.advance(3_600_000);
    await at.none();
    assert.deepEqual(
      (await bus.deadLetters.list()).map(({ key }) => key),
      ["a"],
    );
    assert.equal((await bus.counts())[F]?.dead, 1);
    assert.equal((await bus.counts())[F]?.waiting, 0);
  });

  const takesOut: readonly (readonly [string, () => Envelope])[] = [
    ["a new generation", () => changed("a", { uid: "u", generation: 4 })],
    ["a new uid", () => changed("a", { uid: "v", generation: 3 })],
  ];
  for (const [what, event] of takesOut)
    prove(`B6: ${what} takes a key out, with attempts from nothing`, async (stage) => {
      const at = await bury(stage, "a");
      await stage.bus.publish([event()]);
      assert.equal((await at.only()).item.attempt, 1);
      assert.deepEqual(await stage.bus.deadLetters.list(), []);
    });

  prove("B6: a cause that revives takes a key out", async (stage) => {
    const at = await bury(stage, "a");
    await stage.bus.enqueue([item("a", { sort: "dependency", revives: true })]);
    assert.equal((await at.only()).item.attempt, 1);
    assert.deepEqual(await stage.bus.deadLetters.list(), []);
  });

  prove("B6: a new generation that came during the last attempt is looked at", async ({ bus, hands }) => {
    const at = hands();
    await bus.publish([changed("a", { uid: "u", generation: 3 })]);
    const first = await at.only();
    await bus.publish([changed("a", { uid: "u", generation: 4 })]);
    await first.end(failed(first.item, { retryable: false, subjects: { u: 3 } }));
    assert.equal((await at.only()).item.attempt, 1);
    assert.deepEqual(await bus.deadLetters.list(), []);
  });

  prove("B6: redrive looks again now, says who asked, and is false where there is none", async (stage) => {
    const at = await bury(stage, "a");
    const { bus } = stage;
    assert.equal(await bus.deadLetters.redrive(keyOf("other"), "alice"), false);
    assert.equal(await bus.deadLetters.redrive(keyOf("a"), "alice"), true);
    const again = await at.only();
    assert.equal(again.item.attempt, 1);
    assert.deepEqual(
      again.item.causes.map(({ sort, type }) => [sort, type]),
      [["command", "command.redrive"]],
    );
    assert.equal((await bus.history.event(again.item.causes[0]?.eventId ?? ""))?.askedBy, "alice");
    assert.equal(await bus.deadLetters.redrive(keyOf("a"), "alice"), false);
  });

  prove("B6: a letter is shown, listed by function, and dropped", async (stage) => {
    const at = await bury(stage, "a", { error: { code: "X", message: "y" } });
    const { bus } = stage;
    const letter = await bus.deadLetters.show(keyOf("a"));
    assert.deepEqual(letter?.error, { code: "X", message: "y" });
    assert.equal(letter?.causes.length, 1);
    assert.deepEqual(await bus.deadLetters.list({ function: "other" }), []);
    assert.deepEqual(await bus.deadLetters.list({ function: F }), [letter]);
    assert.equal(await bus.deadLetters.drop(keyOf("a")), true);
    assert.equal(await bus.deadLetters.drop(keyOf("a")), false);
    assert.equal(await bus.deadLetters.show(keyOf("a")), undefined);
    await at.none();
    assert.deepEqual(await bus.counts(), {});
  });

  prove("B1: a refused event is named with its faults and kept; the others go on", async ({ bus, hands }) => {
    const at = hands();
    const bad = { ...changed("x", { id: "bad" }), data: { nothing: true } };
    const unknown = { ...changed("x", { id: "unknown" }), type: "resource.chnaged" };
    const { refused } = await bus.publish([
      bad,
      changed("good"),
      unknown,
      changed("x", { id: "unbearable", namespace: "unbearable" }),
    ]);
    assert.deepEqual(
      refused.map(({ index, id }) => [index, id]),
      [
        [0, "bad"],
        [2, "unknown"],
        [3, "unbearable"],
      ],
    );
    assert.match(refused[0]?.issues[0] ?? "", /^data\.ref: /);
    assert.match(refused[1]?.issues[0] ?? "", /resource\.chnaged is unknown; known are .*resource\.changed/);
    assert.equal((await at.only()).item.key, "good");
    const letters = await bus.deadLetters.list({ function: "-" });
    assert.deepEqual(letters.map(({ key }) => key).sort(), ["bad", "unbearable", "unknown"]);
    const letter = await bus.deadLetters.show({ function: "-", key: "bad" });
    assert.deepEqual(JSON.parse(letter?.event ?? ""), bad);
    assert.match(letter?.error.message ?? "", /data\.ref: /);
    assert.equal(await bus.deadLetters.redrive({ function: "-", key: "bad" }, "alice"), true);
    assert.notEqual(await bus.deadLetters.show({ function: "-", key: "bad" }), undefined);
    assert.equal(await bus.deadLetters.drop({ function: "-", key: "bad" }), true);
    assert.equal((await bus.counts())["-"]?.dead, 2);
  });

  prove("B10: refused events are bounded in number; the oldest go", async ({ bus, clock }) => {
    const bad = (index: number): Envelope => ({ ...changed("x", { id: `bad-${index}` }), data: {} });
    await bus.publish([bad(0), bad(1)]);
    await clock.advance(1_000);
    const { refused } = await bus.publish(
      Array.from({ length: MOST_REFUSED - 1 }, (_, index) => bad(index + 2)),
    );
    assert.equal(refused.length, MOST_REFUSED - 1);
    const letters = await bus.deadLetters.list({ function: "-" });
    assert.equal(letters.length, MOST_REFUSED);
    assert.equal(letters.filter(({ key }) => key === "bad-0" || key === "bad-1").length, 1);
    assert.equal((await bus.counts())["-"]?.dead, MOST_REFUSED);
  });

  prove(
    "B6: a refused event that is refused again when it is redriven stays what it was",
    async ({ bus }) => {
      const { id: _, ...nameless } = changed("x");
      const strange = { greeting: "hello" };
      const unknown = { ...changed("x", { id: "unknown" }), type: "none" };
      await bus.publish([nameless, strange, unknown] as Envelope[]);
      const letters = await bus.deadLetters.list({ function: "-" });
      assert.equal(letters.length, 3);
      for (const letter of letters) assert.equal(await bus.deadLetters.redrive(letter, "alice"), true);
      assert.deepEqual(await bus.deadLetters.list({ function: "-" }), letters);
    },
  );
}
