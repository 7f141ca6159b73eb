import assert from "node:assert/strict";
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, vi } from "vitest";
import { systemClock } from "../../shared/clock/clock.ts";
import { silent } from "../../shared/log/log.ts";
import { keptObject } from "../testing/ledger-change.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { changed, short, until, WatchedCluster } from "../testing/watched-cluster.ts";
import { LedgerError, startWatcher } from "./index.ts";
import { Ledger } from "./ledger.ts";

const place = (name: string) => ({ namespace: "default", name });
const context = { clock: systemClock, log: silent };

test("an unreadable ledger is moved aside, and every object is published again in the slow lane", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await (await cluster.settled()).stop();
  cluster.take();
  writeFileSync(cluster.ledgerFile, "this is no database, and long enough to be taken for one ".repeat(200));
  const watcher = await cluster.settled();
  const events = cluster.take();
  assert.deepEqual(events.map(short), ["resource.changed a uid-1"]);
  assert.equal(changed(events[0]).lane, "sweep");
  assert.ok(readdirSync(cluster.directory).some((file) => file.includes(".broken-")));
  assert.ok(cluster.log.some(({ level, fields }) => level === "warn" && fields.code === "LEDGER_BROKEN"));
  await watcher.stop();
  await cluster.settled();
  assert.deepEqual(cluster.take(), []);
});

test("a ledger whose pages are damaged is moved aside too", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (let index = 0; index < 300; index++)
    cluster.server.put("widgets", place(`w${index}`), { spec: { value: 1 } });
  await (await cluster.settled()).stop();
  cluster.take();
  const file = openSync(cluster.ledgerFile, "r+");
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, 6 * 4096);
  closeSync(file);
  await cluster.settled();
  assert.equal(cluster.take().length, 300);
});

test("the ledger of another cluster is moved aside", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"));
  await (await cluster.settled({ cluster: { name: "other-00000000" } })).stop();
  cluster.take();
  await cluster.settled();
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1"]);
});

test("a ledger that another watcher holds is refused", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await cluster.settled();
  assert.throws(
    () => new Ledger(cluster.ledgerFile, "test-12345678", context),
    (error) => error instanceof LedgerError && error.code === "LEDGER_LOCKED",
  );
});

test("a folder that is not there, or cannot be written, is said", {
  skip: process.platform === "win32",
}, async (t) => {
  const cluster = await WatchedCluster.start(t);
  const missing = join(cluster.directory, "nowhere", "ledger.sqlite");
  assert.throws(
    () => cluster.watch({ ledger: { file: missing } }),
    (error) =>
      error instanceof LedgerError && error.code === "LEDGER_NOT_WRITABLE" && error.message.includes(missing),
  );
  if (process.getuid?.() === 0) return;
  const folder = join(cluster.directory, "read-only");
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  assert.throws(
    () => cluster.watch({ ledger: { file: join(folder, "ledger.sqlite") } }),
    (error) => error instanceof LedgerError && error.code === "LEDGER_NOT_WRITABLE",
  );
});

test("a ledger that a newer version wrote is refused, not thrown away", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const file = new DatabaseSync(cluster.ledgerFile);
  file.exec("PRAGMA user_version = 99");
  file.close();
  assert.throws(
    () => new Ledger(cluster.ledgerFile, "test-12345678", context),
    (error) => error instanceof LedgerError && error.code === "LEDGER_NEWER",
  );
});

test("a full disk: not ready, the keys stay dirty, and it goes on when there is room", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const watcher = await cluster.settled();
  await until(() => watcher.ready() && cluster.server.watches() === 1, "ready");
  cluster.take();
  // The nearest to a full disk that SQLite offers: no page may be added.
  const full = vi.spyOn(Ledger.prototype, "commit").mockImplementation(() => {
    throw new LedgerError("full", cluster.ledgerFile);
  });
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await until(() => !watcher.ready(), "not ready");
  assert.ok(cluster.log.some(({ level, fields }) => level === "error" && fields.code === "LEDGER_DISK_FULL"));
  cluster.server.put("widgets", place("a"), { spec: { value: 3 } });
  full.mockRestore();
  await until(() => watcher.ready() && watcher.position().dirty === 0, "ready again");
  await until(
    () => watcher.position().streams[0]?.published === cluster.server.version,
    "the position to move",
  );
  assert.deepEqual(changed(cluster.take().at(-1)).facts, { value: 3 });
});

test("SQLite's own report of a full disk is understood", (t) => {
  const ledger = new Ledger(":memory:", "c", context);
  t.onTestFinished(() => ledger.abandon());
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const exec = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(() => {
    throw full;
  });
  t.onTestFinished(() => exec.mockRestore());
  ledger.commit([{ do: "forget", stream: 1, namespace: "", name: "a", uid: "u" }]);
  assert.throws(
    () => ledger.flush(),
    (error) => error instanceof LedgerError && error.problem === "full",
  );
});

test("a bad ledger stops the start at once", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const options = { client: cluster.client(), cluster: { name: "c" }, watchList: { kinds: [] } };
  assert.throws(
    () =>
      startWatcher({
        ...options,
        ...context,
        ledger: { file: cluster.directory },
        publish: async () => undefined,
        identity: "a",
        lease: false,
      }),
    LedgerError,
  );
});

const uidIn = (ledger: Ledger, name: string): string | undefined => ledger.row(1, "default", name)?.uid;

test("what was published is recorded behind, together; what dies before is published again", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const clock = manualClock();
  const open = (): Ledger => new Ledger(cluster.ledgerFile, "c", { clock, log: silent });
  const first = open();
  const stream = first.stream("widgets");
  first.commit([
    keptObject("a", "one", stream),
    { do: "position", stream, position: { resourceVersion: "5", entry: "e" } },
  ]);
  assert.equal(uidIn(first, "a"), "one", "it is known at once");
  assert.equal(first.position(stream)?.resourceVersion, "5");
  await clock.advance(100);
  first.commit([keptObject("b", "two", stream)]);
  assert.equal(uidIn(first, "b"), "two");
  first.abandon();
  const second = open();
  assert.equal(uidIn(second, "a"), "one");
  assert.equal(second.position(stream)?.resourceVersion, "5");
  assert.equal(uidIn(second, "b"), undefined, "it was lost with the process, and is told once more");
  // An object that ends and comes again under another uid: the order counts.
  second.commit([keptObject("a", "new", stream)]);
  second.commit([{ do: "forget", stream, ...place("a"), uid: "new" }]);
  assert.equal(uidIn(second, "a"), undefined);
  second.commit([keptObject("a", "third", stream)]);
  second.close();
  const third = open();
  assert.equal(uidIn(third, "a"), "third");
  third.close();
});

test("what the file refused is written before anything else, and said to whoever publishes", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const clock = manualClock();
  const ledger = new Ledger(cluster.ledgerFile, "c", { clock, log: silent });
  const stream = ledger.stream("widgets");
  ledger.commit([keptObject("a", "one", stream)]);
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const exec = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(() => {
    throw full;
  });
  await clock.advance(100);
  assert.throws(() => ledger.commit([keptObject("b", "two", stream)]), { code: "LEDGER_DISK_FULL" });
  exec.mockRestore();
  await clock.advance(1_000);
  ledger.abandon();
  const again = new Ledger(cluster.ledgerFile, "c", { clock, log: silent });
  assert.equal(uidIn(again, "a"), "one");
  assert.equal(uidIn(again, "b"), undefined, "it was never taken");
  again.close();
});
