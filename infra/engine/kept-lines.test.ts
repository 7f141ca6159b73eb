import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test, vi } from "vitest";
import { type EmbeddedBus, openEmbeddedBus } from "../../shared/bus/embedded/index.ts";
import { silent } from "../../shared/log/log.ts";
import { route } from "../../test/bus-contract/fixture.ts";
import { keptObject } from "../testing/ledger-change.ts";
import { manualClock } from "../testing/settling-clock.ts";
import { changed, short, until, WatchedCluster } from "../testing/watched-cluster.ts";
import type { Watcher } from "../watcher/index.ts";
import { Ledger } from "../watcher/ledger.ts";
import type { LedgerChange } from "../watcher/ledger-lines.ts";
import { publishTo } from "./publish.ts";

const clock = manualClock();
const place = (name: string) => ({ namespace: "default", name });

/** A cluster whose watcher and bus are one process. */
class Site {
  readonly cluster: WatchedCluster;
  #folder: string;
  bus: EmbeddedBus;

  private constructor(cluster: WatchedCluster) {
    this.cluster = cluster;
    this.#folder = mkdtempSync(join(cluster.directory, "site-"));
    this.bus = this.#open();
  }

  static async start(t: Pick<TestContext, "onTestFinished">): Promise<Site> {
    const site = new Site(await WatchedCluster.start(t));
    t.onTestFinished(() => site.bus.close());
    return site;
  }

  get ledgerFile(): string {
    return join(this.#folder, "ledger.db");
  }

  async watch(): Promise<Watcher> {
    const { bus } = this;
    const publish = publishTo(bus, silent);
    return this.cluster.settled({
      ledger: { file: this.ledgerFile, keptWith: bus },
      publish: async (events, line) => {
        await publish(events, line);
        this.cluster.events.push(...events);
      },
    });
  }

  /** The state that a death at this moment leaves. What runs goes on beside it, and is stopped. */
  async die(watcher: Watcher, ...without: ("ledger.db" | "bus.db")[]): Promise<void> {
    const left = mkdtempSync(join(this.cluster.directory, "site-"));
    cpSync(this.#folder, left, { recursive: true });
    for (const name of without)
      for (const suffix of ["", "-wal", "-shm", ".journal"])
        rmSync(join(left, name + suffix), { force: true });
    await watcher.stop();
    await this.bus.close();
    this.#folder = left;
    this.bus = this.#open();
    this.cluster.take();
  }

  #open(): EmbeddedBus {
    return openEmbeddedBus({ file: join(this.#folder, "bus.db"), route, clock });
  }
}

test("what was published before a death is not published again, though the ledger's file had none of it", async (t) => {
  const site = await Site.start(t);
  const { cluster } = site;
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const watcher = await site.watch();
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  await cluster.next(2);
  await site.die(watcher);
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await site.watch();
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1"]);
});

test("an object that came just before a death and ended after it is told of as deleted", async (t) => {
  const site = await Site.start(t);
  const { cluster } = site;
  const watcher = await site.watch();
  cluster.server.put("widgets", place("brief"), { spec: { value: 1 } });
  await cluster.next();
  await site.die(watcher);
  cluster.server.remove("widgets", place("brief"));
  await site.watch();
  assert.deepEqual(cluster.take().map(short), ["resource.deleted brief uid-1"]);
});

test("a lost ledger does not take up what the bus remembers of it: all is published again", async (t) => {
  const site = await Site.start(t);
  const { cluster } = site;
  for (const name of ["a", "b"]) cluster.server.put("widgets", place(name), { spec: { value: 1 } });
  const watcher = await site.watch();
  await site.die(watcher, "ledger.db");
  await site.watch();
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1", "resource.changed b uid-2"]);
});

test("a lost bus remembers nothing, and the ledger goes on with what its file has", async (t) => {
  const site = await Site.start(t);
  const { cluster } = site;
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await (await site.watch()).stop();
  const watcher = await site.watch();
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await until(() => cluster.events.length === 2, "the change to be published");
  await site.die(watcher, "bus.db");
  await site.watch();
  assert.deepEqual(
    cluster.take().map((event) => changed(event).facts),
    [{ value: 2 }],
  );
});

/** Makes a change durable, as a watcher does that publishes, and records it. */
async function record(ledger: Ledger, bus: EmbeddedBus, change: LedgerChange): Promise<void> {
  const line = ledger.line(() => [change]);
  assert.ok(line !== undefined);
  await bus.publish([], line);
  ledger.commit([change], line);
}

test("a line tells what others did not tell, and its file follows a second later", async (t) => {
  const site = await Site.start(t);
  const ledger = new Ledger(site.ledgerFile, "c", { clock, log: silent, keptWith: site.bus });
  t.onTestFinished(() => ledger.close());
  const stream = ledger.stream("widgets");
  const inFile = (): unknown[] => {
    const copy = join(mkdtempSync(join(site.cluster.directory, "copy-")), "ledger.db");
    for (const suffix of ["", "-wal"]) cpSync(site.ledgerFile + suffix, copy + suffix);
    const file = new DatabaseSync(copy);
    const names = file.prepare("SELECT name FROM object ORDER BY name").all();
    file.close();
    return names.map(({ name }) => name);
  };
  const [a, echo, b] = [
    keptObject("a", "1", stream),
    keptObject("echo", "2", stream),
    keptObject("b", "3", stream),
  ];
  const first = ledger.line(() => [a]);
  ledger.commit([a], first);
  await clock.advance(500);
  ledger.commit([echo]);
  const second = ledger.line(() => [b]);
  assert.deepEqual(second?.line.changes, [echo, b]);
  ledger.commit([b], second);
  await clock.advance(400);
  assert.deepEqual(inFile(), []);
  await clock.advance(100);
  assert.deepEqual(inFile(), ["a", "b", "echo"]);
  // The file has a change that no line tells as soon as where no bus keeps lines.
  ledger.commit([keptObject("late", "4", stream)]);
  await clock.advance(100);
  assert.deepEqual(inFile(), ["a", "b", "echo", "late"]);
});

test("what the ledger's file refused to the end is taken up when it is opened again", async (t) => {
  const site = await Site.start(t);
  const { bus } = site;
  const ledger = new Ledger(site.ledgerFile, "c", { clock, log: silent, keptWith: bus });
  const stream = ledger.stream("widgets");
  await record(ledger, bus, keptObject("a", "1", stream));
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const exec = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(() => {
    throw full;
  });
  assert.throws(() => ledger.close(), { code: "LEDGER_DISK_FULL" });
  exec.mockRestore();
  const text = "x".repeat(100_000);
  for (let at = 0; at < 12; at++) await bus.publish([], { of: "filling", line: text });
  await clock.advance(200);
  const again = new Ledger(site.ledgerFile, "c", { clock, log: silent, keptWith: bus });
  assert.equal(again.row(stream, "default", "a")?.uid, "1");
  again.close();
});

test("a ledger from a backup takes nothing up where lines are missing", async (t) => {
  const site = await Site.start(t);
  const { bus, ledgerFile } = site;
  const open = (): Ledger => new Ledger(ledgerFile, "c", { clock, log: silent, keptWith: bus });
  const backup = join(site.cluster.directory, "backup.db");
  const first = open();
  const stream = first.stream("widgets");
  const told = (ledger: Ledger, name: string) => record(ledger, bus, keptObject(name, name, stream));
  await told(first, "a");
  first.close();
  cpSync(ledgerFile, backup);
  const second = open();
  await told(second, "b");
  // The journal begins anew, and "b" stands in the ledger's file alone.
  for (let at = 0; at < 12; at++) await bus.publish([], { of: "filling", line: "x".repeat(100_000) });
  await clock.advance(1_000);
  await told(second, "c");
  second.abandon();
  await bus.close();
  cpSync(backup, ledgerFile);
  site.bus = openEmbeddedBus({ file: join(ledgerFile, "..", "bus.db"), route, clock });
  const third = new Ledger(ledgerFile, "c", { clock, log: silent, keptWith: site.bus });
  const known = ["a", "b", "c"].filter((name) => third.row(stream, "default", name) !== undefined);
  assert.deepEqual(known, ["a"]);
  third.close();
});

test("an object that is replaced just before a death is known as the new one", async (t) => {
  const site = await Site.start(t);
  const { bus, ledgerFile } = site;
  const ledger = new Ledger(ledgerFile, "c", { clock, log: silent, keptWith: bus });
  const stream = ledger.stream("widgets");
  await record(ledger, bus, keptObject("a", "old", stream));
  // This contradicts what is behind, which the file must have before.
  await record(ledger, bus, keptObject("a", "new", stream));
  ledger.abandon();
  await bus.close();
  site.bus = openEmbeddedBus({ file: join(ledgerFile, "..", "bus.db"), route, clock });
  const again = new Ledger(ledgerFile, "c", { clock, log: silent, keptWith: site.bus });
  assert.equal(again.row(stream, "default", "a")?.uid, "new");
  again.close();
});

test("a position of another era is not taken up", async (t) => {
  const site = await Site.start(t);
  const ledger = new Ledger(site.ledgerFile, "c", { clock, log: silent, keptWith: site.bus });
  const stream = ledger.stream("widgets");
  const change: LedgerChange = { do: "position", stream, position: { resourceVersion: "5", entry: "e" } };
  const line = ledger.line(() => [change]);
  assert.ok(line !== undefined);
  await site.bus.publish([], line);
  // The server goes back before the answer of the bus is heard.
  ledger.beginEra(1);
  ledger.abandon();
  site.bus.abandon();
  const bus = openEmbeddedBus({ file: join(site.ledgerFile, "..", "bus.db"), route, clock });
  site.bus = bus;
  const again = new Ledger(site.ledgerFile, "c", { clock, log: silent, keptWith: bus });
  assert.equal(again.position(stream), undefined);
  again.close();
});
