import assert from "node:assert/strict";
import { test } from "vitest";
import { type SeenRequest, text } from "../testing/fake-api-answer.ts";
import { changed, short, until, WatchedCluster, widgets } from "../testing/watched-cluster.ts";
import { sight } from "./sighting.ts";

const place = (name: string) => ({ namespace: "default", name });
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** One object as text: JSON.stringify itself cannot write one so deep. */
const written = (
  name: string,
  spec: string,
  more: { readonly version?: number; readonly metadata?: string; readonly namespace?: string } = {},
): string =>
  `{"apiVersion":"bench.example.org/v1","kind":"Widget","metadata":{"name":"${name}","namespace":"${more.namespace ?? "default"}","uid":"uid-of-${name}","resourceVersion":"${more.version ?? 101}","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z"${more.metadata ?? ""}},"spec":${spec}}`;
const lists = ({ verb, path }: SeenRequest): boolean => verb === "list" && path.includes("widgets");
const answerWith = (cluster: WatchedCluster, ...objects: readonly string[]): void =>
  cluster.server.fail(
    lists,
    (response) =>
      text(
        response,
        200,
        `{"kind":"WidgetList","apiVersion":"bench.example.org/v1","metadata":{"resourceVersion":"105"},"items":[${objects.join(",")}]}`,
      ),
    Number.POSITIVE_INFINITY,
  );

for (const depth of [6_000, 9_900])
  test(`an object that is nested ${depth} deep is told as any other, and so are its neighbours`, async (t) => {
    const cluster = await WatchedCluster.start(t);
    answerWith(
      cluster,
      written("deep", `{"value":1,"any":${nested(depth)}}`, { namespace: "tenant-a" }),
      written("innocent", '{"value":2}', { namespace: "tenant-b" }),
    );
    const watcher = await cluster.settled();
    const events = cluster.take();
    assert.deepEqual(events.map(short), [
      "resource.changed deep uid-of-deep",
      "resource.changed innocent uid-of-innocent",
    ]);
    assert.deepEqual(changed(events[0]).facts, { value: 1 });
    await until(() => watcher.ready(), "ready");
    assert.equal(watcher.position().counters.unreadObjects, 0);
  });

test("a deep object that the stream tells is told, and so is what comes after it", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.server.inject(
    `{"type":"ADDED","object":${written("deep", `{"value":1,"any":${nested(9_000)}}`, { version: 120 })}}\n`,
  );
  cluster.server.inject(
    `{"type":"ADDED","object":${written("innocent", '{"value":2}', { version: 121 })}}\n`,
  );
  const events = await cluster.next(2);
  assert.deepEqual(events.map(short), [
    "resource.changed deep uid-of-deep",
    "resource.changed innocent uid-of-innocent",
  ]);
  assert.equal(watcher.position().counters.lists, 1);
  assert.ok(watcher.ready());
});

test("an object that cannot be read is told as unknown, named in the log and counted; its neighbours are told as ever", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.advance(10);
  const odd = ',"ownerReferences":5';
  answerWith(cluster, written("odd", '{"value":1}', { metadata: odd }), written("innocent", '{"value":2}'));
  const watcher = await cluster.settled();
  const events = cluster.take();
  assert.deepEqual(events.map(short), [
    "resource.changed odd uid-of-odd",
    "resource.changed innocent uid-of-innocent",
  ]);
  const told = changed(events[0]);
  assert.ok(told.differs.includes("unknown"));
  assert.ok(told.incomplete);
  assert.deepEqual([told.facts, told.owners, told.ready], [{}, [], false]);
  const line = cluster.log.find(({ level }) => level === "error");
  assert.deepEqual(
    [line?.fields.code, line?.fields.namespace, line?.fields.name],
    ["WATCH_UNREADABLE", "default", "odd"],
  );
  assert.equal(watcher.position().counters.unreadObjects, 1);
  await until(() => cluster.server.watches() === 1 && watcher.ready(), "ready");

  // Mended, it is told with what it is, and what it was counts as unknown.
  cluster.server.inject(`{"type":"MODIFIED","object":${written("odd", '{"value":3}', { version: 130 })}}\n`);
  const [mended] = await cluster.next();
  assert.deepEqual(changed(mended).facts, { value: 3 });
  assert.ok(changed(mended).differs.includes("unknown"));
  assert.ok(changed(mended).incomplete);
});

test("an object that stays unreadable is told once a version, not at each compare", async (t) => {
  const cluster = await WatchedCluster.start(t);
  answerWith(cluster, written("odd", '{"value":1}', { metadata: ',"ownerReferences":5' }));
  const first = await cluster.settled();
  assert.equal(cluster.take().length, 1);
  await first.stop();
  cluster.server.advance(10);
  cluster.server.forgetChanges();
  const second = await cluster.settled();
  assert.equal(second.position().counters.unreadObjects, 1);
  assert.deepEqual(cluster.take(), []);
});

test("an item without a name is left out, and what is known of others is not told as gone", async (t) => {
  const cluster = await WatchedCluster.start(t);
  cluster.server.put("widgets", place("a"), { spec: { value: 1 } });
  const first = await cluster.settled();
  cluster.take();
  await first.stop();
  cluster.server.advance(10);
  cluster.server.forgetChanges();
  answerWith(
    cluster,
    '{"metadata":{"namespace":"default","name":"a"}}',
    '{"spec":{}}',
    written("innocent", '{"value":2}'),
  );
  const watcher = await cluster.settled();
  assert.deepEqual(cluster.take().map(short), ["resource.changed innocent uid-of-innocent"]);
  assert.equal(watcher.position().counters.unreadObjects, 2);
});

test("a kind whose pages cannot be worked is not ready", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const watcher = await cluster.settled();
  await until(() => cluster.server.watches() === 1, "the watch to open");
  cluster.server.fail(
    ({ verb, path }) => verb === "watch" && path.includes("widgets"),
    (response) => text(response, 410, "{}"),
    Number.POSITIVE_INFINITY,
  );
  cluster.server.fail(
    lists,
    (response) => text(response, 200, '{"metadata":{"resourceVersion":"105"},"items":5}'),
    Number.POSITIVE_INFINITY,
  );
  cluster.server.endWatches("reset");
  await until(() => !watcher.ready(), "not ready");
  const before = cluster.server.count("list");
  while (cluster.server.count("list") < before + 3) {
    assert.ok(!watcher.ready());
    await new Promise((resolve) => setImmediate(resolve));
  }
  cluster.server.heal();
  await until(() => watcher.ready(), "ready again");
});

test("equal objects have one digest, however deep and in whatever order", () => {
  const of = (spec: string) => sight(JSON.parse(written("a", spec)), widgets).object;
  assert.equal(
    of(`{"x":${nested(50_000)},"y":[1,{"b":1,"a":[]}]}`),
    of(`{"y":[1,{"a":[],"b":1}],"x":${nested(50_000)}}`),
  );
  assert.notEqual(of(`{"x":${nested(50_000)}}`), of(`{"x":${nested(50_001)}}`));
});

test("large objects are read in pages that fit, and all are told", async (t) => {
  const cluster = await WatchedCluster.start(t);
  const large = "x".repeat(700_000);
  for (let index = 0; index < 30; index++)
    cluster.server.put("widgets", place(`w${index}`), { spec: { value: index, large } });
  await cluster.settled();
  assert.equal(cluster.take().length, 30);
  const limits = cluster.server.requests
    .filter((request) => lists(request))
    .map(({ query }) => Number(query.get("limit")));
  assert.equal(limits[0], 20);
  // What came says how large the next may be.
  assert.deepEqual([...new Set(limits.slice(2))], [2]);
});
