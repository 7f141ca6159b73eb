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

test("a key waits on while its function is not run here, and nothing of it is given up", async (t) => {
  const clock = manualClock();
  const open = (known: readonly string[]) => {
    const bus = openEmbeddedBus({
      file: join(folder, "bus.db"),
      route: () => [],
      clock,
      isKnown: (name) => known.includes(name),
    });
    t.onTestFinished(() => bus.close());
    return { bus, at: new Hands(bus, clock) };
  };
  const waited = {
    cluster: "local",
    group: "bench.example.org",
    kind: "Widget",
    namespace: "default",
    name: "db",
  };
  const first = open([F]);
  await first.bus.enqueue([item("a")]);
  const run = await first.at.only();
  await run.end(done(run.item, { waits: [waited] }));
  await first.bus.close();

  const without = open([]);
  await without.bus.publish([changed("db")]);
  await without.at.none();
  assert.deepEqual((await without.bus.pending(keyOf("a"))).waits, [waited]);
  await without.bus.close();

  const again = open([F]);
  await again.bus.publish([changed("db")]);
  assert.equal((await again.at.only()).item.key, "a");
});
