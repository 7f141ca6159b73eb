import assert from "node:assert/strict";
import { test } from "vitest";
import type { SlotPlace } from "../../../../shared/function/index.ts";
import { valuesObjects } from "./objects.ts";

const CLUSTER = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "demo", namespace: "team" };
/** Reads of a server that has these objects, by kind, and serves control planes in one version. */
const reads = (objects: Readonly<Record<string, object>>) => ({
  object: async ({ kind }: SlotPlace) => objects[kind],
  knows: async ({ apiVersion }: Pick<SlotPlace, "apiVersion" | "kind">) =>
    apiVersion === "controlplane.example.org/v1beta1" ? {} : undefined,
});

test("references of either version of Cluster API are followed", async () => {
  const spec = {
    controlPlaneRef: { apiGroup: "controlplane.example.org", kind: "Plane", name: "p" },
    infrastructureRef: { apiVersion: "infra.example.org/v1", kind: "Infra", name: "i" },
  };
  const [Cluster, Plane, Infra] = [{ spec }, { spec: { replicas: 3 } }, { status: { ready: true } }];
  const found = await valuesObjects(CLUSTER, reads({ Cluster, Plane, Infra }));
  assert.ok("objects" in found);
  assert.deepEqual(found.objects, { Cluster, ControlPlane: Plane, InfraCluster: Infra });
  assert.deepEqual(
    found.places.map(({ apiVersion, namespace }) => `${apiVersion} ${namespace ?? ""}`),
    ["cluster.x-k8s.io/v1beta2 team", "controlplane.example.org/v1beta1 team", "infra.example.org/v1 team"],
  );
});

test("an object that is named and not there is told", async () => {
  const spec = { infrastructureRef: { apiVersion: "infra.example.org/v1", kind: "Infra", name: "i" } };
  const found = await valuesObjects(CLUSTER, reads({ Cluster: { spec } }));
  assert.equal("missing" in found && found.missing, "Infra i, which spec.infrastructureRef names,");
  const bare = await valuesObjects(CLUSTER, reads({ Cluster: {} }));
  assert.deepEqual("objects" in bare && bare.objects.ControlPlane, {});
});
