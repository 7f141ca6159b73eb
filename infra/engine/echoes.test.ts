import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it, type TestContext } from "vitest";
import * as z from "zod";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { changed, defineKind, defineSystem, each, unwatched } from "../../shared/function/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { eventually } from "../testing/eventually.ts";
import { installKinds } from "../testing/stack.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { type EmbeddedEngine, startEmbeddedEngine } from "./embedded.ts";

class Cup extends defineKind({
  group: "cups.example.org",
  version: "v1",
  kind: "Cup",
  scope: "Namespaced",
  fields: { spec: z.object({ size: z.int() }) },
  status: z.object({ level: z.int().optional(), seen: z.int().optional() }),
  facts: (it) => ({ level: it.status.level }),
}) {}
class Saucer extends defineKind({
  group: "cups.example.org",
  version: "v1",
  kind: "Saucer",
  scope: "Namespaced",
  fields: { spec: z.object({ cup: z.string() }) },
  status: z.object({ level: z.int().optional() }),
}) {}

const fill = each(Cup).function({
  name: "fill",
  reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
});
const follow = each(Saucer).function({
  name: "follow",
  wakes: [changed(Cup).toName((cup) => ({ name: cup.name, namespace: cup.namespace }))],
  observe: async ({ self, read }) => ({
    cup: await read.get(Cup, { name: self.spec.cup, namespace: self.metadata.namespace }),
  }),
  reconcile: ({ cup }) => ({ status: { level: cup?.status?.level } }),
});
/** Waits for the level of a Cup, of which nothing else tells it. */
const wait = each(Saucer).function({
  name: "wait",
  reads: [unwatched(Cup, "it says that it waits")],
  observe: async ({ self, read }) => ({
    self,
    cup: await read.get(Cup, { name: self.spec.cup, namespace: self.metadata.namespace }),
  }),
  reconcile: ({ self, cup }) =>
    cup?.status?.seen === undefined
      ? {
          waitingFor: [
            {
              for: "the Cup to be seen",
              object: {
                apiVersion: "cups.example.org/v1",
                kind: "Cup",
                name: self.spec.cup,
                namespace: self.metadata.namespace,
              },
            },
          ],
        }
      : { status: { level: cup.status.seen } },
});
const see = each(Cup).function({
  name: "see",
  reconcile: ({ self }) => ({ status: { ...self.status, seen: self.spec.size } }),
});
const place = { name: "one", namespace: "default" };
const user = { fieldManager: "user" };

describe("the echo of a function's write, in one process", () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
    await installKinds(api.client, [defineSystem({ name: "cups", functions: [fill, follow] })]);
  });
  afterAll(() => api.stop());

  const start = async (
    t: TestContext,
    functions: readonly FunctionDeclaration[],
    client: KubeClient = api.newClient(),
  ): Promise<EmbeddedEngine> => {
    const systems = [defineSystem({ name: "cups", functions })];
    const engine = await startEmbeddedEngine({
      client,
      cluster: "cups-12345678",
      systems,
      lease: false,
      nets: false,
    });
    t.onTestFinished(() => engine.stop());
    await engine.watcher.settled();
    return engine;
  };
  const put = (kind: typeof Cup | typeof Saucer, spec: object) =>
    api.client.apply(
      resourceOf(kind),
      place,
      { apiVersion: "cups.example.org/v1", kind: kind.kind, metadata: place, spec },
      user,
    );
  const levelOf = async (kind: typeof Cup | typeof Saucer): Promise<unknown> =>
    ((await api.client.get(resourceOf(kind), place))?.status as { level?: number } | undefined)?.level;
  const answered = (kind: typeof Cup | typeof Saucer, level: number) =>
    eventually(`level ${level}`, async () => (await levelOf(kind)) === level);
  const dropped = ({ watcher }: EmbeddedEngine): number => watcher.position().counters.echoesDropped;
  const told = ({ watcher }: EmbeddedEngine): number => watcher.position().counters.published;

  it("ends in the watcher, where it leads to nobody else", async (t) => {
    const engine = await start(t, [fill]);
    await put(Cup, { size: 1 });
    await answered(Cup, 1);
    for (let size = 2; size <= 6; size++) {
      const before = { dropped: dropped(engine), told: told(engine) };
      await put(Cup, { size });
      await answered(Cup, size);
      await eventually("the echo to come", () => dropped(engine) === before.dropped + 1);
      await engine.watcher.settled();
      assert.equal(told(engine), before.told + 1, "the change alone is told");
    }
    const history = await engine.bus.history.ofSubject("cups.example.org/Cup/default/one", 20);
    assert.ok(history.every(({ causes }) => causes.length > 0));
    await api.client.delete(resourceOf(Cup), place, { uid: undefined });
  });

  it("is heard by another function that follows a fact", async (t) => {
    const engine = await start(t, [fill, follow]);
    await put(Saucer, { cup: "one" });
    await put(Cup, { size: 3 });
    await answered(Saucer, 3);
    await put(Cup, { size: 4 });
    await answered(Saucer, 4);
    assert.ok(dropped(engine) >= 0);
    await api.client.delete(resourceOf(Cup), place, { uid: undefined });
    await api.client.delete(resourceOf(Saucer), place, { uid: undefined });
  });

  it("is heard by a key that waits for the object", async (t) => {
    const engine = await start(t, [see, wait]);
    await put(Saucer, { cup: "one" });
    await eventually("the Saucer to wait", async () => (await engine.bus.counts()).wait?.parked === 1);
    await put(Cup, { size: 5 });
    await answered(Saucer, 5);
    await api.client.delete(resourceOf(Cup), place, { uid: undefined });
    await api.client.delete(resourceOf(Saucer), place, { uid: undefined });
  });

  it("is heard by who subscribes to events", async (t) => {
    const engine = await start(t, [fill]);
    const versions: unknown[] = [];
    t.onTestFinished(
      engine.bus.subscribe({
        published: ({ data }) => versions.push((data as { resourceVersion: string }).resourceVersion),
      }),
    );
    await put(Cup, { size: 7 });
    await answered(Cup, 7);
    const { metadata } = (await api.client.get(resourceOf(Cup), place)) ?? {};
    await eventually("the status to be told", () => versions.includes(metadata?.resourceVersion));
    assert.equal(dropped(engine), 0);
    await api.client.delete(resourceOf(Cup), place, { uid: undefined });
  });
});
