import assert from "node:assert/strict";
import { test } from "vitest";
import { refuse, type SeenRequest, text } from "../testing/fake-api-answer.ts";
import { changed, deleted, short, until, WatchedCluster, widgets } from "../testing/watched-cluster.ts";
import type { Watcher } from "./index.ts";

const place = (name: string) => ({ namespace: "default", name });
const stateOf = (watcher: Watcher) => watcher.position().streams[0]?.state;
const isList = ({ verb }: SeenRequest) => verb === "list";
const isWatch = ({ verb }: SeenRequest) => verb === "watch";

async function streaming(
  cluster: WatchedCluster,
  options: Parameters<WatchedCluster["watch"]>[0] = {},
): Promise<Watcher> {
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const watcher = await cluster.settled(options);
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.take();
  return watcher;
}

test("a stream that ends is resumed at once, without a list", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await streaming(cluster);
  const lists = cluster.server.count("list");
  for (let round = 2; round < 6; round++) {
    cluster.server.put("widgets", place("a"), { spec: { value: round } });
    await cluster.next();
    cluster.server.endWatches("clean");
    await until(() => cluster.server.watches() === 1, "the watch to open again");
  }
  assert.equal(cluster.server.count("list"), lists);
  assert.equal(cluster.server.count("probe"), 0);
  assert.equal(watcher.position().counters.watchRestarts, 4);
});

test("what changes between two streams is told", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster);
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await cluster.next();
  cluster.server.endWatches("clean");
  cluster.server.put("widgets", place("a"), { spec: { value: 3 } });
  cluster.server.remove("widgets", place("a"));
  const [event] = await cluster.next();
  assert.equal(event?.type, "resource.deleted");
  assert.deepEqual(deleted(event).was, { value: 2 });
  assert.deepEqual(deleted(event).seen, [{ value: 3 }]);
});

test("a server that ends watches at once is not asked in a loop", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"));
  cluster.server.fail(isWatch, (response) => response.writeHead(200).end(), 6);
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to stay open");
  assert.equal(watcher.position().counters.emptyWatches, 6);
  assert.equal(cluster.server.count("list"), 1);
  assert.ok(cluster.server.count("probe") >= 4);
});

test("a close in mid line loses nothing and tells nothing twice", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster);
  cluster.server.endWatches("midLine");
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  assert.deepEqual((await cluster.next()).map(short), ["resource.changed a uid-1"]);
  await until(() => cluster.server.watches() === 1, "the watch to open again");
  assert.equal(cluster.server.count("list"), 1);
});

test("a line over two chunks keeps its order", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster);
  const line = (name: string, version: number) =>
    `${JSON.stringify({ type: "ADDED", object: { apiVersion: "bench.example.org/v1", kind: "Widget", metadata: { ...place(name), uid: name, resourceVersion: String(version) }, spec: { value: version } } })}\n`;
  const whole = line("x", 200) + line("y", 201);
  cluster.server.inject(whole.slice(0, 60));
  await new Promise((resolve) => setImmediate(resolve));
  cluster.server.inject(whole.slice(60, 250));
  await new Promise((resolve) => setImmediate(resolve));
  cluster.server.inject(whole.slice(250));
  assert.deepEqual((await cluster.next(2)).map(short), ["resource.changed x x", "resource.changed y y"]);
});

test("a line that is no JSON breaks the stream, and it is resumed", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await streaming(cluster);
  cluster.server.inject("not json\n");
  await until(
    () => watcher.position().streams[0]?.restarts === 1 && cluster.server.watches() === 1,
    "the watch to open again",
  );
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  assert.deepEqual(changed((await cluster.next())[0]).facts, { value: 2 });
});

test("a server that sends the same broken line at every resume is listed", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster);
  cluster.server.fail(isWatch, (response) => response.writeHead(200).end("not json\n"), 3);
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  await cluster.next();
  cluster.server.endWatches("reset");
  await until(() => cluster.server.count("list") === 2, "a second list");
});

test("a silent stream is cut and resumed after a probe", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await streaming(cluster, { timing: { silence: 60 } as never });
  await until(() => watcher.position().counters.silentWatches > 0, "the silent watch to be cut");
  await until(() => cluster.server.watches() === 1, "the watch to open again");
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } });
  assert.deepEqual(changed((await cluster.next())[0]).facts, { value: 2 });
  assert.equal(cluster.server.count("list"), 1);
});

test("410 in the stream: a list, and only differences", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await streaming(cluster);
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } });
  await cluster.next();
  cluster.server.endWatches("clean");
  cluster.server.remove("widgets", place("b"));
  cluster.server.put("widgets", place("c"), { spec: { value: 3 } });
  cluster.server.forgetChanges();
  const events = await cluster.next(2);
  assert.deepEqual(events.map(short).sort(), ["resource.changed c uid-3", "resource.deleted b uid-2"]);
  assert.equal(watcher.position().counters.deletesFoundLate, 1);
  assert.equal(cluster.server.count("list"), 2);
});

test("410 as the answer to a watch: a list", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster);
  cluster.server.fail(isWatch, (response) => refuse(response, 410, "Expired", "too old"));
  cluster.server.endWatches("reset");
  await until(
    () => cluster.server.count("list") === 2 && cluster.server.watches() === 1,
    "a list and a watch",
  );
  cluster.server.put("widgets", place("a"), { spec: { value: 9 } });
  assert.deepEqual(changed((await cluster.next())[0]).facts, { value: 9 });
});

test("429 in plain text at the start is waited out", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const throttle = (response: Parameters<typeof text>[0]): unknown =>
    text(response, 429, "Too many requests, please try again later.", { "retry-after": "0" });
  cluster.server.fail(isList, throttle, 2);
  cluster.server.fail(isWatch, throttle, 2);
  const watcher = await cluster.settled();
  await until(() => stateOf(watcher)?.name === "streaming", "streaming");
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1"]);
});

test("Retry-After is obeyed", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.fail(isList, (response) =>
    text(response, 429, "Too many requests", { "retry-after": "60" }),
  );
  const watcher = cluster.watch();
  await until(() => stateOf(watcher)?.name === "backingOff", "the pause");
  const state = stateOf(watcher);
  assert.ok(state?.name === "backingOff" && state.until > Date.now() + 50_000);
});

test("500 on a list is tried again, and not ready meanwhile", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"));
  cluster.server.fail(
    isList,
    (response) => refuse(response, 500, "InternalError", "etcdserver: leader changed"),
    3,
  );
  const watcher = cluster.watch();
  assert.equal(watcher.ready(), false);
  await watcher.settled();
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1"]);
  assert.equal(cluster.server.count("list"), 4);
});

test("500 to a watch again and again at one position: the position is worth nothing, list", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster);
  cluster.server.fail(isWatch, (response) => refuse(response, 500, "InternalError", "strange"), 3);
  cluster.server.endWatches("reset");
  await until(
    () => cluster.server.count("list") === 2 && cluster.server.watches() === 1,
    "a list and a watch",
  );
});

for (const verb of ["list", "watch"] as const)
  test(`403 on ${verb} says which rule is missing, and heals when it is granted`, async (t) => {
    const cluster = await WatchedCluster.start(t);
    cluster.server.put("widgets", place("a"));
    cluster.server.fail(
      (request) => request.verb === verb,
      (response) => refuse(response, 403, "Forbidden", "widgets is forbidden"),
      3,
    );
    const watcher = cluster.watch();
    await until(() => stateOf(watcher)?.name === "forbidden", "forbidden");
    const state = stateOf(watcher);
    assert.deepEqual(state?.name === "forbidden" && { ...state.missing }, {
      verb,
      group: "bench.example.org",
      resource: "widgets",
      namespace: undefined,
    });
    assert.equal(watcher.ready(), false);
    assert.ok(cluster.log.some(({ message }) => message.includes(`${verb} on widgets.bench.example.org`)));
    await until(() => stateOf(watcher)?.name === "streaming", "streaming");
    await until(() => watcher.ready(), "ready");
  });

test("an expired continue token restarts the list once, then goes on", async (t) => {
  const cluster = await WatchedCluster.start(t);
  for (let index = 0; index < 1200; index++)
    cluster.server.put("widgets", place(`w${String(index).padStart(4, "0")}`), { spec: { value: index } });
  let expiries = 0;
  cluster.server.fail(
    ({ verb, query }) => {
      if (
        verb === "list" &&
        query.get("continue") !== null &&
        !query.get("continue")?.endsWith("-on") &&
        expiries < 2
      ) {
        expiries++;
        cluster.server.expirePages();
      }
      return false;
    },
    () => undefined,
  );
  await cluster.settled();
  assert.equal(expiries, 2);
  const names = new Set(cluster.take().map((event) => changed(event).ref.name));
  assert.equal(names.size, 1200);
  const starts = cluster.server.requests.filter(
    (request) => isList(request) && request.query.get("continue") === null,
  );
  assert.equal(starts.length, 2);
});

test("an object that leaves a selector is not told as deleted", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const selected = { ...widgets, labelSelector: "app=x" };
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } }, { labels: { app: "x" } });
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } }, { labels: { app: "x" } });
  cluster.server.put("widgets", place("c"), { spec: { value: 1 } }, { labels: { app: "other" } });
  await cluster.settled({ watchList: { kinds: [selected] } });
  await until(() => cluster.server.watches() === 1, "the watch to open");
  assert.deepEqual(cluster.take().map(short), ["resource.changed a uid-1", "resource.changed b uid-2"]);
  cluster.server.put("widgets", place("a"), { spec: { value: 2 } }, { labels: { app: "y" } });
  const left = changed((await cluster.next())[0]);
  assert.deepEqual([left.ref.name, left.facts], ["a", { value: 2 }]);
  cluster.server.remove("widgets", place("b"));
  assert.equal(deleted((await cluster.next())[0]).ref.name, "b");
  cluster.server.put("widgets", place("a"), { spec: { value: 3 } }, { labels: { app: "x" } });
  assert.ok(changed((await cluster.next())[0]).differs.includes("created"));
});

test("a selector that changed: the kind is compared and published again", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } }, { labels: { app: "x" } });
  cluster.server.put("widgets", place("b"), { spec: { value: 1 } }, { labels: { app: "y" } });
  await (await cluster.settled({ watchList: { kinds: [{ ...widgets, labelSelector: "app=x" }] } })).stop();
  cluster.take();
  await cluster.settled({ watchList: { kinds: [widgets] } });
  const events = cluster.take();
  assert.deepEqual(events.map(short).sort(), ["resource.changed a uid-1", "resource.changed b uid-2"]);
  assert.equal(changed(events.find((event) => short(event).includes(" a "))).lane, "sweep");
});

test("no more than four watches are opened at a time", async (t) => {
  const kinds = Array.from({ length: 12 }, (_, index) => ({
    ...widgets,
    kind: `K${index}`,
    plural: `k${index}s`,
  }));
  const cluster = await WatchedCluster.start(t, kinds);
  let open = 0;
  let most = 0;
  const held: (() => void)[] = [];
  cluster.server.fail(
    isWatch,
    (response) => {
      most = Math.max(most, ++open);
      held.push(() => {
        open--;
        response.writeHead(200);
        response.flushHeaders();
      });
    },
    12,
  );
  const watcher = cluster.watch({ watchList: { kinds } });
  for (let answered = 0; answered < 12; answered++) {
    await until(() => held.length > 0 && (held.length === 4 || answered > 8), "watches to be opened");
    held.shift()?.();
  }
  await until(
    () => watcher.position().streams.every(({ state }) => state.name === "streaming"),
    "all to stream",
  );
  assert.equal(most, 4);
});

test("the slow sweep compares everything, and finds what was missed", async (t) => {
  const cluster = await WatchedCluster.start(t);
  await streaming(cluster, { timing: { sweep: 60 } as never });
  await until(() => cluster.server.count("list") > 2, "sweeps");
  assert.deepEqual(cluster.take(), []);
});

test("bookmarks move the position of a quiet kind", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await streaming(cluster);
  cluster.server.advance(1000);
  cluster.server.bookmark();
  await until(
    () => watcher.position().streams[0]?.published === cluster.server.version,
    "the position to move",
  );
});
