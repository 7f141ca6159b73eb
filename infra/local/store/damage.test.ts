import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "vitest";
import { Store, StoreError } from "./store.ts";

function fileIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "objects.db");
}

const object = (name: string) => (version: string) =>
  JSON.stringify({ metadata: { name, resourceVersion: version }, filler: name.repeat(60) });

function filled(path: string): readonly { readonly key: string; readonly text: string }[] {
  const store = new Store(path);
  for (let count = 0; count < 120; count++) store.put("/things", `n/${count}`, object(`thing-${count}`));
  const written = store.list("/things", "");
  store.close();
  return written;
}

const hasCode = (code: string) => (error: unknown) => error instanceof StoreError && error.code === code;

test("a byte that was changed while it was down is found before anything is served", (t) => {
  const path = fileIn(t);
  const written = filled(path);
  const sound = readFileSync(path);
  let found = 0;
  for (let at = 0; at < sound.length; at += 509) {
    const bytes = Buffer.from(sound);
    bytes[at] = (bytes[at] ?? 0) ^ 0x41;
    writeFileSync(path, bytes);
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    let store: Store | undefined;
    try {
      store = new Store(path);
      // In a part that holds nothing, or that SQLite mends itself.
      assert.deepEqual(store.list("/things", ""), written, `byte ${at}`);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      assert.match(error.message, /objects\.db/);
      found++;
    } finally {
      store?.close();
    }
  }
  assert.ok(found > 30, `${found} found`);
});

test("an object that was changed in a sound file is named", (t) => {
  const path = fileIn(t);
  filled(path);
  const database = new DatabaseSync(path);
  database.exec("UPDATE objects SET object = replace(object, 'thing-7', 'thing-8') WHERE key = 'n/7'");
  database.close();
  assert.throws(
    () => new Store(path),
    (error) =>
      hasCode("LOCAL_API_STORE_DAMAGED")(error) && /the object "n\/7" of "\/things"/.test(String(error)),
  );
});

test("an object that changes under a running store is not served", (t) => {
  const path = fileIn(t);
  filled(path);
  const store = new Store(path);
  t.onTestFinished(() => store.close());
  const other = new DatabaseSync(path);
  other.exec("UPDATE objects SET object = '{}' WHERE key = 'n/7'");
  other.close();
  assert.throws(() => store.get("/things", "n/7"), hasCode("LOCAL_API_STORE_DAMAGED"));
  assert.throws(() => store.list("/things", ""), hasCode("LOCAL_API_STORE_DAMAGED"));
  assert.notEqual(store.get("/things", "n/8"), undefined);
});

test("a file of an older layout gets its sums and keeps its objects", (t) => {
  const path = fileIn(t);
  const written = filled(path);
  const database = new DatabaseSync(path);
  database.exec(
    "ALTER TABLE objects DROP COLUMN sum; ALTER TABLE events DROP COLUMN sum; UPDATE facts SET value = '1' WHERE name = 'layout'",
  );
  database.close();
  const store = new Store(path);
  assert.deepEqual(store.list("/things", ""), written);
  assert.equal(store.since("/things", store.trimmed).length, 120);
  store.close();
  new Store(path).close();
});

test("a full disk is named, loses nothing and tells nobody of what was not stored", (t) => {
  const path = fileIn(t);
  const store = new Store(path, { events: 1000, bytes: 1_000_000, pages: 200 });
  t.onTestFinished(() => store.close());
  const told: string[] = [];
  store.subscribe(({ key }) => told.push(key));
  let count = 0;
  assert.throws(
    () => {
      for (; count < 1000; count++) store.put("/things", `n/${count}`, object(`thing-${count}`));
    },
    (error) => hasCode("LOCAL_API_STORE_FULL")(error) && /objects\.db has no room left/.test(String(error)),
  );
  assert.equal(store.list("/things", "").length, count);
  assert.equal(told.length, count);
  assert.ok(hasCode("LOCAL_API_STORE_FULL")(store.failure));
  const other = new DatabaseSync(path);
  other.exec("DELETE FROM events WHERE version < (SELECT max(version) FROM events)");
  other.close();
  assert.equal(store.failure, undefined);
  store.put("/things", "n/0", () => "{}");
  assert.equal(store.get("/things", "n/0"), "{}");
});
