import assert from "node:assert/strict";
import { it } from "vitest";
import type { Results } from "../../../../shared/function/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Instance } from "../../kinds/index.ts";
import { prepare } from "./prepare.ts";
import { runTask } from "./run.ts";

const metadata = { name: "db", namespace: "shop", uid: "uid-of-db", resourceVersion: "1" };
const self = parseObject(Instance, { apiVersion: "kudo.dev/v1beta1", kind: "Instance", metadata, spec: {} });
const ROLE = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\n";

const taskOf = (kind: "Apply" | "Delete") => {
  const prepared = prepare({
    instance: self,
    version: {
      metadata: { name: "v" },
      spec: {
        templates: { "role.yaml": ROLE },
        tasks: [{ name: "role", kind, spec: { resources: ["role.yaml"] } }],
      },
    },
    consumed: { execution: 1, planName: "deploy", planUID: "u", operatorVersion: {} },
    ...{ plan: "deploy", phase: "main", step: "make", task: "role" },
  });
  assert.ok(prepared.do === "apply" || prepared.do === "delete");
  const [object] = prepared.objects;
  assert.ok(object !== undefined);
  return runTask(
    { prepared, objects: [{ object, scope: "Cluster", live: undefined }], dependencies: new Map() },
    {
      self,
      origin: {
        ...{ operator: "web", operatorVersion: "1.0", instance: "db", namespace: "shop" },
        ...{ plan: "deploy", phase: "main", step: "make", planUid: "u" },
      },
      known: undefined,
      waiterImage: "example.org/shell",
    },
  );
};
const ended = (state: "done" | "not run"): Results => (() => ({ state })) as unknown as Results;

it("tells of an object of the whole cluster once it was written, and once it is gone", () => {
  const object = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "reader" };
  const { sightings } = taskOf("Apply");
  assert.deepEqual(sightings?.(ended("not run")), []);
  assert.deepEqual(sightings?.(ended("done")), [{ object, scope: "Cluster", is: "applied" }]);
  assert.deepEqual(taskOf("Delete").sightings?.(ended("done")), [{ object, scope: "Cluster", is: "gone" }]);
});
