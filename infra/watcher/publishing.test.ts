import assert from "node:assert/strict";
import { test } from "vitest";
import { changed, deleted, readyStatus, short, until, WatchedCluster } from "../testing/watched-cluster.ts";

const place = (name: string) => ({ namespace: "default", name });

/** A bus that takes events only when it is told to. */
function heldBus(cluster: WatchedCluster) {
  const waiting: { readonly accept: () => void; readonly refuse: (error: Error) => void }[] = [];
  cluster.publish = (events) =>
    new Promise((resolve, reject) => {
      waiting.push({
        accept: () => {
          cluster.events.push(...events);
          resolve();
        },
        refuse: reject,
      });
    });
  return waiting;
}

test("a slow bus: what happens meanwhile is folded, and a key that returned to what it was is still told", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 }, status: readyStatus("True") });
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.take();
  const bus = heldBus(cluster);
  cluster.server.put("widgets", place("b"), { spec: { value: 2 } });
  await until(() => bus.length === 1, "the first batch");
  const published = watcher.position().streams[0]?.published;
  cluster.server.put("widgets", place("a"), { spec: { value: 2 }, status: readyStatus("False") });
  cluster.server.put("widgets", place("a"), { spec: { value: 3 }, status: readyStatus("False") });
  cluster.server.put("widgets", place("a"), { spec: { value: 1 }, status: readyStatus("True") });
  cluster.server.put("widgets", place("b"), { spec: { value: 3 } });
  await until(() => watcher.position().counters.eventsRead >= 5, "the events to be read");
  assert.equal(
    watcher.position().streams[0]?.published,
    published,
    "the ledger never passes what is not confirmed",
  );
  bus.shift()?.accept();
  await until(() => bus.length === 1, "the second batch");
  assert.deepEqual(cluster.take().map(short), ["resource.changed b uid-2"]);
  bus.shift()?.accept();
  const [a, ready, b] = await cluster.next(3);
  assert.equal(ready?.type, "dependency.ready");
  const told = changed(a);
  assert.deepEqual(
    [told.was, told.seen, told.facts],
    [{ value: 1 }, [{ value: 2 }, { value: 3 }], { value: 1 }],
  );
  assert.deepEqual([...told.differs].sort(), ["facts", "object", "ready", "status"]);
  assert.deepEqual([changed(b).was, changed(b).facts], [{ value: 2 }, { value: 3 }]);
  await until(
    () => watcher.position().streams[0]?.published === cluster.server.version,
    "the position to move",
  );
});

test("more than 16 facts between two tellings are not told one by one", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 0 } });
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.take();
  const bus = heldBus(cluster);
  cluster.server.put("widgets", place("b"), { spec: { value: 0 } });
  await until(() => bus.length === 1, "the first batch");
  for (let value = 1; value <= 20; value++) cluster.server.put("widgets", place("a"), { spec: { value } });
  await until(() => watcher.position().counters.eventsRead >= 21, "the events to be read");
  bus.shift()?.accept();
  await until(() => bus.length === 1, "the second batch");
  bus.shift()?.accept();
  const [, event] = await cluster.next(2);
  const told = changed(event);
  assert.equal(told.seen.length, 16);
  assert.deepEqual(
    [told.seen[0], told.seen.at(-1), told.facts],
    [{ value: 4 }, { value: 19 }, { value: 20 }],
  );
  assert.equal(told.incomplete, true);
});

test("an object that came and went within one batch is told as gone: somebody may have read it", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  const bus = heldBus(cluster);
  cluster.server.put("widgets", place("x"));
  await until(() => bus.length === 1, "the first batch");
  cluster.server.put("widgets", place("a"), { spec: { value: 7 } });
  cluster.server.remove("widgets", place("a"));
  await until(() => watcher.position().counters.eventsRead >= 3, "the events to be read");
  bus.shift()?.accept();
  await until(() => bus.length === 1, "the second batch");
  bus.shift()?.accept();
  const [, event] = await cluster.next(2);
  assert.deepEqual(deleted(event).was, { value: 7 });
});

test("an owner that was let go of between two tellings is told", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const owner = (name: string) => ({
    ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid: name, controller: true }],
  });
  cluster.server.put("widgets", place("a"), {}, owner("first"));
  await cluster.settled();
  cluster.take();
  cluster.server.put("widgets", place("a"), {}, owner("second"));
  const told = changed((await cluster.next())[0]);
  assert.deepEqual(
    told.wereOwners?.map(({ name }) => name),
    ["first"],
  );
  assert.deepEqual(
    told.owners.map(({ name }) => name),
    ["second"],
  );
  assert.deepEqual(told.differs, ["object"]);
});

test("a lost bus: not ready, nothing is lost, and all is told when it is back", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const watcher = await cluster.settled();
  await until(() => watcher.ready() && cluster.server.watches() === 1, "ready");
  cluster.take();
  const { publish } = cluster;
  cluster.publish = () => Promise.reject(new Error("no bus"));
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await until(() => !watcher.ready(), "not ready");
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  cluster.server.put("widgets", place("a"), { spec: { value: 3 } });
  await until(() => watcher.position().counters.publishFailures > 2, "some failures");
  assert.equal(watcher.position().publishing, false);
  cluster.publish = publish;
  const events = await cluster.next(2);
  assert.deepEqual(events.map(short), ["resource.changed a uid-1", "resource.changed b uid-2"]);
  assert.deepEqual(changed(events[0]).seen, [{ value: 2 }]);
  await until(() => watcher.ready(), "ready again");
});

test("a watcher that dies before the bus has confirmed tells it again, under the same id", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.take();
  const { publish } = cluster;
  const ids: string[] = [];
  cluster.publish = (events) => {
    ids.push(...events.map(({ id }) => id));
    return Promise.reject(new Error("the answer was lost"));
  };
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await until(() => ids.length > 0, "an attempt");
  await watcher.stop();
  cluster.publish = publish;
  cluster.watch();
  const [event] = await cluster.next();
  assert.equal(event?.id, ids[0]);
  assert.deepEqual(changed(event).was, { value: 1 });
});

for (const limits of [{ dirty: 50 }, { bytes: 40_000 }])
  test(`back-pressure: dirty keys beyond ${JSON.stringify(limits)} cut the stream, and it goes on when there is room`, async (t) => {
    const cluster = await WatchedCluster.start(t);
    const watcher = await cluster.settled({ limits });
    await until(() => cluster.server.watches() === 1, "the watch to open");
    const bus = heldBus(cluster);
    for (let index = 0; index < 400; index++)
      cluster.server.put("widgets", place(`w${index}`), { spec: { value: index } });
    await until(() => watcher.position().streams[0]?.state.name === "full", "the stream to be cut");
    assert.ok(watcher.position().dirty <= 100);
    assert.ok(cluster.log.some(({ message }) => message.startsWith("More changes wait to be published")));
    assert.equal(watcher.ready(), false);
    const names = new Set<string>();
    await until(
      () => {
        bus.shift()?.accept();
        for (const event of cluster.take()) names.add(changed(event).ref.name);
        return names.size === 400;
      },
      () => `all to be told; ${names.size} are`,
    );
    assert.ok(watcher.position().counters.backPressure > 0);
    assert.equal(cluster.server.count("list"), 1);
  });

test("a batch holds at most 100 events", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const sizes: number[] = [];
  cluster.publish = async (events) => void sizes.push(events.length);
  for (let index = 0; index < 350; index++)
    cluster.server.put("widgets", place(`w${index}`), {
      spec: { value: index },
      status: readyStatus("True"),
    });
  await cluster.settled();
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    700,
  );
  assert.ok(Math.max(...sizes) <= 100);
});

test("what users cause goes before what a compare found", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (let index = 0; index < 900; index++)
    cluster.server.put("widgets", place(`w${index}`), { spec: { value: 1 } });
  const bus = heldBus(cluster);
  const watcher = cluster.watch();
  await until(() => bus.length === 1 && cluster.server.watches() === 1, "the compare to end");
  cluster.server.put("widgets", place("w899"), { spec: { value: 2 } });
  cluster.server.put("widgets", place("new"), { spec: { value: 2 } });
  await until(() => watcher.position().counters.eventsRead === 2, "the events to be read");
  let batches = 0;
  await until(() => {
    const batch = bus.shift();
    if (batch !== undefined) batches++;
    batch?.accept();
    return cluster.events.some((event) => changed(event).ref.name === "new");
  }, "the urgent one");
  assert.ok(batches <= 3, `${batches} batches`);
  await until(() => {
    bus.shift()?.accept();
    return watcher.position().dirty === 0 && cluster.events.length > 900;
  }, "the rest");
});
