import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Envelope } from "../../events/index.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { type ControlPlane, skipWithoutControlPlane, startControlPlane } from "../testing/control-plane.ts";
import { untilServed } from "../testing/install-crds.ts";
import { changed, deleted, keptLog, until, widgets } from "../testing/watched-cluster.ts";
import { clusterName, startWatcher, type Watcher } from "./index.ts";

const CRDS: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};
const crdName = `${widgets.plural}.${widgets.group}`;
const writer = { fieldManager: "test" };
const place = (name: string) => ({ namespace: "default", name });

const crd = (fields: Readonly<Record<string, unknown>>) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: crdName },
  spec: {
    group: widgets.group,
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: fields },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
});

describe("the watcher on the real API server", { skip: skipWithoutControlPlane() !== false }, () => {
  let plane: ControlPlane;
  let client: KubeClient;
  let watcher: Watcher | undefined;
  const directory = mkdtempSync(join(tmpdir(), "watcher-real-"));
  const events: Envelope[] = [];
  const log: Parameters<typeof keptLog>[0] = [];

  const connect = (): KubeClient =>
    createKubeClient({
      connection: {
        server: plane.url,
        namespace: "default",
        tls: { ca: plane.ca },
        credentials: { current: () => ({ authorization: `Bearer ${plane.token}` }), refused: () => false },
        headers: {},
      },
    });
  const watch = async (): Promise<Watcher> => {
    watcher = startWatcher({
      client,
      cluster: { name: await clusterName(client, "real") },
      watchList: { kinds: [widgets] },
      ledger: { file: join(directory, "ledger.sqlite") },
      publish: async (batch) => void events.push(...batch),
      clock: systemClock,
      log: keptLog(log),
      identity: "watcher-a",
      timing: { backOffFirst: 50, backOffMost: 500, absentMost: 500 },
    });
    await watcher.settled();
    return watcher;
  };
  const put = (name: string, value: number) =>
    client.apply(
      widgets,
      place(name),
      { apiVersion: "bench.example.org/v1", kind: "Widget", metadata: place(name), spec: { value } },
      { ...writer, force: true },
    );
  const remove = (name: string) => client.delete(widgets, place(name), { uid: undefined });
  const next = async (count: number): Promise<Envelope[]> => {
    await until(
      () => events.length >= count,
      () => `${count} events: ${JSON.stringify(events)} ${JSON.stringify(log.slice(-4))}`,
    );
    return events.splice(0);
  };
  const streaming = () =>
    until(() => watcher?.position().streams[0]?.state.name === "streaming", "streaming");

  beforeAll(async () => {
    plane = await startControlPlane();
    client = connect();
    await client.apply(CRDS, { name: crdName }, crd({ value: { type: "integer" } }), writer);
    await untilServed(client, widgets);
    await put("a", 1);
    await put("b", 1);
  });
  afterAll(async () => {
    await watcher?.stop();
    client?.close();
    await plane?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test("first start, with the Lease", async () => {
    const started = await watch();
    assert.deepEqual(
      (await next(2)).map((event) => changed(event).ref.name),
      ["a", "b"],
    );
    assert.equal(started.position().leader, true);
    await streaming();
  });

  test("a change is told with what was before", async () => {
    await put("a", 2);
    const told = changed((await next(1))[0]);
    assert.deepEqual([told.was, told.facts], [{ value: 1 }, { value: 2 }]);
  });

  test("a new schema: the kind is compared, and nothing is told", async () => {
    const lists = watcher?.position().streams[0]?.lists ?? 0;
    await client.apply(
      CRDS,
      { name: crdName },
      crd({ value: { type: "integer" }, size: { type: "integer" } }),
      writer,
    );
    await until(() => (watcher?.position().streams[0]?.lists ?? 0) > lists, "a compare");
    await streaming();
    assert.deepEqual(events, []);
    await put("b", 2);
    assert.deepEqual(changed((await next(1))[0]).facts, { value: 2 });
  });

  test("delete and re-creation while the watcher is down", async () => {
    await put("c", 1);
    await next(1);
    await watcher?.stop();
    await remove("a");
    await remove("b");
    await put("b", 3);
    await watch();
    const told = await next(3);
    assert.deepEqual(
      told.map(({ type, data }) => `${type} ${(data as { ref: { name: string } }).ref.name}`),
      ["resource.deleted a", "resource.deleted b", "resource.changed b"],
    );
    assert.notEqual(deleted(told[1]).ref.uid, changed(told[2]).ref.uid);
    assert.equal(watcher?.position().streams[0]?.lists, 0, "no list where the position is still known");
  });

  test("a restart of the API server: a compare, and differences only", async () => {
    await streaming();
    const apiserver = plane.apiserver;
    await apiserver.restart();
    await put("c", 5);
    const told = await next(1);
    assert.deepEqual(
      told.map((event) => [changed(event).ref.name, changed(event).facts]),
      [["c", { value: 5 }]],
    );
    await until(() => watcher?.ready() === true, "ready");
    assert.equal(watcher?.position().era, 0);
  });

  test("the kind's CRD is deleted: every object is told gone, once", async () => {
    await streaming();
    await client.delete(CRDS, { name: crdName }, { uid: undefined });
    const told = await next(2);
    assert.deepEqual(told.map((event) => deleted(event).ref.name).sort(), ["b", "c"]);
    await until(() => watcher?.position().streams[0]?.state.name === "absent", "absent");
    await client.apply(CRDS, { name: crdName }, crd({ value: { type: "integer" } }), writer);
    await untilServed(client, widgets);
    await put("b", 9);
    assert.equal(changed((await next(1))[0]).facts.value, 9);
  });
});
