import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  type SiteOptions,
  startSiteOfOne,
  startTrialSite,
  type TrialSite,
} from "../../infra/faults/trial-site.ts";
import { isUnharmed, nobodyEnded } from "../../infra/faults/unharmed.ts";
import { seededRandom } from "../../infra/testing/random.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
type Settings = NonNullable<SiteOptions["settings"]>;
const INNOCENTS = 12;
/** Four attempts, alone from the second death on, with a back-off between them. */
const GUILTY_WITHIN_SECONDS = 150;

describe.for([
  ["over NATS", (settings: Settings) => startTrialSite({ workers: 1, settings })],
  ["in one process", (settings: Settings) => startSiteOfOne({ settings })],
] as const)("processes that die %s", ([, startSite]) => {
  let site: TrialSite;
  beforeAll(async () => {
    site = await startSite({ runs: { limit: "15s" } });
  });
  afterAll(() => site.stop());

  for (const poison of ["exit", "reject"] as const)
    test(`one object that ends its host by ${poison} takes no neighbour along`, async () => {
      const guilty = `north/poison-${poison}`;
      await site.load.gear(guilty, { poison });
      for (let at = 0; at < INNOCENTS; at++)
        await site.load.gear(`south/innocent-${at}`, { takesMilliseconds: 3_000 + at * 500 });
      await site.heals(GUILTY_WITHIN_SECONDS);
      await becomesDead(site, guilty);
      const letters = await site.deadLetters();
      assert.ok(
        letters.every((letter) => letter.includes(guilty)),
        letters.join("\n"),
      );
      assert.deepEqual(site.auditor.findings, []);
      await setRight(site, guilty);
    });

  test("one object whose runs throw or hang is given up alone, and its status tells why", async () => {
    const guilty = { throw: "north/poison-throw", hang: "north/poison-hang" };
    for (const poison of ["throw", "hang"] as const) await site.load.gear(guilty[poison], { poison });
    await site.load.change(INNOCENTS);
    await site.heals(GUILTY_WITHIN_SECONDS);
    for (const place of Object.values(guilty)) await becomesDead(site, place);
    const letters = await site.deadLetters();
    assert.equal(letters.length, 2, letters.join("\n"));
    const failed = await site.auditor.failed();
    for (const place of Object.values(guilty))
      assert.ok(
        letters.some((letter) => letter.includes(place) && letter.endsWith(`: ${failed[place]}`)),
        `${place} tells ${failed[place]} where the dead letters say ${letters.join(", ")}`,
      );
    for (const place of Object.values(guilty)) await site.load.gear(place);
    await isUnharmed(site);
  });

  test("an event loop that stands still is ended, and the neighbours go on", async () => {
    const guilty = "north/poison-loop";
    await site.load.gear(guilty, { poison: "loop" });
    await site.load.change(INNOCENTS);
    await site.heals(GUILTY_WITHIN_SECONDS);
    await becomesDead(site, guilty);
    await setRight(site, guilty);
  });
});

describe.for([
  ["watchers and workers over NATS", startTrialSite],
  ["the one process", startSiteOfOne],
] as const)(`%s killed at random, with seed ${seed}`, ([, startSite]) => {
  let site: TrialSite;
  beforeAll(async () => {
    site = await startSite({ controllerManager: true });
  });
  afterAll(() => site.stop());

  test("nothing is missed, and nothing goes back", async () => {
    const random = seededRandom(seed);
    const over = new AbortController();
    const changes = site.load.stream(over.signal, random, () => pause(100));
    const members = [...site.watchers, ...site.workers];
    for (let blow = 0; blow < 12; blow++) {
      const member = members[Math.floor(random() * members.length)];
      if (random() < 0.7) member?.kill();
      else await member?.freeze(5_000);
      await pause(2_000);
    }
    over.abort();
    await changes;
    await isUnharmed(site);
    nobodyEnded(site);
  });
});

/** Waits until the key is given up. */
async function becomesDead(site: TrialSite, place: string): Promise<void> {
  const until = performance.now() + GUILTY_WITHIN_SECONDS * 1000;
  while (!(await site.deadLetters()).some((letter) => letter.includes(place)))
    assert.ok(performance.now() < until, `${place} is not among the dead letters`);
}

/** Takes the poison away: a new generation takes the key out of the dead letters. */
async function setRight(site: TrialSite, place: string): Promise<void> {
  await site.load.gear(place);
  await isUnharmed(site);
}
