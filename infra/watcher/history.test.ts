import assert from "node:assert/strict";
import * as fc from "fast-check";
import { test } from "vitest";
import type { Envelope } from "../../events/index.ts";
import { changed, deleted, short, until, WatchedCluster, widgets } from "../testing/watched-cluster.ts";
import type { Watcher } from "./index.ts";

const names = ["a", "b", "c", "d"] as const;
type Step =
  | {
      readonly do: "put";
      readonly name: string;
      readonly value: number;
      readonly ready: boolean;
      readonly labelled: boolean;
    }
  | { readonly do: "remove"; readonly name: string }
  | { readonly do: "end"; readonly how: "clean" | "reset" | "midLine" }
  | { readonly do: "forget" | "crash" | "bookmark" | "wait" }
  | { readonly do: "pause"; readonly rounds: number }
  | { readonly do: "bus"; readonly how: "refuses" | "takes, and its answer is lost" };

const name = fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("pause" as const), rounds: fc.nat(15) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("put" as const),
      name,
      value: fc.nat(3),
      ready: fc.boolean(),
      labelled: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("remove" as const), name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom("clean" as const, "reset" as const, "midLine" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("forget" as const, "crash" as const, "bookmark" as const, "wait" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("bus" as const),
      how: fc.constantFrom("refuses" as const, "takes, and its answer is lost" as const),
    }),
  },
);

/** Lets the event loop go round. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** What somebody who reads all events believes: the last facts of every uid that lives. */
function believed(events: readonly Envelope[]): Map<string, string> {
  const world = new Map<string, string>();
  for (const event of events) {
    if (event.type === "resource.changed") {
      const told = changed(event);
      world.set(told.ref.uid, JSON.stringify([told.ref.name, told.facts, told.ready]));
    } else if (event.type === "resource.deleted") world.delete(deleted(event).ref.uid);
  }
  return world;
}

function truth(cluster: WatchedCluster, labelled: boolean): Map<string, string> {
  return new Map(
    cluster.server
      .objects("widgets")
      .filter(({ metadata }) => !labelled || metadata.labels?.app === "x")
      .map((object) => {
        const { value, ready } = object.spec as { value: number; ready: boolean };
        return [object.metadata.uid ?? "", JSON.stringify([object.metadata.name, { value }, ready])];
      }),
  );
}

async function live(
  cluster: WatchedCluster,
  steps: readonly Step[],
  labelSelector: string | undefined,
  slowness: number,
  dirty: number,
): Promise<void> {
  const { publish } = cluster;
  let failing: (Step & { readonly do: "bus" })["how"] | undefined;
  cluster.publish = async (events) => {
    const how = failing;
    failing = undefined;
    await rounds(slowness);
    if (how !== "refuses") await publish(events);
    if (how !== undefined) throw new Error(how);
  };
  const options = {
    limits: { dirty, compared: dirty },
    watchList: { kinds: [{ ...widgets, ready: { path: ["spec", "ready"], equals: true }, labelSelector }] },
  };
  let watcher: Watcher = cluster.watch(options);
  const everLived = new Set<string>();
  for (const one of steps) {
    switch (one.do) {
      case "put": {
        const labels = one.labelled ? { app: "x" } : { app: "y" };
        const made = cluster.server.put(
          "widgets",
          { namespace: "default", name: one.name },
          { spec: { value: one.value, ready: one.ready } },
          { labels },
        );
        everLived.add(made.metadata.uid ?? "");
        break;
      }
      case "remove":
        cluster.server.remove("widgets", { namespace: "default", name: one.name });
        break;
      case "end":
        cluster.server.endWatches(one.how);
        break;
      case "forget":
        cluster.server.forgetChanges();
        cluster.server.endWatches("clean");
        break;
      case "bookmark":
        cluster.server.bookmark();
        break;
      case "bus":
        failing = one.how;
        break;
      case "crash":
        // Nothing is flushed at a stop: what was not confirmed is forgotten, as when the machine dies.
        await watcher.stop();
        watcher = cluster.watch(options);
        break;
      case "pause":
        await rounds(one.rounds);
        break;
      case "wait":
        await watcher.settled();
        break;
    }
  }
  failing = undefined;
  const wanted = truth(cluster, labelSelector !== undefined);
  const isTold = (): boolean => {
    const world = believed(cluster.events);
    return [...wanted].every(([uid, told]) => world.get(uid) === told) && watcher.position().dirty === 0;
  };
  await watcher.settled();
  await until(
    () => isTold() && (labelSelector !== undefined || believed(cluster.events).size === wanted.size),
    () => `the truth ${JSON.stringify([...wanted])} to be told: ${JSON.stringify(cluster.events.map(short))}`,
    4000,
  );
  for (const event of cluster.events.filter(({ type }) => type === "resource.deleted")) {
    const { uid } = deleted(event).ref;
    assert.ok(everLived.has(uid), "only what lived is told as gone");
    assert.ok(
      !cluster.server.objects("widgets").some(({ metadata }) => metadata.uid === uid),
      "and only what is gone",
    );
  }
}

for (const labelSelector of [undefined, "app=x"])
  test(`whatever happens, in the end the truth is told (${labelSelector ?? "all objects"})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.nat(20),
        fc.constantFrom(2, 10_000),
        async (steps, slowness, dirty) => {
          const ends: (() => unknown)[] = [];
          const cluster = await WatchedCluster.start({
            onTestFinished: (end) => void ends.push(end as () => unknown),
          });
          try {
            await live(cluster, steps, labelSelector, slowness, dirty);
          } finally {
            for (const end of ends) await end();
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 60), endOnFailure: true },
    );
  });
