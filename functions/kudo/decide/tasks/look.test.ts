import assert from "node:assert/strict";
import { it } from "vitest";
import { TerminalError } from "../../../../shared/function/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Templated } from "../../kinds/index.ts";
import { look } from "./look.ts";
import { prepare } from "./prepare.ts";

const PODS = `apiVersion: apps/v1
kind: Deployment
metadata: {name: pods}
spec:
  template:
    spec:
      imagePullSecrets: [{name: registry}]
      containers:
      - name: main
        env: [{name: KEY, valueFrom: {secretKeyRef: {name: theirs, key: key}}}]
        envFrom: [{configMapRef: {name: settings}}]
`;

it("counts what pods see and the configuration does not admit as absent, and stops nothing for it", async () => {
  const prepared = prepare({
    instance: { metadata: { name: "db", namespace: "shop", uid: "u" } },
    version: {
      metadata: { name: "v" },
      spec: {
        templates: { "pods.yaml": PODS },
        tasks: [{ name: "pods", kind: "Apply", spec: { resources: ["pods.yaml"] } }],
      },
    },
    consumed: { execution: 1, planName: "deploy", planUID: "u", operatorVersion: {} },
    ...{ plan: "deploy", phase: "main", step: "make", task: "pods" },
  });
  const seen = await look(prepared, "shop", {
    read: async ({ kind, name, apiVersion }) => {
      if (kind === "Secret") throw new TerminalError("not here", { code: "KIND_NOT_ADMITTED" });
      return kind === "ConfigMap"
        ? parseObject(Templated, { apiVersion, kind, metadata: { name, uid: "c", namespace: "shop" } })
        : undefined;
    },
    knows: async () => ({ scope: "Namespaced" }),
    exec: () => assert.fail("no pod is asked"),
    mayBring: () => true,
    instanceNamed: () => assert.fail("no Instance is asked for"),
    versionOf: () => assert.fail("no version is asked for"),
  });
  assert.deepEqual([...seen.dependencies.keys()], ["ConfigMap/settings"]);
  assert.deepEqual(
    seen.objects.map(({ object, refused }) => [object.metadata.name, refused]),
    [["pods", undefined]],
  );
});
