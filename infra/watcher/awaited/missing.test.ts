import assert from "node:assert/strict";
import { it } from "vitest";
import type { Envelope } from "../../../events/index.ts";
import type { KubeClient, Resource, WatchOptions } from "../../../shared/kube/client.ts";
import { silent } from "../../../shared/log/log.ts";
import { eventually } from "../../testing/eventually.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { AwaitedObjects } from "./awaited.ts";
import type { AwaitedObject } from "./waits.ts";

const GROUP = "waits.example.org";
const GADGETS: Resource = {
  group: GROUP,
  version: "v1",
  kind: "Gadget",
  plural: "gadgets",
  scope: "Namespaced",
};
const OBJECT: AwaitedObject = { cluster: "c", ...GADGETS, namespace: "a", name: "one" };

it("an object that is not there is told again when its kind is defined anew, which its own stream does not tell", async (t) => {
  const clock = new ManualClock();
  const published: Envelope[] = [];
  const open = new Map<string, WatchOptions>();
  const client: Partial<KubeClient> = {
    discover: () => Promise.resolve([GADGETS]),
    async *pages() {
      yield { items: [], metadata: { resourceVersion: "1" } };
    },
    watch: ({ plural }, options) => {
      open.set(plural, options);
      options.onOpen?.();
      return new Promise((resolve) =>
        options.signal?.addEventListener("abort", () => resolve({ reason: "aborted" })),
      );
    },
  };
  const awaited = new AwaitedObjects({
    client: client as KubeClient,
    clock,
    log: silent,
    cluster: "c",
    bus: { waits: () => Promise.resolve([OBJECT]), subscribe: () => () => undefined },
    publish: async (events) => void published.push(...events),
    isCovered: () => false,
    namespaces: undefined,
    era: () => 0,
    random: () => 0,
    identity: "test",
  });
  t.onTestFinished(() => awaited.stop());
  const until = (what: string, holds: () => boolean): Promise<unknown> =>
    eventually(what, () => {
      clock.advance(0);
      return holds();
    });
  const defined = (name: string, resourceVersion: string): void => {
    const metadata = { name, uid: name, resourceVersion };
    const object = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
    open.get("customresourcedefinitions")?.onEvent({ type: "ADDED", object });
  };
  await until("the first word", () => published.length === 1 && open.size === 2);
  defined("gadgets.another.example.org", "2");
  defined(`gadgets.${GROUP}`, "3");
  await until("the second word", () => published.length === 2);
  assert.deepEqual(
    published.map(({ type }) => type),
    ["resource.deleted", "resource.deleted"],
  );
});
