import assert from "node:assert/strict";
import { test } from "vitest";
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

const place = (name: string) => ({ namespace: "default", name });

test("the first start tells every object once, and readiness", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put(
    "widgets",
    place("a"),
    { spec: { value: 1 }, status: readyStatus("True") },
    { labels: { x: "y" } },
  );
  cluster.server.put("widgets", place("b"), { spec: { value: 2 } });
  const watcher = await cluster.settled();
  const events = cluster.take();
  assert.deepEqual(events.map(short), [
    "resource.changed a uid-1",
    "dependency.ready a uid-1",
    "resource.changed b uid-2",
  ]);
  const first = changed(events[0]);
  assert.deepEqual(first.facts, { value: 1 });
  assert.equal(first.lane, "urgent");
  assert.equal(first.ready, true);
  assert.equal(first.incomplete, true);
  assert.ok(first.differs.includes("created"));
  await until(() => watcher.ready(), "ready");
});

test("a stream event is told with what was before", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  await cluster.settled();
  cluster.take();
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  const [event] = await cluster.next();
  const told = changed(event);
  assert.deepEqual(told.was, { value: 1 });
  assert.deepEqual(told.facts, { value: 2 });
  assert.deepEqual(told.differs, ["object", "facts"]);
  assert.equal(told.incomplete, false);
  assert.equal(event?.source, "/clusters/test-12345678");
});

test("a restart resumes where it stood: no list, and only what changed while away", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (const name of ["a", "b", "c"]) cluster.server.put("widgets", place(name), { spec: { value: 1 } });
  await (await cluster.settled()).stop();
  cluster.take();
  const lists = cluster.server.count("list");
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  cluster.server.remove("widgets", place("b"));
  cluster.server.remove("widgets", place("c"));
  cluster.server.put("widgets", place("c"), { spec: { value: 3 } });
  await cluster.settled();
  assert.deepEqual(cluster.take().map(short), [
    "resource.changed a uid-1",
    "resource.deleted b uid-2",
    "resource.deleted c uid-3",
    "resource.changed c uid-4",
  ]);
  assert.equal(cluster.server.count("list"), lists);
  assert.equal(cluster.server.count("probe"), 1);
});

test("deletes and re-creations while away are found by a compare when the position is expired", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (const name of ["a", "b", "c", "d"])
    cluster.server.put("widgets", place(name), { spec: { value: 1 }, status: readyStatus("True") });
  await (await cluster.settled()).stop();
  cluster.take();
  cluster.server.remove("widgets", place("b"));
  cluster.server.remove("widgets", place("c"));
  cluster.server.put("widgets", place("c"), { spec: { value: 3 } });
  cluster.server.put("widgets", place("d"), { spec: { value: 4 }, status: readyStatus("True") });
  cluster.server.forgetChanges();
  await cluster.settled();
  const events = cluster.take();
  assert.deepEqual(
    events
      .filter(({ type }) => type.startsWith("resource"))
      .map(short)
      .sort(),
    [
      "resource.changed c uid-5",
      "resource.changed d uid-4",
      "resource.deleted b uid-2",
      "resource.deleted c uid-3",
    ],
  );
  const names = events.map(short);
  assert.ok(names.indexOf("resource.deleted c uid-3") < names.indexOf("resource.changed c uid-5"));
  assert.ok(names.includes("dependency.lost b uid-2"));
  assert.ok(names.includes("dependency.lost c uid-3"));
  const moved = changed(events.find((event) => short(event) === "resource.changed d uid-4"));
  assert.deepEqual(moved.was, { value: 1 });
  assert.ok(moved.incomplete && moved.differs.includes("unknown"));
  assert.equal(moved.lane, "urgent");
  assert.deepEqual(deleted(events.find((event) => short(event) === "resource.deleted b uid-2")).was, {
    value: 1,
  });
});

test("many differences go into the slow lane", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (let index = 0; index < 501; index++)
    cluster.server.put("widgets", place(`w${index}`), { spec: { value: 1 } });
  await cluster.settled();
  const events = cluster.take();
  assert.equal(events.length, 501);
  assert.deepEqual([...new Set(events.map((event) => changed(event).lane))], ["sweep"]);
});

test("what does not count is not told, and the ledger moves on", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("configmaps", place("a"), { data: { x: "1" } }, { labels: { tier: "one" } });
  const watcher = await cluster.settled({ watchList: { kinds: [configMaps] } });
  cluster.take();
  const { resourceVersion } = cluster.server.put(
    "configmaps",
    place("a"),
    { data: { x: "2" } },
    { labels: { tier: "one" } },
  ).metadata;
  await until(() => watcher.position().streams[0]?.published === resourceVersion, "the position to move");
  assert.deepEqual(cluster.take(), []);
  assert.equal(watcher.position().counters.noOpsDropped, 1);
  cluster.server.put("configmaps", place("a"), { data: { x: "2" } }, { labels: { tier: "two" } });
  assert.deepEqual(changed((await cluster.next())[0]).differs, ["facts"]);
  assert.ok(
    cluster.server.requests
      .filter(({ path }) => path.includes("configmaps"))
      .every(({ metadataOnly }) => metadataOnly),
  );
});

test("managedFields and, without interest, the status never count", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const quiet = { ...widgets, interest: "object", ready: undefined } as const;
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const watcher = await cluster.settled({ watchList: { kinds: [quiet] } });
  cluster.take();
  cluster.server.put(
    "widgets",
    place("a"),
    { spec: { value: 1 }, status: readyStatus("True") },
    { managedFields: [{ manager: "x" }] },
  );
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed b uid-2"]);
  assert.equal(watcher.position().counters.noOpsDropped, 1);
});

test("an entry that reads the kind in another way tells its objects once more, in the slow lane", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1, size: 7 } });
  const watcher = await cluster.settled();
  const [before] = cluster.take();
  await watcher.update({ kinds: [{ ...widgets, facts: { ...widgets.facts, size: ["spec", "size"] } }] });
  const [event] = await cluster.next();
  const told = changed(event);
  assert.deepEqual(told.facts, { value: 1, size: 7 });
  assert.equal(told.lane, "sweep");
  assert.ok(told.incomplete);
  assert.notEqual(event?.id, before?.id);
  await watcher.settled();
  await watcher.stop();
  await cluster.settled({
    watchList: { kinds: [{ ...widgets, facts: { ...widgets.facts, size: ["spec", "size"] } }] },
  });
  assert.deepEqual(cluster.take(), []);
});

test("two watchers derive the same ids and traces", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 }, status: readyStatus("True") });
  const named = (events: readonly { id: string; traceparent?: string | undefined }[]) =>
    events.map(({ id, traceparent }) => `${id} ${traceparent}`).sort();
  await cluster.settled({ ledger: { file: ":memory:" } });
  const first = cluster.take();
  await cluster.settled({ ledger: { file: ":memory:" }, identity: "watcher-b" });
  assert.deepEqual(named(cluster.take()), named(first));
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  const both = named(await cluster.next(4));
  assert.equal(new Set(both).size, 2);
});

test("namespaces are followed one by one", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", { namespace: "one", name: "a" });
  cluster.server.put("widgets", { namespace: "two", name: "b" });
  cluster.server.put("widgets", { namespace: "three", name: "c" });
  const watcher = await cluster.settled({ watchList: { kinds: [widgets], namespaces: ["one", "two"] } });
  assert.deepEqual(cluster.take().map(short).sort(), [
    "resource.changed a uid-1",
    "resource.changed b uid-2",
  ]);
  assert.deepEqual(
    watcher.position().streams.map(({ namespace }) => namespace),
    ["one", "two"],
  );
});
