import assert from "node:assert/strict";
import { it } from "vitest";
import type { Obj, Results } from "../../../../shared/function/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Instance, Templated } from "../../kinds/index.ts";
import { look } from "./look.ts";
import { prepare } from "./prepare.ts";
import { runTask } from "./run.ts";

const API = { apiVersion: "kudo.dev/v1beta1", kind: "Instance" } as const;
const metadata = { name: "db", namespace: "shop", uid: "uid-of-db", resourceVersion: "1" };
const self = parseObject(Instance, { ...API, metadata, spec: {} });
const CHILD = `apiVersion: kudo.dev/v1beta1
kind: Instance
metadata: {name: below}
spec: {operatorVersion: {name: v1}, parameters: {SIZE: "1"}}
`;

/** The report of an Apply task that brings an Instance, which ran before with its defaults alone. */
async function reportWhere(standard: string) {
  const prepared = prepare({
    instance: self,
    version: {
      metadata: { name: "above" },
      spec: {
        templates: { "child.yaml": CHILD },
        tasks: [{ name: "below", kind: "Apply", spec: { resources: ["child.yaml"] } }],
      },
    },
    consumed: { execution: 1, planName: "deploy", planUID: "u", operatorVersion: {} },
    ...{ plan: "deploy", phase: "main", step: "make", task: "below" },
  });
  const spec = { parameters: [{ name: "SIZE", default: standard }] };
  const seen = await look(prepared, "shop", {
    read: async () => undefined,
    knows: async () => ({ scope: "Namespaced" }),
    exec: () => assert.fail("no pod is asked"),
    mayBring: () => true,
    instanceNamed: () => assert.fail("no Instance is asked for"),
    versionOf: async ({ name = "" }) => (name === "v1" ? { metadata: { name }, spec } : undefined),
  });
  const origin = {
    ...{ operator: "web", operatorVersion: "1.0", instance: "db", namespace: "shop" },
    ...{ plan: "deploy", phase: "main", step: "make", planUid: "u" },
  };
  const task = runTask(seen, { self, origin, known: undefined, waiterImage: "example.org/shell" });
  const live: Obj<typeof Templated> = parseObject(Templated, {
    ...API,
    metadata: { ...metadata, name: "below", generation: 2 },
    spec: { operatorVersion: { name: "v1" }, parameters: { SIZE: "1" } },
    status: {
      observedGeneration: 2,
      lastStarted: { execution: 1, planName: "deploy", planUID: "x", operatorVersion: { name: "v1" } },
      aggregatedStatus: { status: "COMPLETE", activePlanName: "" },
    },
  });
  return task.report((() => ({ state: "done", value: live })) as unknown as Results).state;
}

it("waits for no run of an Instance that it applies with the values that count already", async () => {
  assert.equal(await reportWhere("1"), "done");
  assert.equal(await reportWhere("3"), "waiting");
});
