import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fixedFields } from "./fixed.ts";

const of = (kind: string, fields: object) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "one" },
  ...fields,
});

describe("the fields that no upgrade changes", () => {
  it.each([
    ["Deployment", { spec: { selector: { a: "1" } } }, { spec: { selector: { a: "2" } } }, ["spec.selector"]],
    ["RoleBinding", { roleRef: { name: "a" } }, { roleRef: { name: "b" } }, ["roleRef"]],
    [
      "CustomResourceDefinition",
      { spec: { scope: "Cluster" } },
      { spec: { scope: "Namespaced" } },
      ["spec.scope"],
    ],
    ["ConfigMap", { immutable: true, data: { a: "1" } }, { data: { a: "2" } }, ["immutable", "data"]],
    ["ConfigMap", { data: { a: "1" } }, { immutable: true, data: { a: "2" } }, []],
    ["Secret", {}, { type: "example.org/one" }, ["type"]],
    ["Secret", {}, { type: "Opaque" }, []],
    ["PriorityClass", { value: 5 }, { value: 6, preemptionPolicy: "PreemptLowerPriority" }, ["value"]],
    ["StorageClass", { parameters: { a: "1" } }, {}, ["parameters"]],
    [
      "PersistentVolumeClaim",
      { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
      { spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "2Gi" } } } },
      ["spec.accessModes"],
    ],
  ] as const)("are told: %s %j %j", (kind, before, after, fields) =>
    assert.deepEqual(fixedFields(of(kind, before), of(kind, after)), fields),
  );
});
