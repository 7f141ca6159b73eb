import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { changed, done, F, Hands, item, keyOf } from "../../../test/bus-contract/fixture.ts";
import { openEmbeddedBus } from "./bus.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-unknown-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;
const waited = {
  cluster: "local",
  group: "bench.example.org",
  kind: "Widget",
  namespace: "elsewhere",
  name: "db",
};

test("items of a function that does not run here rest until it does, whatever led to them", async (t) => {
  const clock = manualClock();
  const open = (...known: readonly string[]) => {
    const bus = openEmbeddedBus({
      file: join(folder, "bus.db"),
      route: () => [],
      clock,
      isKnown: (name) => known.includes(name),
    });
    t.onTestFinished(() => bus.close());
    return { bus, at: new Hands(bus, clock) };
  };
  const first = open(F);
  await first.bus.enqueue([item("waits"), item("falls-due"), item("has-a-net")]);
  for (const run of await first.at.running()) {
    const { key } = run.item;
    const now = clock.now();
    await run.end(
      done(run.item, {
        ...(key === "waits" && { waits: [waited] }),
        ...(key === "falls-due" && { deadlines: { stale: new Date(now + MINUTE).toISOString() } }),
        ...(key === "has-a-net" && { net: now + MINUTE }),
      }),
    );
  }
  await first.bus.enqueue([item("is-in-line")]);
  await first.at.only();
  await first.bus.close();

  const without = open("another");
  await without.bus.publish([changed("db", { namespace: "elsewhere" })]);
  await clock.advance(2 * MINUTE);
  await without.at.none();
  assert.deepEqual(await without.bus.deadLetters.list(), []);
  assert.deepEqual((await without.bus.pending(keyOf("waits"))).waits, [waited]);
  assert.equal((await without.bus.counts())[F]?.waiting, 4);
  await without.bus.enqueue([{ ...item("b"), function: "another" }]);
  assert.equal((await without.at.only()).item.key, "b");
  await without.bus.close();

  const again = open(F);
  assert.deepEqual(
    (await again.at.running()).map((run) => [run.item.key, run.item.causes.at(-1)?.sort]).toSorted(),
    [
      ["falls-due", "deadline"],
      ["has-a-net", "net"],
      ["is-in-line", "own"],
      ["waits", "wait"],
    ],
  );
});
