import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { fieldOf } from "../../../shared/json/fields.ts";
import { ConfigMap, Deployment } from "../../../shared/kube/kinds/index.ts";
import type { OperatorVersionSpec } from "../kinds/index.ts";
import { apply, phase, plan, remove } from "./operators.ts";
import type { Shop } from "./shop.ts";

const VERSION = { operatorVersion: { name: "tasks-1.0" } };
const ONE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {x: '{{ .Params.X }}'}\n";
const base: OperatorVersionSpec = {
  operator: { name: "tasks" },
  version: "1.0",
  parameters: [{ name: "X", default: "1" }],
  templates: { "one.yaml": ONE },
};

/** The kinds of tasks, and what each of them does. */
export const tasks: readonly Scenario<Shop>[] = [
  {
    number: 26,
    name: "what is applied, deleted and applied again is there",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, {
        ...base,
        tasks: [apply("make", "one.yaml"), remove("drop", "one.yaml")],
        plans: {
          deploy: {
            phases: [
              phase("a", "serial", "s: make"),
              phase("b", "serial", "s: drop"),
              phase("c", "serial", "s: make"),
            ],
          },
        },
      });
      await s.create(VERSION);
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      assert.deepEqual((await s.find(ConfigMap, "one"))?.data, { x: "1" });
    },
  },
  {
    number: 27,
    name: "a toggle brings its objects, and takes them away",
    async run(s) {
      await s.version(VERSION.operatorVersion.name, {
        ...base,
        parameters: [...(base.parameters ?? []), { name: "ON", default: "true" }],
        tasks: [{ name: "toggle", kind: "Toggle", spec: { parameter: "ON", resources: ["one.yaml"] } }],
        plans: { deploy: plan("s: toggle") },
      });
      await s.create(VERSION);
      for (const [value, there] of [
        ["true", true],
        ["false", false],
        ["1", true],
      ] as const) {
        await s.edit({ parameters: { ON: value } });
        await s.settled();
        assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
        assert.equal((await s.find(ConfigMap, "one")) !== undefined, there);
      }
      await s.edit({ parameters: { ON: "maybe" } });
      await s.settled();
      const entry = await s.plan("deploy");
      assert.equal(entry?.status, "FATAL_ERROR");
      assert.match(
        entry?.phases?.[0]?.steps?.[0]?.message ?? "",
        /^Error during execution: fatal error: shop\/db failed in deploy\.main\.s\.toggle: parameter ON of task toggle is no boolean/,
      );
      assert.equal((await s.events("ToggleTaskError")).length, 1);
      // It was there before, and nobody can say whether it shall go.
      assert.ok((await s.find(ConfigMap, "one")) !== undefined);
    },
  },
  {
    number: 28,
    name: "what a template names no more goes; what others own stays",
    async run(s) {
      const pods = `apiVersion: apps/v1
kind: Deployment
metadata: {name: pods}
spec:
  {{ if eq .Params.X "1" }}minReadySeconds: 0
  revisionHistoryLimit: 3{{ end }}
  selector: {matchLabels: {app: pods}}
  template:
    metadata: {labels: {app: pods}}
    spec:
      containers:
      - {name: main, image: example.org/main}
      {{ if eq .Params.X "1" }}- {name: second, image: example.org/second}{{ end }}
`;
      await s.version(VERSION.operatorVersion.name, {
        ...base,
        templates: { "pods.yaml": pods },
        tasks: [apply("pods", "pods.yaml")],
        plans: { deploy: plan("s: pods") },
      });
      await s.create(VERSION);
      await s.settled();
      await s.patch(Deployment, "pods", { spec: { replicas: 2 } });
      await s.settled();
      await s.edit({ parameters: { X: "2" } });
      await s.settled();
      assert.equal((await s.plan("deploy"))?.status, "COMPLETE");
      const spec = (await s.find(Deployment, "pods"))?.spec;
      const containers = fieldOf(fieldOf(fieldOf(spec, "template"), "spec"), "containers");
      assert.equal(Array.isArray(containers) && containers.length, 1);
      assert.notEqual(fieldOf(spec, "revisionHistoryLimit"), 3);
      assert.equal(fieldOf(spec, "replicas"), 2);
    },
  },
  {
    number: 28,
    name: "the finalizers that a template names hold its object",
    async run(s) {
      const held = ONE.replace("{name: one}", "{name: one, finalizers: [example.org/hold]}");
      await s.version(VERSION.operatorVersion.name, {
        ...{ ...base, templates: { "one.yaml": held } },
        tasks: [apply("make", "one.yaml"), remove("drop", "one.yaml")],
        plans: { deploy: plan("s: make"), drop: plan("s: drop") },
      });
      await s.create(VERSION);
      await s.settled();
      assert.deepEqual((await s.find(ConfigMap, "one"))?.metadata.finalizers, ["example.org/hold"]);
      await s.edit({ planExecution: { planName: "drop", uid: "mine" } });
      await s.settled();
      const [step] = (await s.plan("drop"))?.phases?.[0]?.steps ?? [];
      assert.equal(step?.message, "configmap one: is being deleted");
      await s.patch(ConfigMap, "one", { metadata: { finalizers: [] } });
      await s.settled();
      assert.equal((await s.plan("drop"))?.status, "COMPLETE");
    },
  },
];
