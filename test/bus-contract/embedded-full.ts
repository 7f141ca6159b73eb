import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { item } from "./fixture.ts";
import { fillAndConsume } from "./full-bus.ts";

/** A bus whose sweeps find more than it holds. */
export function fullBus(where: "file" | "memory"): void {
  test(`a full embedded bus (${where}) is emptied by its own workers while sweeps find more than it holds, and each dependant is looked at`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "full-bus-"));
    t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const clock = manualClock();
    const bus = openEmbeddedBus({
      file: where === "file" ? join(folder, "bus.db") : ":memory:",
      route: () => [],
      clock,
      maximumBytes: 1_000_000,
    });
    t.onTestFinished(() => bus.close());
    const { all, looked, runs } = await fillAndConsume(bus, () =>
      assert.rejects(bus.enqueue([item("small")]), { code: "BUS_FULL" }),
    );
    for (let seconds = 0; looked.size < all && seconds < 600; seconds++) await clock.advance(1_000);
    assert.equal(looked.size, all, `after ${runs()} runs`);
    await clock.advance(5_000);
    assert.equal(bus.ready(), true);
    await bus.enqueue([item("small")]);
    await clock.settle();
    assert.ok(looked.has("small"));
    assert.deepEqual(await bus.deadLetters.list(), []);
    assert.deepEqual(await bus.counts(), {});
  });
}
