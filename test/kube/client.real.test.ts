import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import {
  type ControlPlane,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../infra/testing/control-plane.ts";
import { takeOver } from "../../shared/kube/apply/take-over.ts";
import { wouldChange } from "../../shared/kube/apply/would-change.ts";
import type { KubeClient, WatchEvent } from "../../shared/kube/client.ts";
import { KubeError, type KubeErrorKind } from "../../shared/kube/errors.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import { type ContextConnection, loadConnection } from "../../shared/kube/kubeconfig/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { canonicalQuantity } from "../../shared/kube/quantity.ts";

const configMaps = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
} as const;
const namespaces = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
} as const;
const quotas = {
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  scope: "Namespaced",
} as const;
const unknown = {
  group: "nope.example.org",
  version: "v1",
  kind: "Nope",
  plural: "nopes",
  scope: "Namespaced",
} as const;
const ours = { fieldManager: "ours" };

describe("the light client on a real API server", { skip: skipWithoutControlPlane() !== false }, () => {
  let plane: ControlPlane;
  let connection: ContextConnection;
  let client: KubeClient;
  beforeAll(async () => {
    plane = await startControlPlane();
    connection = loadConnection({ file: plane.kubeconfigFile });
    client = createKubeClient({ connection });
  });
  afterAll(async () => {
    client?.close();
    await plane?.stop();
  });

  const at = (name: string) => ({ namespace: "default", name });
  const configMap = (name: string, data: Record<string, unknown>, metadata: object = {}): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", ...metadata },
    data,
  });
  const refused = async (kind: KubeErrorKind, attempt: Promise<unknown>): Promise<void> => {
    await assert.rejects(attempt, (error: unknown) => {
      assert.ok(error instanceof KubeError, String(error));
      assert.equal(error.kind, kind, error.message);
      return true;
    });
  };

  test("a delete with a wrong uid leaves the object, with the right one it goes", async () => {
    const made = await client.create(configMaps, configMap("kept", { a: "1" }), ours);
    assert.equal(
      await client.delete(configMaps, at("kept"), { uid: "00000000-0000-4000-8000-000000000000" }),
      undefined,
    );
    assert.equal((await client.get(configMaps, at("kept")))?.metadata.uid, made.metadata.uid);
    await refused(
      "stale",
      client.delete(configMaps, at("kept"), { uid: made.metadata.uid, resourceVersion: "1" }),
    );
    assert.equal((await client.get(configMaps, at("kept")))?.metadata.uid, made.metadata.uid);
    assert.equal(await client.delete(configMaps, at("kept"), { uid: made.metadata.uid }), undefined);
    assert.equal(await client.get(configMaps, at("kept")), undefined);
    assert.equal(await client.delete(configMaps, at("kept"), { uid: made.metadata.uid }), undefined);
  });

  test("an object that a finalizer keeps comes back with its deletionTimestamp", async () => {
    const { metadata } = await client.create(
      configMaps,
      configMap("final", {}, { finalizers: ["example.org/x"] }),
      ours,
    );
    const kept = await client.delete(configMaps, at("final"), { uid: metadata.uid });
    assert.ok(kept?.metadata.deletionTimestamp);
    const patch = [
      { op: "test", path: "/metadata/uid", value: metadata.uid },
      { op: "test", path: "/metadata/finalizers/0", value: "example.org/x" },
      { op: "remove", path: "/metadata/finalizers/0" },
    ];
    await client.patch(configMaps, at("final"), "json", patch, ours);
    assert.equal(await client.get(configMaps, at("final")), undefined);
  });

  test("refusals of the real server mean what they are taken for", async () => {
    await refused(
      "gone",
      client.apply(configMaps, at("r"), configMap("r", { a: "1" }, { uid: "123" }), ours),
    );
    const first = await client.apply(configMaps, at("r"), configMap("r", { a: "1" }), ours);
    await refused(
      "gone",
      client.apply(configMaps, at("r"), configMap("r", { a: "1" }, { uid: "123" }), ours),
    );
    await refused(
      "stale",
      client.apply(configMaps, at("r"), configMap("r", { a: "1" }, { resourceVersion: "1" }), ours),
    );
    await refused(
      "conflict",
      client.apply(configMaps, at("r"), configMap("r", { a: "2" }), { fieldManager: "theirs" }),
    );
    await refused("invalid", client.apply(configMaps, at("r"), configMap("r", { a: 2 }), ours));
    await refused("exists", client.create(configMaps, configMap("r", {}), ours));
    await refused(
      "stale",
      client.patch(configMaps, at("r"), "json", [{ op: "test", path: "/metadata/uid", value: "no" }], ours),
    );
    await refused(
      "invalid",
      client.patch(configMaps, at("r"), "json", [{ op: "remove", path: "/data/no" }], ours),
    );
    await refused(
      "stale",
      client.replace(configMaps, at("r"), configMap("r", {}, { resourceVersion: "1" }), ours),
    );
    await refused("kindMissing", client.get(unknown, at("r")));
    await refused("kindMissing", client.watch(unknown, { resourceVersion: "1", onEvent: () => undefined }));
    await refused(
      "future",
      client.list(configMaps, {
        limit: 1,
        resourceVersion: "99999999",
        resourceVersionMatch: "NotOlderThan",
      }),
    );
    await refused("invalid", client.list(configMaps, { fieldSelector: "spec.no=1" }));
    await refused("expired", client.watch(configMaps, { resourceVersion: "abc", onEvent: () => undefined }));
    await refused(
      "invalid",
      client.apply(configMaps, at("r"), configMap("r", { a: "x".repeat(3_200_000) }), ours),
    );
    const now = await client.get(configMaps, at("r"));
    assert.equal(
      now?.metadata.resourceVersion,
      first.metadata.resourceVersion,
      "nothing of all that was written",
    );
  });

  test("rights and credentials that are missing are told apart", async () => {
    const bob = createKubeClient({ connection: { ...connection, headers: { "Impersonate-User": "bob" } } });
    await refused("forbidden", bob.get(configMaps, at("r")));
    await refused("forbidden", bob.watch(configMaps, { resourceVersion: "1", onEvent: () => undefined }));
    bob.close();
    const stranger = createKubeClient({
      connection: {
        ...connection,
        credentials: { current: () => ({ authorization: "Bearer no" }), refused: () => false },
      },
    });
    await refused("unauthorized", stranger.get(configMaps, at("r")));
    stranger.close();
  });

  test("a namespace that is being deleted says so", async () => {
    await client.create(
      namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "ending" } },
      ours,
    );
    assert.ok(
      (await client.delete(namespaces, { name: "ending" }, { uid: undefined }))?.metadata.deletionTimestamp,
    );
    await refused(
      "terminating",
      client.create(
        configMaps,
        { ...configMap("x", {}), metadata: { name: "x", namespace: "ending" } },
        ours,
      ),
    );
  });

  test("pages, metadata alone, discovery and a watch agree on the kind", async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        client.create(
          configMaps,
          configMap(`p-${index}`, { text: "x".repeat(6000) }, { labels: { page: "yes" } }),
          ours,
        ),
      ),
    );
    const names: string[] = [];
    let version = "";
    for await (const { items, metadata } of client.pages(configMaps, {
      namespace: "default",
      labelSelector: "page=yes",
      limit: 7,
      metadataOnly: true,
    })) {
      version ||= metadata.resourceVersion;
      for (const item of items) {
        assert.equal(`${item.apiVersion} ${item.kind} ${item.data}`, "v1 ConfigMap undefined");
        names.push(item.metadata.name);
      }
    }
    assert.equal(new Set(names).size, 30);
    // Above 128 KiB the server compresses.
    const whole = await client.list(configMaps, { labelSelector: "page=yes" });
    assert.equal(whole.items.length, 30);
    assert.equal(whole.items[0]?.kind, "ConfigMap");
    const events: WatchEvent[] = [];
    const controller = new AbortController();
    const end = await client.watch(configMaps, {
      namespace: "default",
      labelSelector: "page=yes",
      resourceVersion: version,
      metadataOnly: true,
      signal: controller.signal,
      onOpen: () =>
        void client.patch(configMaps, at("p-3"), "merge", { metadata: { labels: { page: "no" } } }, ours),
      onEvent: (event) => {
        events.push(event);
        controller.abort();
      },
    });
    assert.equal(end.reason, "aborted");
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.kind, object.metadata.name, object.data]),
      [["DELETED", "ConfigMap", "p-3", undefined]],
    );
    assert.ok(
      (await client.discover("", "v1")).some(
        ({ kind, plural, scope }) =>
          kind === "ConfigMap" && plural === "configmaps" && scope === "Namespaced",
      ),
    );
    assert.deepEqual(await client.discover("nope.example.org", "v1"), []);
  });

  test("take-over: what an old operator wrote is ours, and goes when we leave it out", async () => {
    await client.create(configMaps, configMap("old", { a: "1", stale: "1" }, { labels: { by: "old" } }), {
      fieldManager: "old-operator",
    });
    await client.apply(configMaps, at("old"), configMap("old", { a: "1", applied: "1" }), {
      fieldManager: "old-applier",
    });
    await client.patch(
      configMaps,
      at("old"),
      "merge",
      { data: { users: "1" } },
      { fieldManager: "kubectl-edit" },
    );
    const live = await client.get(configMaps, at("old"));
    assert.ok(live);
    const desired = configMap("old", { a: "1", mine: "1" });
    const apply = () => client.apply(configMaps, at("old"), desired, { ...ours, force: true });
    const options = { fieldManager: "ours", from: ["old-operator", "old-applier"] };
    const taken = await takeOver(client, configMaps, live, options, apply);
    assert.ok(taken);
    assert.deepEqual(taken.data, { a: "1", mine: "1", users: "1" });
    assert.equal(taken.metadata.labels, undefined);
    assert.deepEqual(taken.metadata.managedFields?.map(({ manager }) => manager).sort(), [
      "kubectl-edit",
      "ours",
    ]);
    assert.equal(wouldChange(desired, taken, { fieldManager: "ours", custom: false }), false);
    const again = await takeOver(client, configMaps, taken, options, apply);
    assert.equal(again?.metadata.resourceVersion, taken.metadata.resourceVersion, "a repeat changes nothing");
    await client.create(configMaps, configMap("gone", { a: "1" }), { fieldManager: "old-operator" });
    const stale = await client.get(configMaps, at("gone"));
    assert.ok(stale);
    await client.patch(
      configMaps,
      at("gone"),
      "merge",
      { data: { b: "1" } },
      { fieldManager: "kubectl-edit" },
    );
    await refused("stale", takeOver(client, configMaps, stale, options, apply));
    await client.delete(configMaps, at("gone"), { uid: stale.metadata.uid });
    assert.equal(await takeOver(client, configMaps, stale, options, apply), undefined);
  });

  test("canonical quantities are those that the server stores", async () => {
    // Lists of resources are rounded up to thousandths besides: no finer ones here.
    const spellings = [
      "1000m",
      "0.5",
      "1024Mi",
      "1000",
      "1.5Gi",
      "100",
      "0",
      "1e3",
      "1000e3",
      "0.1Gi",
      "2000Ki",
      "0.5Ki",
      "1E",
      "123456789012345678",
      "12e-1",
      "5000Mi",
    ];
    for (const spelling of spellings) {
      const hard = { "limits.cpu": spelling };
      const quota = {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "q", namespace: "default" },
        spec: { hard },
      };
      const stored = (await client.create(quotas, quota, { ...ours, dryRun: true })) as KubeObject & {
        spec: { hard: Record<string, string> };
      };
      assert.equal(canonicalQuantity(spelling), stored.spec.hard["limits.cpu"], spelling);
    }
  });

  test("a restarted server is reached again without an error for what may be repeated", async () => {
    await client.get(configMaps, at("r"));
    await plane.apiserver.restart();
    assert.equal((await client.get(configMaps, at("r")))?.metadata.name, "r");
  });
});
