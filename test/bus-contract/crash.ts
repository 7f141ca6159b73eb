import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { KEYS, publishAll, UNCONFIRMED, World } from "./crash-world.ts";
import { route } from "./fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lives once through the whole story, dying at the n-th visit of the hook; true where it survived. */
async function live(n: number, file: string): Promise<boolean> {
  const clock = manualClock();
  const world = new World();
  const unconfirmed = new Set(UNCONFIRMED);
  let visits = 0;
  let dead = false;
  const hook = (): void => {
    visits += 1;
    if (visits >= n) dead = true;
    if (dead) throw new Error("killed");
  };
  const options = { route, clock, random: () => 0, leaseMilliseconds: 30_000 };
  try {
    const first = openEmbeddedBus({ ...options, file, hook });
    try {
      first.consume({ parallel: 2 }, world.work(clock));
      await publishAll(first, world, unconfirmed, clock);
      await clock.advance(10_000);
    } finally {
      first.abandon();
      await clock.settle();
    }
  } catch (thrown) {
    assert.ok(dead, String(thrown));
  }
  world.running.clear();

  const second = openEmbeddedBus({ ...options, file });
  second.consume({ parallel: 2 }, world.work(clock));
  await publishAll(second, world, unconfirmed, clock);
  await clock.advance(10_000);
  const told = `after dying at visit ${n}`;
  assert.deepEqual([...world.done].sort(), KEYS, told);
  assert.deepEqual(await second.counts(), {}, told);
  assert.deepEqual(await second.deadLetters.list(), [], told);
  await second.close();
  return !dead;
}

/**
 * The story with a death at one visit of the hook, for every `step`th visit.
 *
 * @param step 1: at each of them
 */
export function deathsAtVisits(step: number): void {
  test("a death before or after any statement loses nothing, and heals at once when the bus is opened again", async () => {
    let n = 1;
    for (; n < 5_000; n += step) if (await live(n, join(folder, `${n}.db`))) break;
    assert.ok(n > 100, `only ${n} places to die`);
  });
}
