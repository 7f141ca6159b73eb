import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import { type FaultWorld, startFaultWorld } from "../../infra/faults/world.ts";
import { seededRandom } from "../../infra/testing/random.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const INNOCENTS = 12;
/** Four attempts, alone from the second death on, with a back-off between them. */
const GUILTY_WITHIN_SECONDS = 150;

describe("processes that die", () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld({ workers: 1, settings: { runs: { limit: "15s" } } });
  });
  afterAll(() => world.stop());

  for (const poison of ["exit", "reject"] as const)
    test(`one object that ends its host by ${poison} takes no neighbour along`, async () => {
      const guilty = `north/poison-${poison}`;
      await world.load.gear(guilty, { poison });
      for (let at = 0; at < INNOCENTS; at++)
        await world.load.gear(`south/innocent-${at}`, { takesMilliseconds: 3_000 + at * 500 });
      await world.heals(GUILTY_WITHIN_SECONDS);
      await becomesDead(world, guilty);
      const letters = await world.deadLetters();
      assert.ok(
        letters.every((letter) => letter.includes(guilty)),
        letters.join("\n"),
      );
      assert.deepEqual(world.auditor.findings, []);
      await setRight(world, guilty);
    });

  test("one object whose runs throw or hang is given up alone, and its status tells why", async () => {
    const guilty = { throw: "north/poison-throw", hang: "north/poison-hang" };
    for (const poison of ["throw", "hang"] as const) await world.load.gear(guilty[poison], { poison });
    await world.load.change(INNOCENTS);
    await world.heals(GUILTY_WITHIN_SECONDS);
    for (const place of Object.values(guilty)) await becomesDead(world, place);
    const letters = await world.deadLetters();
    assert.equal(letters.length, 2, letters.join("\n"));
    const failed = await world.auditor.failed();
    for (const place of Object.values(guilty))
      assert.ok(
        letters.some((letter) => letter.includes(place) && letter.endsWith(`: ${failed[place]}`)),
        `${place} tells ${failed[place]} where the dead letters say ${letters.join(", ")}`,
      );
    for (const place of Object.values(guilty)) await world.load.gear(place);
    await isUnharmed(world);
  });

  test("an event loop that stands still is ended, and the neighbours go on", async () => {
    const guilty = "north/poison-loop";
    await world.load.gear(guilty, { poison: "loop" });
    await world.load.change(INNOCENTS);
    await world.heals(GUILTY_WITHIN_SECONDS);
    await becomesDead(world, guilty);
    await setRight(world, guilty);
  });
});

describe(`watchers and workers that are killed at random, with seed ${seed}`, () => {
  let world: FaultWorld;
  beforeAll(async () => {
    world = await startFaultWorld({ controllerManager: true });
  });
  afterAll(() => world.stop());

  test("nothing is missed, and nothing goes back", async () => {
    const random = seededRandom(seed);
    const over = new AbortController();
    const changes = world.load.stream(over.signal, random, () => pause(100));
    const members = [...world.watchers, ...world.workers];
    for (let blow = 0; blow < 12; blow++) {
      const member = members[Math.floor(random() * members.length)];
      if (random() < 0.7) member?.kill();
      else await member?.freeze(5_000);
      await pause(2_000);
    }
    over.abort();
    await changes;
    await isUnharmed(world);
    nobodyEnded(world);
  });
});

/** Waits until the key is given up. */
async function becomesDead(world: FaultWorld, place: string): Promise<void> {
  const until = performance.now() + GUILTY_WITHIN_SECONDS * 1000;
  while (!(await world.deadLetters()).some((letter) => letter.includes(place)))
    assert.ok(performance.now() < until, `${place} is not among the dead letters`);
}

/** Takes the poison away: a new generation takes the key out of the dead letters. */
async function setRight(world: FaultWorld, place: string): Promise<void> {
  await world.load.gear(place);
  await isUnharmed(world);
}
