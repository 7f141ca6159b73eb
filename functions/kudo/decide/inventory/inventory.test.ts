import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compared, MOST_ITEMS, missingIn, recorded, type Sighting, withoutMissing } from "./index.ts";

const item = (kind: string, name: string, apiVersion = "apps/v1") => ({ apiVersion, kind, name });
const namespaced = (is: Sighting["is"], kind: string, name: string, apiVersion?: string): Sighting => ({
  object: item(kind, name, apiVersion),
  scope: "Namespaced",
  is,
});
const role = (is: Sighting["is"], name: string): Sighting => ({
  object: item("ClusterRole", name, "rbac.authorization.k8s.io/v1"),
  scope: "Cluster",
  is,
});

describe("the inventory of an Instance", () => {
  it("holds workloads and objects of the cluster's own scope, once each, and nothing else", () => {
    const sightings = [
      namespaced("applied", "Deployment", "web"),
      namespaced("applied", "ConfigMap", "web", "v1"),
      namespaced("applied", "Deployment", "web"),
      role("applied", "reader"),
    ];
    const once = recorded({}, sightings);
    assert.deepEqual(once, {
      workloads: [item("Deployment", "web")],
      clusterObjects: [item("ClusterRole", "reader", "rbac.authorization.k8s.io/v1")],
    });
    assert.deepEqual(recorded(once, sightings), once);
  });

  it("lets go of what a task deleted", () => {
    const all = recorded({}, [namespaced("applied", "StatefulSet", "db"), role("applied", "reader")]);
    const left = recorded(all, [namespaced("gone", "StatefulSet", "db"), role("gone", "reader")]);
    assert.deepEqual(JSON.parse(JSON.stringify(left)), {});
  });

  it("is bounded: what was applied last stays", () => {
    const many = Array.from({ length: MOST_ITEMS + 5 }, (_, at) => role("applied", `role-${at}`));
    const { clusterObjects = [] } = recorded({}, many);
    assert.equal(clusterObjects.length, MOST_ITEMS);
    assert.equal(clusterObjects.at(-1)?.name, `role-${MOST_ITEMS + 4}`);
  });

  it("marks what is missing, until it is there again or applied again", () => {
    const { workloads } = recorded({}, [
      namespaced("applied", "Deployment", "web"),
      namespaced("applied", "StatefulSet", "db"),
    ]);
    const missing = compared(workloads, [{ kind: "StatefulSet", metadata: { name: "db" } }]);
    assert.deepEqual(missingIn(missing), ["deployment web"]);
    assert.deepEqual(withoutMissing(missing), [item("StatefulSet", "db")]);
    assert.deepEqual(
      missingIn(recorded({ workloads: missing }, [namespaced("applied", "Deployment", "web")]).workloads),
      [],
    );
    const back = compared(
      missing,
      (workloads ?? []).map(({ kind, name }) => ({ kind, metadata: { name } })),
    );
    assert.deepEqual(back, workloads);
  });
});
