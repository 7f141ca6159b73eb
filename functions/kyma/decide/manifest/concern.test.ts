import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { CONTROL_PLANE, Manifest, type WatchedObject } from "../../kinds/index.ts";
import { mayConcern } from "./index.ts";

const STORES = "store.acme.test";
const manifest = (deletionTimestamp?: string) =>
  parseObject(Manifest, {
    apiVersion: "operator.kyma-project.io/v1beta2",
    kind: "Manifest",
    metadata: {
      name: "rt-1-alpha",
      namespace: CONTROL_PLANE,
      uid: "u",
      resourceVersion: "1",
      creationTimestamp: "2024-01-01T12:00:00Z",
      ...(deletionTimestamp && { deletionTimestamp }),
    },
    spec: {
      remote: true,
      install: { name: "raw-manifest", source: {} },
      customResourcePolicy: "CreateAndDelete",
      manager: { group: "apps", version: "v1", kind: "Deployment", name: "brought", namespace: "by-others" },
      resource: { apiVersion: `${STORES}/v1`, kind: "AlphaStore", metadata: { name: "default" } },
    },
    status: {
      state: "Ready",
      synced: [
        { group: "apps", version: "v1", kind: "Deployment", name: "operator", namespace: "alpha" },
        { group: "", version: "v1", kind: "Namespace", name: "alpha", namespace: "" },
        {
          group: "rbac.authorization.k8s.io",
          version: "v1",
          kind: "ClusterRole",
          name: "alpha",
          namespace: "",
        },
      ],
    },
  });
const watched = (
  group: string,
  kind: string,
  namespace: string,
  name: string,
  version = "v1",
): WatchedObject => ({
  ...{ group, version, kind, namespace, name },
});
const operator = watched("apps", "Deployment", "alpha", "operator");
const store = watched(STORES, "AlphaStore", "somewhere", "mine");

const CASES: readonly (readonly [title: string, WatchedObject | undefined, concerns: boolean])[] = [
  ["what it recorded", operator, true],
  ["the same in another version", { ...operator, version: "v1beta1" }, true],
  ["another of that kind", { ...operator, name: "another" }, false],
  ["one of that name elsewhere", { ...operator, namespace: "beta" }, false],
  ["one of that name in another group", { ...operator, group: "extensions" }, false],
  ["all of a kind in one of its namespaces", { ...operator, name: "" }, true],
  ["all of a kind in another namespace", { ...operator, namespace: "beta", name: "" }, false],
  ["its Namespace, which is told to lie in itself", watched("", "Namespace", "alpha", "alpha"), true],
  ["another Namespace", watched("", "Namespace", "beta", "beta"), false],
  ["what has no namespace", watched("rbac.authorization.k8s.io", "ClusterRole", "", "alpha"), true],
  ["the operator that others brought", watched("apps", "Deployment", "by-others", "brought"), true],
  ["an object of its kind that a user may change", store, false],
  ["nothing in particular", undefined, true],
  ["an object without a kind", watched("", "", "", ""), true],
];

describe("what changed in a runtime", () => {
  for (const [title, change, concerns] of CASES)
    test(`concerns ${concerns ? "a" : "no"} Manifest: ${title}`, () => {
      assert.equal(mayConcern(manifest(), change), concerns);
    });
  test("concerns a Manifest that is to go where it is an object that holds it", () => {
    const going = manifest("2024-01-01T13:00:00Z");
    assert.equal(mayConcern(going, store), true);
    assert.equal(mayConcern(going, { ...store, kind: "Other" }), false);
  });
});
