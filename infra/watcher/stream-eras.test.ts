import assert from "node:assert/strict";
import { test } from "vitest";
import { refuse, text } from "../testing/fake-api-answer.ts";
import {
  changed,
  configMaps,
  deleted,
  readyStatus,
  short,
  until,
  WatchedCluster,
  widgets,
} from "../testing/watched-cluster.ts";
import type { Watcher } from "./index.ts";

const place = (name: string) => ({ namespace: "default", name });
const stateOf = (watcher: Watcher) => watcher.position().streams[0]?.state;

test("a server that went back to an older state begins a new era, and every object is published again", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  const backup = cluster.server.snapshot();
  cluster.server.put("widgets", place("b"), { spec: { value: 2 } });
  cluster.server.put("widgets", place("c"), { spec: { value: 1 } });
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.take();
  cluster.server.restore(backup);
  const events = await cluster.next(3);
  assert.deepEqual(events.map(short).sort(), [
    "resource.changed a uid-1",
    "resource.changed b uid-2",
    "resource.deleted c uid-3",
  ]);
  assert.deepEqual(
    [...new Set(events.map(({ data }) => (data as { lane: string }).lane))].includes("sweep"),
    true,
  );
  assert.equal(watcher.position().era, 1);
  const b = changed(events.find((event) => short(event).includes(" b ")));
  assert.deepEqual([b.facts, b.was, b.era, b.lane], [{ value: 1 }, { value: 2 }, 1, "sweep"]);
  await until(() => cluster.server.watches() === 1, "the watch to open again");
  cluster.server.put("widgets", place("a"), { spec: { value: 5 } });
  assert.deepEqual(changed((await cluster.next())[0]).facts, { value: 5 });
});

test("a server that went back while the watcher was away is found at its start", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const backup = cluster.server.snapshot();
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await (await cluster.settled()).stop();
  cluster.take();
  cluster.server.restore(backup);
  const watcher = await cluster.settled();
  const told = changed(cluster.take()[0]);
  assert.deepEqual([told.facts, told.era, told.lane], [{ value: 1 }, 1, "sweep"]);
  await watcher.stop();
  const again = await cluster.settled();
  assert.equal(again.position().era, 1);
  assert.deepEqual(cluster.take(), []);
});

test("a kind whose CRD comes later is followed from then on", async (t) => {
  const cluster = await WatchedCluster.start(t, [configMaps]);
  const watcher = cluster.watch({ watchList: { kinds: [widgets, configMaps] } });
  await until(() => stateOf(watcher)?.name === "absent", "absent");
  await watcher.settled();
  await until(() => watcher.ready(), "ready");
  cluster.server.install(widgets);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed a uid-1"]);
});

test("a CRD that vanishes: every object is told gone once, and it may come back", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (let index = 0; index < 30; index++)
    cluster.server.put("widgets", place(`w${String(index).padStart(2, "0")}`), {
      spec: { value: index },
      status: readyStatus("True"),
    });
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.take();
  cluster.server.fail(
    ({ path }) => path.includes("customresourcedefinitions"),
    (response) => refuse(response, 404, "NotFound", "not found", { name: "widgets.bench.example.org" }),
    100,
  );
  cluster.server.uninstall("widgets");
  const events = await cluster.next(60);
  assert.equal(events.filter(({ type }) => type === "resource.deleted").length, 30);
  assert.equal(events.filter(({ type }) => type === "dependency.lost").length, 30);
  assert.ok(events.some(({ data }) => (data as { lane: string }).lane === "sweep"));
  await until(() => stateOf(watcher)?.name === "absent", "absent");
  cluster.server.install(widgets);
  cluster.server.put("widgets", place("w01"), { spec: { value: 1 } });
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed w01 uid-31"]);
});

test("a CRD that vanished while the watcher was away", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await (await cluster.settled()).stop();
  cluster.take();
  cluster.server.uninstall("widgets");
  const watcher = cluster.watch();
  const [event] = await cluster.next();
  assert.equal(deleted(event).ref.name, "a");
  assert.equal(deleted(event).lane, "sweep");
  await until(() => stateOf(watcher)?.name === "absent", "absent");
});

test("404 from a server that is still starting deletes nothing", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await (await cluster.settled()).stop();
  cluster.take();
  cluster.server.fail(
    ({ path }) => path.includes("widgets"),
    (response) => text(response, 404, "404 page not found"),
    3,
  );
  cluster.server.fail(
    ({ path }) => path.includes("customresourcedefinitions"),
    (response) => refuse(response, 403, "Forbidden", "no"),
    100,
  );
  const watcher = await cluster.settled({ timing: { vanished: 60_000 } as never });
  await until(() => stateOf(watcher)?.name === "streaming", "streaming");
  cluster.server.put("widgets", place("b"));
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed b uid-2"]);
});
