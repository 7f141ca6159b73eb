import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { defineSystem } from "../../../shared/function/index.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { startTestApi } from "../../testing/test-api.ts";
import { toys } from "../../testing/toy-system.ts";
import { refusePredecessors } from "./predecessors.ts";

const system = defineSystem({
  name: "toys",
  functions: [toys],
  predecessors: [{ name: "the toy operator", labelSelector: "app=toy-operator", workload: "toy-manager" }],
});
const apps = (kind: string, plural: string): Resource => ({
  group: "apps",
  version: "v1",
  kind,
  plural,
  scope: "Namespaced",
});

test.each([
  ["Deployment", "deployments"],
  ["StatefulSet", "statefulsets"],
])(
  "refuses while the operator before runs as a %s, by the name that it has, and says how to stop it",
  async (kind, plural) => {
    const api = await startTestApi({ api: "local", controllers: false });
    try {
      const resource = apps(kind, plural);
      const labels = { app: "toy-operator" };
      const make = (name: string) =>
        api.client.create(
          resource,
          {
            apiVersion: "apps/v1",
            kind,
            metadata: { name, namespace: "default", labels },
            spec: {
              ...(kind === "StatefulSet" && { serviceName: "toys" }),
              selector: { matchLabels: labels },
              template: {
                metadata: { labels },
                spec: { containers: [{ name: "operator", image: "operator:1" }] },
              },
            },
          },
          { fieldManager: "test" },
        );
      await make("another-manager");
      assert.deepEqual(await refusePredecessors(api.client, [system], undefined), []);

      await make("toy-manager");
      await expect(refusePredecessors(api.client, [system], undefined)).rejects.toMatchObject({
        code: "CLI_PREDECESSOR_RUNS",
        message: expect.stringContaining(
          `kubectl -n default scale ${kind.toLowerCase()}/toy-manager --replicas=0`,
        ),
      });

      const place = { namespace: "default", name: "toy-manager" };
      const stopped = { spec: { replicas: 0 } };
      await api.client.patch(resource, place, "merge", stopped, { fieldManager: "test" });
      assert.deepEqual(await refusePredecessors(api.client, [system], undefined), []);
    } finally {
      await api.stop();
    }
  },
);
