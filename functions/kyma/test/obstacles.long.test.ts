import assert from "node:assert/strict";
import { it } from "vitest";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import { Kyma, ModuleReleaseMeta, ModuleTemplate, RUNTIME_NAMESPACE } from "../kinds/index.ts";
import { alphaStore, installed, NAMESPACES, wanted } from "./alpha-store.ts";
import { type Stage, startStage } from "./stage.ts";
import { condition } from "./watching.ts";

const USER = { fieldManager: "user" } as const;
const DEFINITIONS = resourceOf(CustomResourceDefinition);
const KYMAS = "kymas.operator.kyma-project.io";

const isReady = async (s: Stage): Promise<boolean> => (await s.says()).state === "Ready";
const copiesIn = async ({ client }: RemoteCluster): Promise<readonly string[]> => {
  const kinds = [Kyma, ModuleTemplate, ModuleReleaseMeta].map(resourceOf);
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: RUNTIME_NAMESPACE })));
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
};

it("a definition of another sort that is in the way in a runtime is told, and all goes on once it is gone", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const { client } = await s.runtime("rt-1", { controllers: true });
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const spec = {
    group: "operator.kyma-project.io",
    scope: "Cluster",
    names: { kind: "Kyma", plural: "kymas", singular: "kyma", listKind: "KymaList" },
    versions: [{ name: "v1beta2", served: true, storage: true, schema }],
  };
  const { apiVersion, kind } = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  await client.create(DEFINITIONS, { apiVersion, kind, metadata: { name: KYMAS }, spec }, USER);
  await s.publish(alphaStore("1.0.0"));
  await s.release("alpha-store", { regular: "1.0.0" });
  await wanted(s);
  const words = /cannot be written into it: .*kymas\.operator\.kyma-project\.io.*scope.*immutable/;
  const { status, message } = (await condition(s, "CRDsSync")) ?? {};
  assert.equal(status, "False");
  assert.match(message ?? "", words);
  assert.equal((await condition(s, "Reachable"))?.status, "True");
  assert.match((await s.says()).lastOperation?.operation ?? "", words);
  const runs = s.stack.runs().length;
  await s.leap(4);
  assert.equal(s.stack.runs().length, runs, "it rests");

  await client.delete(DEFINITIONS, { name: KYMAS }, { uid: undefined });
  await s.until("it to be Ready", () => isReady(s));
});

it("the namespace of a runtime that somebody deleted comes back with all that lay in it", async (t) => {
  const s = await startStage({ api: "local", target: "secret" });
  t.onTestFinished(() => s.stop());
  const remote = await installed(s);
  const before = await copiesIn(remote);
  assert.deepEqual(before, ["default", "alpha-store-1.0.0", "alpha-store"]);
  const was = await remote.client.get(NAMESPACES, { name: RUNTIME_NAMESPACE });
  await remote.client.delete(NAMESPACES, { name: RUNTIME_NAMESPACE }, { uid: undefined });
  await s.until("all of it to be back", async () => {
    const now = await remote.client.get(NAMESPACES, { name: RUNTIME_NAMESPACE });
    return (
      now !== undefined &&
      now.metadata.uid !== was?.metadata.uid &&
      (await copiesIn(remote)).join() === before.join() &&
      (await isReady(s))
    );
  });
});
