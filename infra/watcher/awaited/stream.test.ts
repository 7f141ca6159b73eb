import assert from "node:assert/strict";
import { it, onTestFinished } from "vitest";
import type { KubeClient, WatchOptions } from "../../../shared/kube/client.ts";
import { silent } from "../../../shared/log/log.ts";
import { eventually } from "../../testing/eventually.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { StreamPlaces } from "./places.ts";
import { AwaitedStream } from "./stream.ts";

const MAPS = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced" as const,
};

it("a stream gives its place up for a change that somebody waits for, and for no other", async () => {
  const clock = new ManualClock();
  const places = new StreamPlaces({ clock, most: 1 });
  let watched: WatchOptions | undefined;
  const client: Partial<KubeClient> = {
    async *pages() {
      yield { items: [], metadata: { resourceVersion: "1" } };
    },
    watch: (_, options) => {
      watched = options;
      const ended = Promise.withResolvers<{ readonly reason: "aborted" }>();
      options.signal?.addEventListener("abort", () => ended.resolve({ reason: "aborted" }));
      return ended.promise;
    },
  };
  const stream = new AwaitedStream(
    { resource: MAPS, namespace: "default", name: undefined },
    {
      client: client as KubeClient,
      clock,
      log: silent,
      places,
      changed: ({ name }) => name === "awaited",
      listed: () => undefined,
      forbidden: () => undefined,
      vanished: () => undefined,
    },
  );
  onTestFinished(() => stream.stop());
  const began: string[] = [];
  places.join({ begin: () => void began.push("another"), pause: () => undefined });
  await eventually("the watch", () => stream.isComplete && watched !== undefined);
  const add = (name: string, resourceVersion: string): void =>
    watched?.onEvent({
      type: "ADDED",
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "default", name, uid: name, resourceVersion },
      },
    });
  add("of-nobody", "2");
  assert.deepEqual([stream.state, began], ["streaming", []]);
  add("awaited", "3");
  assert.deepEqual([stream.state, began], ["queued", ["another"]]);
});
