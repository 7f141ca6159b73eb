import assert from "node:assert/strict";
import { test } from "vitest";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { silent } from "../../log/log.ts";
import type { KubeClient, ListPage, Resource, WatchEnd, WatchEvent, WatchOptions } from "../client.ts";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";
import { Reflector } from "./reflector.ts";

const resource: Resource = { group: "", version: "v1", kind: "Thing", plural: "things", scope: "Cluster" };
const thing = (uid: string, version: number): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: uid, uid, resourceVersion: String(version) },
});

/** A server whose answers the test gives. */
function scripted(lists: readonly (readonly KubeObject[] | KubeError)[]) {
  const watches: {
    readonly from: string;
    send(type: WatchEvent["type"], object: KubeObject): void;
    end(end: WatchEnd): void;
    refuse(error: Error): void;
  }[] = [];
  let listed = 0;
  const client = {
    async *pages(): AsyncGenerator<ListPage> {
      const answer = lists[listed++] ?? [];
      if (answer instanceof KubeError) throw answer;
      yield { items: answer, metadata: { resourceVersion: String(100 * listed) } };
    },
    watch: (_: Resource, options: WatchOptions) =>
      new Promise<WatchEnd>((resolve, reject) => {
        watches.push({
          from: options.resourceVersion,
          send: (type, object) => options.onEvent({ type, object }),
          end: resolve,
          refuse: reject,
        });
        options.signal?.addEventListener("abort", () => resolve({ reason: "aborted" }));
      }),
  } as unknown as KubeClient;
  const clock = manualClock();
  const deleted: string[] = [];
  const reflector = new Reflector<string>({
    client,
    resource,
    clock,
    log: silent,
    keep: ({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`,
    deleted: (before) => deleted.push(before),
  });
  const state = () => [...reflector.values()].sort();
  const watch = (index: number) => {
    const found = watches[index];
    assert.ok(found, `watch ${index} was opened`);
    return found;
  };
  return { reflector, clock, deleted, state, watch, lists: () => listed };
}

test("a clean end resumes where the watch stood; a list is not asked for", async () => {
  const { reflector, clock, state, watch, lists } = scripted([[thing("a", 1), thing("b", 2)]]);
  await reflector.synced;
  await clock.settle();
  watch(0).send("MODIFIED", thing("a", 101));
  watch(0).send("BOOKMARK", thing("", 150));
  watch(0).end({ reason: "closed" });
  await clock.settle();
  assert.deepEqual([watch(0).from, watch(1).from, lists(), state()], ["100", "150", 1, ["a@101", "b@2"]]);
  await reflector.stop();
});

for (const [how, end] of [
  ["a broken connection", (watch: { end(end: WatchEnd): void }) => watch.end({ reason: "broken" })],
  [
    "410 as an event",
    (watch) => {
      watch.send("ERROR", { apiVersion: "v1", kind: "Status", metadata: { name: "" }, code: 410 });
      watch.end({ reason: "closed" });
    },
  ],
  [
    "410 as an answer",
    (watch) => watch.refuse(new KubeError("expired", "too old", { request: "GET /things" })),
  ],
] as readonly (readonly [string, (watch: ReturnType<ReturnType<typeof scripted>["watch"]>) => void])[])
  test(`${how} lists again, and what went meanwhile is told`, async () => {
    const { reflector, clock, state, watch, deleted } = scripted([
      [thing("a", 1), thing("b", 2)],
      [thing("b", 150), thing("c", 160)],
    ]);
    await reflector.synced;
    await clock.settle();
    end(watch(0));
    await clock.advance(1000);
    assert.deepEqual([watch(1).from, state(), deleted], ["200", ["b@150", "c@160"], ["a@1"]]);
    await reflector.stop();
  });

test("a server that is not there yet is asked again after a back-off", async () => {
  const away = new KubeError("unavailable", "refused", { request: "GET /things" });
  const { reflector, clock, state, lists } = scripted([away, away, [thing("a", 1)]]);
  await clock.settle();
  assert.equal(lists(), 1);
  await clock.advance(50);
  assert.equal(lists(), 2);
  await clock.advance(100);
  await reflector.synced;
  assert.deepEqual([lists(), state()], [3, ["a@1"]]);
  await reflector.stop();
});

test("the answer to an own write counts at once, never goes back, and never revives what was deleted", async () => {
  const { reflector, clock, state, watch } = scripted([[]]);
  await reflector.synced;
  await clock.settle();
  reflector.observe(thing("a", 110));
  assert.deepEqual(state(), ["a@110"]);
  watch(0).send("MODIFIED", thing("a", 99));
  assert.deepEqual(state(), ["a@110"]);
  watch(0).send("DELETED", thing("a", 120));
  reflector.observe(thing("a", 115));
  assert.deepEqual(state(), []);
  await reflector.stop();
});

test("an object that leaves the selector and matches it again is there again, and so is one that a list brings back", async () => {
  const { reflector, clock, deleted, state, watch } = scripted([
    [thing("a", 1)],
    [thing("a", 103), thing("b", 90)],
  ]);
  await reflector.synced;
  await clock.settle();
  watch(0).send("DELETED", thing("a", 101));
  // A late answer to a write of before.
  reflector.observe(thing("a", 100));
  assert.deepEqual([state(), deleted], [[], ["a@1"]]);
  watch(0).send("ADDED", thing("a", 102));
  watch(0).send("MODIFIED", thing("a", 103));
  assert.deepEqual(state(), ["a@103"]);
  watch(0).send("ADDED", thing("b", 104));
  watch(0).send("DELETED", thing("b", 105));
  // The server comes back as it was before: it lists what had been deleted.
  watch(0).end({ reason: "broken" });
  await clock.settle();
  await clock.advance(50);
  assert.deepEqual(state(), ["a@103", "b@90"]);
  await reflector.stop();
});
