import assert from "node:assert/strict";
import { test } from "vitest";
import { Hints } from "../../shared/hints/hints.ts";
import { changed, short, until, WatchedCluster, widgets } from "../testing/watched-cluster.ts";

const place = (name: string) => ({ namespace: "default", name });
/** What `etcdutl snapshot restore --bump-revision` adds by default is a thousand times as much. */
const BUMP = 1_000_000;

/** a and b as they were backed up, then another b and a c that a restore takes away. */
async function backedUp(t: Parameters<typeof WatchedCluster.start>[0]) {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  const backup = cluster.server.snapshot();
  cluster.server.put("widgets", place("b"), { spec: { value: 2 } });
  cluster.server.put("widgets", place("c"), { spec: { value: 1 } });
  return { cluster, restore: () => cluster.server.restore({ ...backup, version: backup.version + BUMP }) };
}
const told = (cluster: WatchedCluster) =>
  cluster
    .take()
    .map((event) => `${short(event)} era ${changed({ ...event, type: "resource.changed" }).era}`)
    .sort();
const AFTER = [
  "resource.changed a uid-1 era 1",
  "resource.changed b uid-2 era 1",
  "resource.deleted c uid-3 era 1",
];

test("a server that was restored with a bumped revision begins a new era", async (t) => {
  const { cluster, restore } = await backedUp(t);
  const hints = new Hints();
  const watcher = await cluster.settled({ onlooker: hints });
  hints.saw("/Other//x", {
    apiVersion: "v1",
    kind: "Other",
    metadata: { name: "x", uid: "x", resourceVersion: "9" },
  });
  await until(() => cluster.server.watches() === 1, "the watch to be open");
  cluster.take();
  restore();
  await until(
    () => cluster.events.length >= 3 && watcher.position().dirty === 0,
    "what went back to be told",
  );
  assert.deepEqual(told(cluster), AFTER);
  assert.equal(watcher.position().era, 1);
  assert.equal(hints.get("/Other//x"), undefined, "what was seen before may never have been");
  cluster.server.put("widgets", place("b"), { spec: { value: 3 } });
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed b uid-2"]);
});

test("it is found by a watcher that was away meanwhile", async (t) => {
  const { cluster, restore } = await backedUp(t);
  await (await cluster.settled()).stop();
  cluster.take();
  restore();
  const watcher = await cluster.settled();
  assert.deepEqual(told(cluster), AFTER);
  assert.equal(watcher.position().era, 1);
});

test("what was seen and not published yet is proof as well", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const backup = cluster.server.snapshot();
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to be open");
  cluster.take();
  let isAway = true;
  const { publish } = cluster;
  cluster.publish = async (events) => {
    if (isAway) throw new Error("the bus is away");
    await publish(events);
  };
  cluster.server.put("widgets", place("a"), { spec: { value: 7 } });
  await until(() => !watcher.position().publishing, "the bus to be missed");
  cluster.server.restore({ ...backup, version: backup.version + BUMP });
  await until(() => watcher.position().era === 1, "the new era");
  isAway = false;
  const [event] = await cluster.next();
  assert.equal(changed(event).era, 1);
  assert.deepEqual(changed(event).facts, { value: 1 });
});

test("a list that is itself older than what is known proves nothing", async (t) => {
  const { cluster } = await backedUp(t);
  const fresh = cluster.client();
  const stale = await fresh.list(widgets);
  cluster.server.put("widgets", place("b"), { spec: { value: 3 } });
  await (await cluster.settled()).stop();
  // Read in another way, the kind is listed once more: by a server that lags behind the one that answered before.
  const client = new Proxy(fresh, {
    get: (target, name: keyof typeof fresh) => {
      if (name === "list") return async () => stale;
      const member = target[name];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const watcher = await cluster.settled({
    client,
    watchList: { kinds: [{ ...widgets, facts: { other: ["spec", "other"] } }] },
  });
  assert.equal(watcher.position().streams[0]?.lists, 1);
  assert.equal(watcher.position().era, 0);
});
