import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { changed, done, failed, keyOf, route } from "../../../test/bus-contract/fixture.ts";
import { openEmbeddedBus } from "./bus.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the end of a run stands where its history cannot be written, and the history comes once it can", async () => {
  const clock = manualClock();
  let full = true;
  const hook = (sql: string): void => {
    if (full && sql.startsWith("INSERT INTO runs")) throw new Error("no room for the history");
  };
  const bus = openEmbeddedBus({ file: join(folder, "full.db"), route, clock, hook });
  bus.consume({ parallel: 1 }, async ({ item }) => done(item));
  await bus.publish([changed("a")]);
  await clock.settle();
  assert.deepEqual(await bus.counts(), {}, "it is done and acknowledged");
  assert.deepEqual(await bus.history.ofKey(keyOf("a"), 10), []);
  full = false;
  assert.equal((await bus.history.ofKey(keyOf("a"), 10)).length, 1);
  await bus.close();
});

test("runs are told at once in their own process, and to others a moment later", async () => {
  const clock = manualClock();
  const file = join(folder, "behind.db");
  const bus = openEmbeddedBus({ file, route, clock });
  const other = new DatabaseSync(file, { readOnly: true });
  const inFile = (): unknown => other.prepare("SELECT count(*) AS runs FROM runs").get()?.runs;
  bus.consume({ parallel: 1 }, async ({ item }) =>
    item.key === "a" ? done(item) : failed(item, { retryable: false }),
  );
  await bus.publish([changed("a"), changed("b")]);
  await clock.settle();
  assert.equal(inFile(), 0);
  await clock.advance(200);
  assert.equal(inFile(), 2);
  await bus.publish([changed("c")]);
  await clock.settle();
  assert.equal((await bus.history.ofKey(keyOf("c"), 10))[0]?.outcome, "dead");
  assert.equal(inFile(), 3, "whoever asks here has it written");
  other.close();
  await bus.close();
});
