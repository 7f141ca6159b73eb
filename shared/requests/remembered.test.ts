import assert from "node:assert/strict";
import { test } from "vitest";
import { ManualClock } from "../../infra/testing/manual-clock.ts";
import { MOST, remembered } from "./remembered.ts";

/** A memory of a second, and what it asked. */
function memory() {
  const clock = new ManualClock();
  const asked: string[] = [];
  const ask = remembered(clock, 1_000, async (key) => {
    asked.push(key);
    return `${key}${asked.length}`;
  });
  return { clock, asked, ask };
}

test("an answer stands for its time, and no longer", async () => {
  const { clock, ask } = memory();
  assert.equal(await ask("a"), "a1");
  await clock.advance(999);
  assert.equal(await ask("a"), "a1");
  await clock.advance(1);
  assert.equal(await ask("a"), "a2");
});

test("those who ask at the same time share one answer, a failure too", async () => {
  let asked = 0;
  const ask = remembered(new ManualClock(), 1_000, async () => {
    asked += 1;
    throw new Error("away");
  });
  const ends = await Promise.allSettled([ask("a"), ask("a")]);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  await assert.rejects(ask("a"), /away/);
  assert.equal(asked, 1);
});

test("as many answers as one cluster needs are kept", async () => {
  const { asked, ask } = memory();
  const keys = Array.from({ length: MOST }, (_, index) => `k${index}`);
  for (const key of keys) await ask(key);
  for (const key of keys) await ask(key);
  assert.equal(asked.length, MOST);
});

test("beyond that the oldest is forgotten, and asked for anew", async () => {
  const { asked, ask } = memory();
  for (let index = 0; index <= MOST; index += 1) await ask(`k${index}`);
  await ask("k1");
  assert.equal(asked.length, MOST + 1);
  await ask("k0");
  assert.equal(asked.length, MOST + 2);
});

test("a new question takes no more than one answer's place", async () => {
  const { clock, asked, ask } = memory();
  await ask("old");
  await clock.advance(500);
  for (let index = 1; index < MOST; index += 1) await ask(`k${index}`);
  await clock.advance(500);
  await ask("new");
  const before = asked.length;
  for (let index = 1; index < MOST; index += 1) await ask(`k${index}`);
  assert.equal(asked.length, before);
});

test("news have it asked anew once, and what they brought then stands for all", async () => {
  const { ask, asked } = memory();
  assert.equal(await ask("a"), "a1");
  assert.equal(await ask("a", "push 1"), "a2");
  assert.equal(await ask("a", "push 1"), "a2");
  assert.equal(await ask("a"), "a2");
  assert.equal(await ask("a", "push 2"), "a3");
  assert.equal(await ask("b", "push 2"), "b4");
  assert.deepEqual(asked, ["a", "a", "a", "b"]);
});

test("whoever is told to wait asks no sooner, whatever the news", async () => {
  const clock = new ManualClock();
  const end = clock.now() + 5_000;
  let asked = 0;
  const ask = remembered(
    clock,
    1_000,
    async () => {
      asked += 1;
      return asked === 1 ? end : undefined;
    },
    (notBefore) => notBefore,
  );
  assert.equal(await ask("a"), end);
  await clock.advance(4_999);
  assert.equal(await ask("a"), end);
  assert.equal(await ask("a", "push 1"), end);
  await clock.advance(1);
  assert.equal(await ask("a"), undefined);
  assert.equal(asked, 2);
});
