import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { layerObjects } from "./objects.ts";

const map = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata });
const faultOf = (...documents: readonly unknown[]): string => {
  const found = layerObjects(documents);
  return "fault" in found ? found.fault : "";
};
const role = (namespace: string, verb: string) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "cr", namespace },
  rules: [{ apiGroups: [""], resources: ["pods"], verbs: [verb] }],
});

describe("the objects of an artifact", () => {
  it("have names that a server takes", () => {
    for (const name of ["%NAME%", "a/b", "..", "."])
      assert.match(faultOf(map({ name })), /its object 1 \(ConfigMap\) is none: its metadata\.name is /);
    assert.match(faultOf(map({ name: "a", namespace: "a/b" })), /its metadata\.namespace is "a\/b"/);
    assert.equal(faultOf(map({ name: "system:node.a_b" })), "");
  });
  it("are the same in whatever namespace where their kind has none", () => {
    const found = layerObjects([role("a", "get"), role("b", "list")]);
    assert.ok("objects" in found);
    assert.deepEqual([found.objects.length, found.doubled.length], [1, 1]);
  });
  it("are different ones in different namespaces", () => {
    const found = layerObjects([map({ name: "a", namespace: "x" }), map({ name: "a", namespace: "y" })]);
    assert.ok("objects" in found);
    assert.deepEqual([found.objects.length, found.doubled.length], [2, 0]);
  });
});
