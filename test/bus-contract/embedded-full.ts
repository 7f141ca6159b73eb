import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { manualClock } from "../../infra/testing/settling-clock.ts";
import { openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { BusError } from "../../shared/bus/errors.ts";
import type { NewItem, WorkItem } from "../../shared/bus/item.ts";
import { done, item } from "./fixture.ts";

const DEPENDANTS = 900;

const sweepOf = (name: string): NewItem =>
  item(name, {}, "sweep", {
    sweep: {
      wake: 0,
      subject: { cluster: "c", name },
      facts: [{ value: 1 }],
      gone: false,
      incomplete: false,
    },
  });

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
    const sweeps = ["s1", "s2"];
    await bus.enqueue(sweeps.map(sweepOf));
    let filled = 0;
    await assert.rejects(
      async () => {
        for (;;) {
          await bus.enqueue([item(`k${filled}`)]);
          filled += 1;
        }
      },
      (thrown) => thrown instanceof BusError && thrown.code === "BUS_FULL",
    );
    assert.ok(filled > 100, `${filled}`);
    assert.equal(bus.ready(), false);
    await assert.rejects(bus.enqueue([item("small")]), { code: "BUS_FULL" });
    const looked = new Set<string>();
    let runs = 0;
    const work = async ({ item: of }: { readonly item: WorkItem }) => {
      runs += 1;
      if (of.sweep === undefined) {
        looked.add(of.key);
        return done(of);
      }
      const found = Array.from({ length: DEPENDANTS }, (_, n) => item(`${of.key}-d${n}`, {}, "sweep"));
      return done(of, { enqueue: found });
    };
    // As many slots as sweeps.
    bus.consume({ parallel: sweeps.length }, work);
    const all = filled + sweeps.length * DEPENDANTS;
    for (let seconds = 0; looked.size < all && seconds < 600; seconds++) await clock.advance(1_000);
    assert.equal(looked.size, all, `after ${runs} runs`);
    await clock.advance(5_000);
    assert.equal(bus.ready(), true);
    await bus.enqueue([item("small")]);
    await clock.settle();
    assert.ok(looked.has("small"));
    assert.deepEqual(await bus.deadLetters.list(), []);
    assert.deepEqual(await bus.counts(), {});
  });
}
