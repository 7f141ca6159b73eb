import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { eventually } from "../../../infra/testing/eventually.ts";
import { changed, done, failed, item, keyOf, route } from "../../../test/bus-contract/fixture.ts";
import { systemClock as clock } from "../../clock/clock.ts";
import type { Work } from "../contract.ts";
import { BusError } from "../errors.ts";
import { openEmbeddedBus } from "./bus.ts";
import { openEmbeddedClient } from "./client.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Fails `dead` for good the first time; does all else. */
function worker(): { readonly work: Work; readonly seen: string[] } {
  const seen: string[] = [];
  const work: Work = async ({ item: of }) => {
    const first = !seen.includes(of.key);
    seen.push(of.key);
    return of.key === "dead" && first ? failed(of, { retryable: false }) : done(of);
  };
  return { work, seen };
}

test("beside the process that has the bus others read what was true a moment ago, and ask it for changes", async () => {
  const file = join(folder, "beside.db");
  const bus = openEmbeddedBus({ file, route, clock, pollMilliseconds: 20 });
  const { work, seen } = worker();
  bus.consume({ parallel: 2 }, work);
  await bus.publish([changed("dead")]);
  const client = openEmbeddedClient({ file, route, clock });
  const letter = await eventually("the letter is told", () => client.deadLetters.show(keyOf("dead")));
  assert.equal(letter.error.code, "BOOM");
  assert.equal((await client.counts()).widget?.dead, 1);
  assert.equal((await client.history.ofKey(keyOf("dead"), 10))[0]?.outcome, "dead");
  assert.equal(await client.storeId(), await bus.storeId());

  assert.equal(await client.deadLetters.redrive(keyOf("nobody"), "alice"), false);
  assert.equal(await client.deadLetters.redrive(keyOf("dead"), "alice"), true);
  await eventually("it is looked at again", () => seen.filter((key) => key === "dead").length === 2);
  const refused = await client.publish([changed("one"), { ...changed("two"), type: "no.such.type" }]);
  assert.deepEqual(
    refused.refused.map(({ index }) => index),
    [1],
  );
  await client.enqueue([item("three")]);
  await eventually("both are looked at", () => seen.includes("one") && seen.includes("three"));
  const [kept] = await eventually("the refused one is told", async () => {
    const letters = await client.deadLetters.list({ function: "-" });
    return letters.length > 0 ? letters : undefined;
  });
  assert.equal(await client.deadLetters.drop({ function: "-", key: kept?.key ?? "" }), true);
  assert.deepEqual(await bus.deadLetters.list(), []);
  assert.throws(() => client.consume({ parallel: 1 }, work), BusError);
  await client.close();
  await bus.close();
});

test("where no process has the bus, what is asked for stands at once, and whoever comes next does it", async () => {
  const file = join(folder, "alone.db");
  const first = openEmbeddedBus({ file, route, clock });
  const { work, seen } = worker();
  const consumer = first.consume({ parallel: 1 }, work);
  await first.publish([changed("dead")]);
  await eventually("it is dead", async () => (await first.deadLetters.list()).length === 1);
  await consumer.stop();
  await first.close();
  const client = openEmbeddedClient({ file, route, clock });
  assert.equal(await client.deadLetters.redrive(keyOf("dead"), "alice"), true);
  assert.deepEqual(await client.deadLetters.list(), []);
  assert.deepEqual(await client.publish([changed("one")]), { refused: [] });
  assert.equal((await client.pending(keyOf("one"))).waiting, true);
  await client.close();
  const next = openEmbeddedBus({ file, route, clock });
  next.consume({ parallel: 1 }, work);
  await eventually("both are looked at", () => seen.length === 3);
  await next.close();
});
