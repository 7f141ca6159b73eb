import assert from "node:assert/strict";
import { test } from "vitest";
import { memoryPayloads } from "../../../../shared/ports/payloads/adapters/index.ts";
import { buildGraph, nodeStates, runnable, tasksOf } from "../../decide/graph/index.ts";
import { payloadReader } from "../../decide/payload/index.ts";
import { COMPONENTS, type GeneratedPayload, generatedPayload, REAL_PAYLOAD_TASKS } from "./index.ts";

async function payloadOf(asked: GeneratedPayload) {
  const bundle = await memoryPayloads({ "reg.example/demo": generatedPayload(asked) }).load(
    "reg.example/demo",
  );
  return payloadReader()(bundle, { featureSet: "", featureGates: new Set() });
}

test("a payload of the size of a real one is included whole, with every operator once", async () => {
  const payload = await payloadOf({ version: "5.1.9" });
  assert.equal(payload.manifests.length, REAL_PAYLOAD_TASKS);
  assert.deepEqual(payload.excluded, []);
  const operators = payload.manifests.flatMap(({ kind, name }) => (kind === "ClusterOperator" ? [name] : []));
  assert.deepEqual(
    operators.toSorted(),
    COMPONENTS.flatMap(({ name, operator }) => (operator ? [name] : [])).toSorted(),
  );
  const identities = payload.manifests.map(({ group, kind, namespace, name }) =>
    [group, kind, namespace, name].join(),
  );
  assert.equal(new Set(identities).size, identities.length);
});

test("it has levels of several components: an update goes through them in turn", async () => {
  const { manifests } = await payloadOf({ version: "5.1.9" });
  const tasks = tasksOf(manifests);
  const graph = buildGraph(tasks, "Updating");
  const widest = Math.max(...graph.nodes.map(({ out }) => out.length));
  assert.equal(widest, COMPONENTS.filter(({ level }) => level === "50").length);
  const [start] = runnable(graph, { done: new Set(), failed: new Set() }, 16);
  assert.equal(start?.tasks[0]?.index, 1);
  const done = new Set(tasks.map(({ index }) => index));
  assert(nodeStates(graph, { done, failed: new Set() }).every((state) => state === "done"));
});

test("two versions hold the same objects, and differ in what names the release", async () => {
  const [one, other] = await Promise.all(
    ["5.1.9", "5.2.0"].map((version) => payloadOf({ version, tasks: 300 })),
  );
  const names = (payload: typeof one) =>
    payload?.manifests.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  assert.deepEqual(names(one), names(other));
  assert.notEqual(one?.versionHash, other?.versionHash);
  const equal = one?.manifests.filter(({ raw }, at) => raw === other?.manifests[at]?.raw).length ?? 0;
  assert(equal > 100 && equal < 250, `${equal} of 300 are equal`);
});

test("it holds Jobs where they are asked for, and as many manifests as asked for", async () => {
  const { manifests } = await payloadOf({ version: "5.1.9", tasks: 301, jobs: ["etcd"] });
  assert.equal(manifests.length, 301);
  assert.deepEqual(
    manifests.flatMap(({ kind, namespace }) => (kind === "Job" ? [namespace] : [])),
    ["demo-etcd"],
  );
  assert.throws(() => generatedPayload({ version: "5.1.9", tasks: 10 }), /these components alone bring/);
});
