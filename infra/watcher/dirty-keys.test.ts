import assert from "node:assert/strict";
import { test } from "vitest";
import { DirtyKeys, Room } from "./dirty-keys.ts";
import type { Finding } from "./mark.ts";
import type { Sighting } from "./sighting.ts";

const LONG = "x".repeat(1_000);
const seen = (uid: string, version: number, facts: Sighting["facts"]): Sighting => ({
  namespace: "n",
  name: uid,
  uid,
  resourceVersion: String(version),
  generation: version,
  facts,
  ready: undefined,
  owners: [],
  deleting: false,
  object: String(version),
  status: "",
});
const told = (version: number): Finding => ({
  by: "stream",
  lane: "urgent",
  deleted: false,
  era: 0,
  before: String(version - 1),
  asOf: String(version),
  at: 0,
});
/** Twenty facts of a kilobyte, others in each version. */
const longFacts = (version: number): Sighting["facts"] =>
  Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`fact${index}`, `${version} ${LONG}`]));

const MEBIBYTE = 1024 * 1024;

test("what is kept of an object that changes again and again is bounded in bytes", () => {
  const room = new Room({ dirty: 10_000, compared: 1_000, bytes: 512 * MEBIBYTE });
  const keys = new DirtyKeys(room);
  for (let version = 1; version <= 100; version++)
    keys.mark(seen("a", version, longFacts(version)), told(version));
  assert.ok(room.bytes < 200_000, `${room.bytes} bytes`);
  const mark = keys.take("urgent");
  assert.equal(mark?.last.resourceVersion, "100");
  assert.equal(mark?.incomplete, true, "every dependant is looked at");
});

test("small facts of former versions are all kept, as many as are told", () => {
  const keys = new DirtyKeys(new Room({ dirty: 10, compared: 10, bytes: MEBIBYTE }));
  for (let version = 1; version <= 17; version++)
    keys.mark(seen("a", version, { value: version }), told(version));
  const mark = keys.take("urgent");
  assert.deepEqual([mark?.seen.length, mark?.incomplete], [16, false]);
});

test("no key is taken in where the bytes are used up; one that is dirty stays so, without its history", async () => {
  const room = new Room({ dirty: 10_000, compared: 1_000, bytes: MEBIBYTE });
  const keys = new DirtyKeys(room);
  let version = 0;
  let marked = 0;
  for (; keys.admits(`k${marked}`); marked++)
    keys.mark(seen(`k${marked}`, ++version, longFacts(version)), told(version));
  assert.ok(marked > 5 && marked < 100, `${marked} keys`);
  const full = room.bytes;
  assert.ok(keys.admits("k0"));
  for (let changes = 0; changes < 20; changes++) {
    version++;
    for (let key = 0; key < marked; key++)
      keys.mark(seen(`k${key}`, version, longFacts(version)), told(version));
  }
  assert.ok(room.bytes < 3 * full, `${room.bytes} bytes after ${full}`);
  let mayGoOn = false;
  const waits = room.forStream(new AbortController().signal).then(() => {
    mayGoOn = true;
  });
  for (let mark = keys.take("urgent"); mark !== undefined; mark = keys.take("urgent"))
    assert.equal(mark.incomplete, true);
  await waits;
  assert.deepEqual([mayGoOn, room.bytes, room.dirty], [true, 0, 0]);
  keys.putBack();
  assert.ok(room.bytes > 0);
  keys.clear();
  assert.deepEqual([room.bytes, room.dirty], [0, 0]);
});

test("what is held keeps its place, whatever is published meanwhile", () => {
  const room = new Room({ dirty: 10, compared: 10, bytes: MEBIBYTE });
  const keys = new DirtyKeys(room);
  keys.hold("a", "4");
  keys.mark(seen("b", 6, {}), told(6));
  assert.equal(room.dirty, 2);
  assert.equal(keys.take("urgent")?.last.uid, "b");
  keys.confirm();
  assert.equal(keys.publishedUpTo("9"), "4");
  keys.hold("c", "6");
  keys.mark(seen("a", 5, {}), told(9));
  keys.release("a");
  assert.equal(keys.publishedUpTo("9"), "4", "it is dirty now");
  assert.equal(keys.take("urgent")?.before, "4");
  keys.putBack();
  assert.equal(keys.publishedUpTo("9"), "4");
  keys.take("urgent");
  keys.confirm();
  assert.equal(keys.publishedUpTo("9"), "6");
  keys.release("c");
  assert.deepEqual([keys.publishedUpTo("9"), room.dirty, keys.size], ["9", 0, 0]);
});
