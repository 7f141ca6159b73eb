import assert from "node:assert/strict";
import type { SettlingClock } from "../../infra/testing/settling-clock.ts";
import type { Bus, Work } from "../../shared/bus/contract.ts";
import { changed, done, failed, item } from "./fixture.ts";

/** The events of the story, and the keys that are done at its end. */
export const UNCONFIRMED = ["parent", "fails", "deadline", "waits", "again", "db"];
export const KEYS = ["again", "child", "deadline", "fails", "parent", "waits"];

const waited = {
  cluster: "local",
  group: "bench.example.org",
  kind: "Widget",
  namespace: "elsewhere",
  name: "db",
};

/** The world outside of the bus: what runs have brought about. It outlives every process. */
export class World {
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
export async function publishAll(
  bus: Pick<Bus, "publish">,
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
