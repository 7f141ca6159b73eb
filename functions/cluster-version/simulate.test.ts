import assert from "node:assert/strict";
import { test } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { installKinds } from "../../infra/testing/stack.ts";
import { simulateSystem } from "../../infra/testing/system-parts.ts";
import { startTestApi } from "../../infra/testing/test-api.ts";
import { defineSystem, each } from "../../shared/function/index.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Deployment } from "../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { ClusterOperator } from "./kinds/index.ts";
import { OPERATOR } from "./simulate/report.ts";

const board = resourceOf(ClusterOperator);
const kinds = defineSystem({
  name: "board",
  functions: [each(ClusterOperator, { status: [] }).function({ name: "board", reconcile: () => ({}) })],
});

const deployment = (version: string): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "etcd-operator", namespace: "default", annotations: { [OPERATOR]: "etcd" } },
  spec: {
    selector: { matchLabels: { app: "etcd" } },
    template: {
      metadata: { labels: { app: "etcd" } },
      spec: {
        containers: [
          { name: "operator", image: "example.com/etcd", env: [{ name: "RELEASE_VERSION", value: version }] },
        ],
      },
    },
  },
});
const apply = (client: KubeClient, resource: Resource, object: KubeObject): Promise<KubeObject> =>
  client.apply(resource, { name: object.metadata.name, namespace: object.metadata.namespace }, object, {
    fieldManager: "test",
    force: true,
  });

interface Told {
  readonly versions?: readonly { readonly version: string }[];
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime: string;
  }[];
}
async function told(client: KubeClient): Promise<Told> {
  const found = await client.get(board, { name: "etcd" });
  return (found?.status ?? {}) as Told;
}
const isDoneAt = (client: KubeClient, version: string) => async (): Promise<Told | undefined> => {
  const status = await told(client);
  const words = (status.conditions ?? []).map(({ type, status: word }) => `${type}=${word}`).sort();
  const done = words.join() === "Available=True,Degraded=False,Progressing=False";
  return done && status.versions?.[0]?.version === version ? status : undefined;
};

test("a played operator makes its ClusterOperator, follows its Deployment, and puts right what others write", async (t) => {
  const api = await startTestApi({ api: "local" });
  t.onTestFinished(() => api.stop());
  const { client } = api;
  await installKinds(client, [kinds]);
  const operators = await simulateSystem("cluster-version", { client: api.newClient() });
  t.onTestFinished(() => operators?.stop());

  await apply(client, resourceOf(Deployment), deployment("1.0.0"));
  const installed = await eventually("it is done at 1.0.0", isDoneAt(client, "1.0.0"));
  await apply(client, resourceOf(Deployment), deployment("1.1.0"));
  await eventually("it is done at 1.1.0", isDoneAt(client, "1.1.0"));

  // Scenario 35: an intruder flips the version.
  const live = await client.get(board, { name: "etcd" });
  assert.ok(live !== undefined);
  const forged = { ...live, status: { ...installed, versions: [{ name: "operator", version: "9.9.9" }] } };
  await client.replace(board, { name: "etcd" }, forged, { fieldManager: "intruder", subresource: "status" });
  await eventually("its own word stands again", isDoneAt(client, "1.1.0"));

  await client.delete(board, { name: "etcd" }, { uid: undefined });
  await eventually("it is made anew", isDoneAt(client, "1.1.0"));
});
