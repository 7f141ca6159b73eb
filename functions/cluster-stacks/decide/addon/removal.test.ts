import assert from "node:assert/strict";
import { test } from "vitest";
import type { Time } from "../../../../shared/function/index.ts";
import { removing } from "./removal.ts";

const NOW: Time = "2024-01-01T00:00:00Z";

test("an object whose kind the configuration does not admit any more leaves the record, and an Event names it", () => {
  const resource = { group: "", version: "v1", kind: "ConfigMap", namespace: "kube-system", name: "left" };
  const addon = {
    ...{ apiVersion: "clusterstack.x-k8s.io/v1alpha1", kind: "ClusterAddon" },
    metadata: {
      ...{ name: "cluster-addon-demo", namespace: "team", uid: "u", resourceVersion: "1", generation: 1 },
      ...{ creationTimestamp: NOW, labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
    },
    status: { ready: false, resources: [{ ...resource, status: "not-synced" as const }] },
  };
  const found = [{ resource, live: undefined, refused: "addonKinds does not admit it" }];
  const { effects, conclude } = removing(addon, found, NOW, () => ({}));
  assert.match(
    JSON.stringify(effects),
    /ObjectLeft.*ConfigMap left stays if it was applied: addonKinds does not admit it/,
  );
  const { status } = conclude(Object.assign(() => ({ state: "not run" as const }), { failed: [] }) as never);
  assert.deepEqual(status.resources, []);
});
