import assert from "node:assert/strict";
import { it } from "vitest";
import type { PackageObjects } from "../decide/package/index.ts";
import type { OperatorVersionSpec } from "../kinds/index.ts";
import { plan } from "../test/operators.ts";
import { kindsOf, roleOf, runsPods } from "./rights.ts";

const packageOf = (name: string, spec: OperatorVersionSpec): PackageObjects => ({
  operator: { apiVersion: "kudo.dev/v1beta1", kind: "Operator", metadata: { name }, spec: {} },
  operatorVersion: {
    apiVersion: "kudo.dev/v1beta1",
    kind: "OperatorVersion",
    metadata: { name: `${name}-1.0` },
    spec: { operator: { name }, version: "1.0", ...spec },
  },
  instance: { apiVersion: "kudo.dev/v1beta1", kind: "Instance", metadata: { name }, spec: {} },
});
const PODS = `apiVersion: apps/v1
kind: Deployment
metadata: {name: pods}
spec:
  template:
    spec:
      imagePullSecrets: [{name: registry}]
      containers: [{name: main, envFrom: [{configMapRef: {name: settings}}]}]
`;
const applied = (template: string): OperatorVersionSpec => ({
  templates: { "one.yaml": template },
  tasks: [{ name: "one", kind: "Apply", spec: { resources: ["one.yaml"] } }],
  plans: { deploy: plan("s: one") },
});
const SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";

it("names what pods only see, and grants to read it", () => {
  const kinds = kindsOf([packageOf("web", applied(`${PODS}---\n${SETTINGS}`))]);
  assert.deepEqual(kinds, {
    written: ["apps/v1 Deployment", "v1 ConfigMap"],
    seen: ["v1 Secret"],
    faults: [],
  });
  const all = ["get", "list", "watch", "create", "patch", "delete"];
  assert.deepEqual((roleOf("web", kinds, false) as { readonly rules: unknown }).rules, [
    { apiGroups: ["apps"], resources: ["deployments"], verbs: all },
    { apiGroups: [""], resources: ["configmaps"], verbs: all },
    { apiGroups: [""], resources: ["secrets"], verbs: ["get"] },
  ]);
});

it("counts what children bring, and tells of those whose packages are not at hand", () => {
  const child = (operator: string) => ({
    name: operator,
    kind: "KudoOperator",
    spec: { package: operator, operatorVersion: "1.0" },
  });
  const parent = packageOf("parent", {
    tasks: [child("web"), child("queue")],
    plans: { deploy: plan("s: web queue") },
  });
  const web = packageOf("web", applied(SETTINGS));
  const pipes = packageOf("web", {
    tasks: [{ name: "keys", kind: "Pipe", spec: { pipe: [{ kind: "Secret" }] } }],
  });
  assert.deepEqual(kindsOf([parent, web]), {
    written: ["v1 ConfigMap"],
    seen: [],
    faults: ["the task queue makes an Instance of queue: ask for the kinds of that package too"],
  });
  assert.deepEqual(kindsOf([pipes]).written, ["v1 Pod", "v1 Secret"]);
  assert.deepEqual([web, pipes].map(runsPods), [false, true]);
});
