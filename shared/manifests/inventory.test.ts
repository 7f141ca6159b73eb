import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { identityKey, identityOfObject, isKeptForGood, without } from "./inventory.ts";

const object = (apiVersion: string, kind: string, name: string, more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, ...more },
});

describe("an identity", () => {
  test("is group, kind, namespace and name, whatever the version", () => {
    const key = (apiVersion: string, kind: string, name: string, namespace?: string) =>
      identityKey(identityOfObject(object(apiVersion, kind, name, { namespace })));
    assert.equal(key("apps/v1", "Deployment", "a", "n"), key("apps/v1beta2", "Deployment", "a", "n"));
    assert.equal(key("v1", "Namespace", "a"), key("v1", "Namespace", "a", ""));
    const different = [
      key("v1", "Service", "cilium-envoy", "kube-system"),
      key("v1", "ServiceAccount", "cilium-envoy", "kube-system"),
      key("apps/v1", "DaemonSet", "cilium-envoy", "kube-system"),
      key("v1", "Service", "cilium-envoy", "other"),
      key("v1", "Service", "cilium", "kube-system"),
      key("x.io/v1", "Service", "cilium-envoy", "kube-system"),
    ];
    assert.equal(new Set(different).size, different.length);
  });
  test("of a record with gaps is that of the same object", () =>
    assert.equal(
      identityKey({ kind: "Node", name: "a" }),
      identityKey({ group: "", kind: "Node", namespace: "", name: "a" }),
    ));
  test("tells the difference of two sets", () => {
    const [a, b] = [
      { kind: "A", name: "x" },
      { kind: "B", name: "x" },
    ];
    assert.deepEqual(without([a, b], [{ kind: "B", name: "x", group: "" }]), [a]);
  });
  test("is the same where one of two entries was written before anybody knew that its kind has no namespaces", () => {
    const [guessed, known] = [
      { kind: "Pool", name: "x", namespace: "kube-system" },
      { kind: "Pool", name: "x" },
    ];
    const elsewhere = { ...guessed, namespace: "other" };
    for (const [some, others, left] of [
      [[guessed], [known], []],
      [[known], [guessed], []],
      [[guessed], [elsewhere], [guessed]],
      [[known], [{ ...guessed, name: "y" }], [known]],
    ] as const)
      assert.deepEqual(without<(typeof some)[number]>(some, others), left);
  });
});

test("what holds others' data is kept, and what says so", () => {
  const keep = { "helm.sh/resource-policy": "keep" };
  for (const [kept, expected] of [
    [object("v1", "Namespace", "kube-system"), true],
    [object("v1", "PersistentVolumeClaim", "data"), true],
    [object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "x"), true],
    [object("v1", "ConfigMap", "x", { annotations: keep }), true],
    [object("v1", "ConfigMap", "x", { labels: keep }), true],
    [object("x.io/v1", "Namespace", "x"), false],
    [object("v1", "ConfigMap", "x", { annotations: { "helm.sh/resource-policy": "delete" } }), false],
  ] as const)
    assert.equal(isKeptForGood(kept), expected);
});
