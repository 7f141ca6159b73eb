import assert from "node:assert/strict";
import { test } from "vitest";
import { Widget } from "../../../examples/widget/widget.ts";
import { systemClock } from "../../../shared/clock/clock.ts";
import { defineSystem, each, own } from "../../../shared/function/index.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Deployment } from "../../../shared/kube/kinds/index.ts";
import { installKinds } from "../../testing/stack.ts";
import { startTestApi } from "../../testing/test-api.ts";
import { takeOverPlan } from "./take-over.ts";

const BEFORE = { fieldManager: "before" };
const at = (name: string) => ({ namespace: "team-a", name });
const deploymentOf = (name: string, image: string) => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "main", image }] } },
  },
});

/** Runs a Deployment for each Widget, whose message is its image. */
const runs = each(Widget).function({
  name: "runs",
  succeeds: ["before"],
  owns: [Deployment],
  reconcile: ({ self }) => ({
    effects: own(self, Deployment, deploymentOf(self.metadata.name, self.spec.message), { force: true }),
    status: { observedGeneration: self.metadata.generation },
  }),
});
const system = defineSystem({
  name: "toy",
  functions: [runs],
  predecessors: [{ name: "the operator before", labelSelector: "app=before" }],
});

test("tells, object by object, what the first run would do to what the operator before left, and writes nothing", async (t) => {
  const api = await startTestApi({ api: "local", controllers: false });
  t.onTestFinished(() => api.stop());
  const { client } = api;
  await installKinds(client, [system]);
  const widget = async (name: string, options = BEFORE) => {
    const body = { apiVersion: "bench.example.org/v1", kind: "Widget", metadata: at(name) };
    const made = await client.create(
      resourceOf(Widget),
      { ...body, spec: { value: 1, message: "image:2" } },
      options,
    );
    return made.metadata.uid ?? "";
  };
  const deployment = async (name: string, uid: string, image: string) => {
    const { metadata, spec } = deploymentOf(name, image);
    const owner = { apiVersion: "bench.example.org/v1", kind: "Widget", name, uid, controller: true };
    await client.create(
      resourceOf(Deployment),
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { ...metadata, namespace: "team-a", ownerReferences: [owner] },
        spec,
      },
      BEFORE,
    );
  };
  await client.create(
    { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a" } },
    BEFORE,
  );
  await widget("bare");
  await deployment("old", await widget("old"), "image:1");
  await widget("someone", { fieldManager: "somebody" });
  const versionsBefore = (await client.list(resourceOf(Deployment))).metadata.resourceVersion;

  const { plan, left } = await takeOverPlan({
    client,
    systems: [system],
    configuration: undefined,
    namespace: undefined,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  assert.deepEqual(plan, [
    { about: "Widget team-a/bare", says: "makes Deployment bare" },
    { about: "Widget team-a/old", says: "rolls out Deployment old" },
  ]);
  assert.equal(left, 0);
  assert.equal((await client.list(resourceOf(Deployment))).metadata.resourceVersion, versionsBefore);
});
