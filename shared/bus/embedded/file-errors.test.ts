import assert from "node:assert/strict";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, test } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { type Log, silent } from "../../log/log.ts";
import { BusError } from "../errors.ts";
import { openEmbeddedBus } from "./bus.ts";
import { Database } from "./database.ts";
import { Health } from "./health.ts";
import type { EmbeddedBusOptions } from "./options.ts";

const folder = mkdtempSync(join(tmpdir(), "bus-files-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (file: string, over: Partial<EmbeddedBusOptions> = {}) =>
  openEmbeddedBus({ file, route: () => [], clock: manualClock(), ...over });
/** An event that is refused and so kept as it is: a thing of a known size. */
const refused = (id: string, bytes: number): Envelope => ({
  specversion: "1.0",
  id,
  type: "no.such.type",
  source: "/test",
  time: "2026-01-15T10:00:00.000Z",
  datacontenttype: "application/json",
  data: { filler: "x".repeat(bytes) },
});
const errorOf = (body: () => unknown): { readonly code: unknown; readonly message: string } => {
  try {
    body();
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return { code: thrown.code, message: thrown.message };
  }
  return assert.fail("nothing was thrown");
};

test("a file that is no database is left as it is, and named", () => {
  const file = join(folder, "text.db");
  writeFileSync(file, "this is a letter to a friend, and no database at all\n".repeat(100));
  const before = statSync(file).mtimeMs;
  const { code, message } = errorOf(() => open(file));
  assert.equal(code, "BUS_CORRUPT");
  assert.ok(message.includes(file) && message.includes("--data"), message);
  assert.equal(statSync(file).mtimeMs, before);
});

test("a damaged file is refused", async () => {
  const file = join(folder, "damaged.db");
  const bus = open(file);
  for (let i = 0; i < 20; i++) await bus.publish([refused(`e${i}`, 10_000)]);
  await bus.close();
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(statSync(file).size - 8_192, 0x5a), 0, null, 8_192);
  closeSync(handle);
  assert.equal(errorOf(() => open(file)).code, "BUS_CORRUPT");
});

test("another program's database is left alone", () => {
  const file = join(folder, "foreign.db");
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE photos (id)");
  other.close();
  assert.equal(errorOf(() => open(file)).code, "BUS_FOREIGN");
  const again = new DatabaseSync(file);
  assert.deepEqual(
    again
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map(({ name }) => name),
    ["photos"],
  );
  again.close();
});

test("a newer version's file is refused with both versions", async () => {
  const file = join(folder, "newer.db");
  await open(file).close();
  const later = new DatabaseSync(file);
  later.exec("PRAGMA user_version = 99");
  later.close();
  const { code, message } = errorOf(() => open(file));
  assert.equal(code, "BUS_NEWER");
  assert.match(message, /format 99, this one knows 6/);
});

test("a folder that is not there is named", () => {
  const file = join(folder, "nowhere", "bus.db");
  const { code, message } = errorOf(() => open(file));
  assert.equal(code, "BUS_NOT_WRITABLE");
  assert.ok(message.includes(file));
});

test("a folder that cannot be written is named", {
  skip: process.getuid?.() === 0,
}, () => {
  const closed = join(folder, "closed");
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  assert.equal(errorOf(() => open(join(closed, "bus.db"))).code, "BUS_NOT_WRITABLE");
});

test("a read-only file is named", {
  skip: process.getuid?.() === 0,
}, async () => {
  const file = join(folder, "read-only.db");
  await open(file).close();
  chmodSync(file, 0o400);
  assert.equal(errorOf(() => open(file)).code, "BUS_NOT_WRITABLE");
});

test("a full disk refuses, does nothing by half, is not ready, and goes on once there is space", async () => {
  const clock = manualClock();
  const bus = openEmbeddedBus({
    file: join(folder, "full.db"),
    route: () => [],
    clock,
    maximumBytes: 2_000_000,
  });
  const kept: string[] = [];
  const outcome = (async () => {
    for (let i = 0; ; i++) {
      await bus.publish([refused(`e${i}`, 30_000)]);
      kept.push(`e${i}`);
    }
  })();
  await assert.rejects(outcome, { code: "BUS_FULL" });
  assert.equal(bus.ready(), false);
  // One that does not fit takes none of its companions with it.
  await assert.rejects(bus.publish([refused("small", 1), refused("large", 60_000)]), { code: "BUS_FULL" });
  assert.deepEqual((await bus.deadLetters.list()).map(({ key }) => key).sort(), kept.toSorted());
  await clock.advance(5_000);
  assert.equal(bus.ready(), false);
  for (const key of kept.slice(0, 20)) await bus.deadLetters.drop({ function: "-", key });
  assert.equal(bus.ready(), false);
  await clock.advance(1_000);
  assert.equal(bus.ready(), true);
  await bus.publish([refused("small", 1), refused("large", 60_000)]);
  await bus.close();
  assert.equal(bus.ready(), false);
});

test("what one caller does wrong fails alone, and the bus stays ready", async () => {
  const bus = openEmbeddedBus({ file: ":memory:", route: () => [], clock: manualClock() });
  const cause = {
    sort: "own",
    eventId: "1",
    type: "t",
    revives: false,
    at: "2026-01-15T10:00:00.000Z",
  } as const;
  const good = bus.enqueue([{ function: "f", key: "good", lane: "urgent", cause }]);
  const bad = bus.enqueue([{ function: "f", key: undefined as unknown as string, lane: "urgent", cause }]);
  const later = bus.enqueue([{ function: "f", key: "later", lane: "urgent", cause }]);
  await assert.rejects(bad);
  await Promise.all([good, later]);
  assert.equal((await bus.counts()).f?.waiting, 2);
  assert.equal(bus.ready(), true);
  await bus.close();
});

test("a file that is removed or replaced while in use is not written on, and said", async () => {
  const file = join(folder, "moved.db");
  const clock = manualClock();
  const lines: string[] = [];
  const log: Log = { ...silent, error: (fields) => lines.push(String((fields as { code?: unknown }).code)) };
  const bus = open(file, { clock, log });
  await bus.publish([refused("before", 1)]);
  assert.equal(bus.ready(), true);
  renameSync(file, `${file}.away`);
  await clock.advance(3_000);
  assert.equal(bus.ready(), false);
  await assert.rejects(bus.publish([refused("lost", 1)]), { code: "BUS_MOVED" });
  writeFileSync(file, "");
  await clock.advance(3_000);
  assert.equal(bus.ready(), false);
  assert.deepEqual(lines, ["BUS_MOVED"]);
  // Where it comes back, it is the same bus.
  renameSync(`${file}.away`, file);
  await clock.advance(3_000);
  assert.equal(bus.ready(), true);
  await bus.publish([refused("after", 1)]);
  assert.deepEqual((await bus.deadLetters.list()).map(({ key }) => key).sort(), ["after", "before"]);
  await bus.close();
});

test("a file that was found damaged is called well again only after a look at all of it", async () => {
  const file = join(folder, "bitten.db");
  const database = new Database(file, { powerCutSafe: false });
  const clock = manualClock();
  const health = new Health(database, clock, silent, {
    wake: () => undefined,
    spare: () => undefined,
    settle: () => undefined,
  });
  const fill = database.prepare("INSERT INTO refused (id, issues, event, at) VALUES (?, '', ?, 0)");
  database.transaction(() => {
    for (let index = 0; index < 200; index++) fill.run(`e${index}`, "x".repeat(4_000));
  });
  database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  const handle = openSync(file, "r+");
  const size = statSync(file).size;
  const whole = Buffer.alloc(4_096);
  const at = Math.floor(size / 8_192) * 4_096;
  readSync(handle, whole, 0, 4_096, at);
  writeSync(handle, Buffer.alloc(4_096, 0x5a), 0, 4_096, at);
  // What is kept in memory is read anew.
  const forget = database.prepare("PRAGMA shrink_memory");
  forget.get();
  health.failed(new BusError("BUS_CORRUPT", "a page is damaged"));
  await clock.advance(5_000);
  assert.equal(health.ready, false);
  writeSync(handle, whole, 0, 4_096, at);
  closeSync(handle);
  forget.get();
  await clock.advance(5_000);
  assert.equal(health.ready, true);
  health.stop();
  database.close();
});
