import assert from "node:assert/strict";
import { it } from "vitest";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { CustomResourceDefinition } from "../../../shared/kube/kinds/index.ts";
import { CONTROL_PLANE, Kyma, ModuleReleaseMeta, ModuleTemplate, RUNTIME_NAMESPACE } from "../kinds/index.ts";
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

/** Clients of a runtime whose server refuses one sort of request for a kind for want of a right, until it is told otherwise. */
function guarded() {
  let forbidden: { readonly verb: string; readonly kind: string; readonly subresource?: string } | undefined;
  const check = (verb: string, { kind }: Resource, subresource?: string): void => {
    const isIt = forbidden?.verb === verb && forbidden.kind === kind && forbidden.subresource === subresource;
    if (!isIt) return;
    const sentence = `${kind} is forbidden`;
    throw new KubeError("forbidden", sentence, { request: verb, status: { code: 403, message: sentence } });
  };
  const client = (of: KubeClient): KubeClient =>
    new Proxy(of, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== "function") return found;
        return (...args: readonly unknown[]) => {
          const options = args[name === "patch" ? 4 : 3] as { readonly subresource?: string } | undefined;
          if (["get", "pages", "apply", "create", "patch", "delete"].includes(String(name)))
            check(String(name), args[0] as Resource, options?.subresource);
          return Reflect.apply(found, target, args);
        };
      },
    });
  return {
    client,
    forbid: (next: typeof forbidden) => {
      forbidden = next;
    },
  };
}

it("a right that a runtime's kubeconfig lacks is told, and all goes on once it is given", async (t) => {
  const { client, forbid } = guarded();
  const s = await startStage({ api: "local", target: "secret", clusterClient: client });
  t.onTestFinished(() => s.stop());
  const remote = await installed(s);
  const place = { name: "rt-1", namespace: CONTROL_PLANE };
  const operation = async () => (await s.get(Kyma, place))?.status?.lastOperation?.operation ?? "";

  forbid({ verb: "apply", kind: "ModuleTemplate" });
  await s.publish(alphaStore("1.1.0"));
  await s.release("alpha-store", { regular: "1.0.0", fast: "1.1.0" });
  assert.match((await condition(s, "ModuleCatalog"))?.message ?? "", /ModuleTemplate is forbidden/);
  // So many tries would make a dead letter of it.
  for (let minute = 0; minute < 20; minute += 1) await s.leap(1);
  forbid(undefined);
  await s.leap(1);
  await s.until("the catalog to be there", async () =>
    (await copiesIn(remote)).includes("alpha-store-1.1.0"),
  );
  await s.until("it to be Ready", () => isReady(s));

  forbid({ verb: "delete", kind: "CustomResourceDefinition" });
  await s.userWants("rt-1", { modules: [] });
  await s.stack.client.delete(resourceOf(Kyma), place, { uid: undefined });
  await s.until("it to be told", async () => /CustomResourceDefinition is forbidden/.test(await operation()));
  assert.equal((await s.says()).state, "Deleting");
  for (let minute = 0; minute < 20; minute += 1) await s.leap(1);
  forbid(undefined);
  await s.leap(1);
  await s.until("it to be gone", async () => (await s.get(Kyma, place)) === undefined);
});

it("a runtime whose kubeconfig may not look at it says so, and all goes on once it may", async (t) => {
  const { client, forbid } = guarded();
  const s = await startStage({ api: "local", target: "secret", clusterClient: client });
  t.onTestFinished(() => s.stop());
  const place = { name: "rt-1", namespace: CONTROL_PLANE };
  await s.runtime("rt-1", { controllers: true });
  await s.publish(alphaStore("1.0.0"));
  await s.release("alpha-store", { regular: "1.0.0" });

  forbid({ verb: "get", kind: "CustomResourceDefinition" });
  await wanted(s);
  const { status, message } = (await condition(s, "CRDsSync")) ?? {};
  assert.equal(status, "False");
  assert.match(message ?? "", /cannot be looked at in it: CustomResourceDefinition is forbidden/);
  assert.equal((await condition(s, "Reachable"))?.status, "True");
  forbid({ verb: "pages", kind: "ModuleTemplate" });
  await s.leap(1);
  await s.until("the next right to be told of", async () =>
    /looked at: ModuleTemplate is forbidden/.test((await condition(s, "ModuleCatalog"))?.message ?? ""),
  );
  forbid(undefined);
  await s.leap(1);
  await s.until("it to be Ready", () => isReady(s));

  forbid({ verb: "get", kind: "CustomResourceDefinition" });
  await s.stack.client.delete(resourceOf(Kyma), place, { uid: undefined });
  await s.settled();
  const { state, lastOperation } = await s.says();
  assert.equal(state, "Deleting");
  assert.match(
    lastOperation?.operation ?? "",
    /^It waits for leave to look at its runtime, .*is forbidden\.$/,
  );
  forbid(undefined);
  await s.leap(1);
  await s.until("it to be gone", async () => (await s.get(Kyma, place)) === undefined);
});
