import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Work } from "../../shared/bus/contract.ts";
import { type EmbeddedBus, openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { manualClock, type SettlingClock } from "../../shared/clock/manual.ts";
import { changed, done, failed, item, route } from "./fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-crash-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const waited = {
  cluster: "local",
  group: "bench.example.org",
  kind: "Widget",
  namespace: "elsewhere",
  name: "db",
};

/** The world outside of the bus: what runs have brought about. It outlives every process. */
class World {
  readonly done = new Set<string>();
  readonly running = new Set<string>();
  databaseReady = false;

  /** Five functions' worth of behaviour: work for others, a failure, a deadline, a wait, one pass more. */
  work =
    (clock: SettlingClock): Work =>
    async (lease) => {
      const { item: of } = lease;
      assert.equal(this.running.has(of.key), false, `two runs of ${of.key} at once`);
      this.running.add(of.key);
      await Promise.resolve();
      this.running.delete(of.key);
      if (of.key === "waits" && !this.databaseReady) return done(of, { waits: [waited] });
      if (of.key === "fails" && of.attempt === 1) return failed(of);
      if (of.key === "deadline" && !of.causes.some(({ sort }) => sort === "deadline"))
        return done(of, { deadlines: { later: new Date(clock.now() + 5_000).toISOString() } });
      if (of.key === "again" && !of.causes.some(({ sort }) => sort === "again"))
        return done(of, { again: true });
      this.done.add(of.key);
      return done(of, of.key === "parent" ? { enqueue: [item("child", { sort: "sweep" })] } : {});
    };
}

/** Publishes as the watcher does: what was not confirmed is published again. */
async function publishAll(
  bus: EmbeddedBus,
  world: World,
  unconfirmed: Set<string>,
  clock: SettlingClock,
): Promise<void> {
  for (const name of [...unconfirmed]) {
    const database = name === "db";
    if (database) world.databaseReady = true;
    await bus.publish([changed(name, database ? { namespace: "elsewhere" } : {})]);
    unconfirmed.delete(name);
    if (name === "waits") await clock.advance(1_000);
  }
}

/** Lives once through the whole story, dying at the n-th visit of the hook; true where it survived. */
async function live(n: number, file: string): Promise<boolean> {
  const clock = manualClock();
  const world = new World();
  const unconfirmed = new Set(["parent", "fails", "deadline", "waits", "again", "db"]);
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
  assert.deepEqual([...world.done].sort(), ["again", "child", "deadline", "fails", "parent", "waits"], told);
  assert.deepEqual(await second.counts(), {}, told);
  assert.deepEqual(await second.deadLetters.list(), [], told);
  await second.close();
  return !dead;
}

test("a death before or after any statement loses nothing, and heals at once when the bus is opened again", async () => {
  let n = 1;
  for (; n < 5_000; n++) if (await live(n, join(folder, `${n}.db`))) break;
  assert.ok(n > 100, `only ${n} places to die`);
});
