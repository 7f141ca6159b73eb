import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { apply, each, type FunctionDeclaration, own } from "../../index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Tank, tank } from "./kinds.ts";
import { at, MAPS, stage, TANKS } from "./stage.ts";

const EVENTS = { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" } as const;
const mapOf = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...at(name), annotations },
  data: { size: "mine", theirs: "stays" },
});

describe("what is there already, on the local API", () => {
  // Nothing is collected: what becomes of a former owner's children is up to the engine.
  const api = stage({ controllers: false });
  const { run, statusOf } = api;

  const owns = (name: string, more: Partial<FunctionDeclaration> = {}) =>
    ({
      ...each(Tank).function({
        name,
        owns: [ConfigMap],
        reconcile: ({ self }) => ({
          effects: own(
            self,
            ConfigMap,
            { metadata: { name: self.metadata.name }, data: { size: `${self.spec.size}` } },
            { force: true },
          ),
          status: { level: self.spec.size },
        }),
        failed: (_, error) => ({ error: `${error.code}: ${error.message}` }),
      }),
      ...more,
    }) satisfies FunctionDeclaration;
  const make = (client: KubeClient, map: ReturnType<typeof mapOf>, fieldManager = "kubectl-create") =>
    client.create(MAPS, map, { fieldManager });
  const valuesOf = async (name: string) => (await api.client.get(MAPS, at(name)))?.data;
  const drop = (name: string) => api.client.delete(MAPS, at(name), { uid: undefined });

  it("is left alone where nobody of ours made it, by force too, until its maker gives it away", async (t) => {
    const before = await make(api.client, mapOf("theirs"));
    const stack = await run(t, [owns("takes")]);
    await stack.apply(tank("theirs", { size: 3 }));
    await stack.settled();
    const after = await api.client.get(MAPS, at("theirs"));
    assert.equal(after?.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.match(
      String((await statusOf("theirs"))?.error),
      /^NOT_ADOPTED: ConfigMap default\/theirs was there before and is of kubectl-create: .* reveille\.dev\/adopt: Tank\/theirs\.$/,
    );
    const told = (await api.client.list(EVENTS, { namespace: "default" })).items.filter(
      (event) => (event.involvedObject as { readonly name?: string }).name === "theirs",
    );
    assert.deepEqual(
      told.map(({ type, reason }) => [type, reason]),
      [["Warning", "ReconcileFailed"]],
    );
    assert.deepEqual(await stack.engine.bus.deadLetters.list(), []);

    const annotations = { "reveille.dev/adopt": "Tank/theirs" };
    await api.client.patch(
      MAPS,
      at("theirs"),
      "merge",
      { metadata: { annotations } },
      { fieldManager: "me" },
    );
    await stack.settled();
    assert.deepEqual(await valuesOf("theirs"), { size: "3", theirs: "stays" });
    assert.deepEqual(await statusOf("theirs"), { level: 3 });
    await drop("theirs");
    await stack.settled();
  });

  it("is not mixed into by an apply without an owner either; its maker names the function", async (t) => {
    const mirrors = each(Tank).function({
      name: "mirrors",
      owns: [ConfigMap],
      reconcile: ({ self }) => ({
        effects: apply(ConfigMap, {
          metadata: at(self.metadata.name),
          data: { level: `${self.spec.size}` },
        }),
        status: { level: self.spec.size },
      }),
      failed: (_, error) => ({ error: error.code }),
    });
    await make(api.client, mapOf("mirror"));
    await make(api.client, mapOf("given", { "reveille.dev/adopt": "mirrors" }));
    const stack = await run(t, [mirrors]);
    for (const name of ["mirror", "given", "fresh"]) await stack.apply(tank(name, { size: 4 }));
    await stack.settled();
    assert.deepEqual(await statusOf("mirror"), { error: "NOT_ADOPTED" });
    assert.deepEqual(await valuesOf("mirror"), { size: "mine", theirs: "stays" });
    assert.deepEqual(await valuesOf("given"), { size: "mine", theirs: "stays", level: "4" });
    assert.deepEqual(await valuesOf("fresh"), { level: "4" });
    for (const name of ["mirror", "given", "fresh"]) await drop(name);
    await stack.settled();
  });

  it("is taken over from the operator that the function succeeds, and where its declaration adopts", async (t) => {
    await make(api.client, mapOf("before"), "old-operator");
    const stack = await run(t, [owns("succeeds", { succeeds: ["old-operator"] })]);
    await stack.apply(tank("before", { size: 5 }));
    await stack.settled();
    assert.deepEqual(await valuesOf("before"), { size: "5" });
    await stack.engine.stop();

    await make(api.client, mapOf("ruled"));
    const adopting = await run(t, [
      owns("adopts", { adopts: { ConfigMap: "what a tank names is its own" } }),
    ]);
    await adopting.apply(tank("ruled", { size: 6 }));
    await adopting.settled();
    assert.deepEqual(await valuesOf("ruled"), { size: "6", theirs: "stays" });
    for (const name of ["before", "ruled"]) await drop(name);
  });

  it("is not ours for a label that we put on it", async (t) => {
    await make(api.client, mapOf("labelled"));
    const labels = { seen: "yes" };
    await api.client.patch(
      MAPS,
      at("labelled"),
      "merge",
      { metadata: { labels } },
      { fieldManager: "reveille-labels" },
    );
    const stack = await run(t, [owns("labels")]);
    await stack.apply(tank("labelled", { size: 1 }));
    await stack.settled();
    assert.match(String((await statusOf("labelled"))?.error), /^NOT_ADOPTED/);
    await drop("labelled");
    await stack.settled();
  });

  it("is deleted and made anew where it is a former owner's of the same name: nobody else need do it", async (t) => {
    const stack = await run(t, [owns("anew")]);
    await stack.apply(tank("anew", { size: 1 }));
    await stack.settled();
    const former = await api.client.get(MAPS, at("anew"));
    await api.client.delete(TANKS, at("anew"), { uid: undefined });
    await stack.settled();
    await stack.apply(tank("anew", { size: 2 }));
    await stack.settled();
    const child = await api.client.get(MAPS, at("anew"));
    const owner = await api.client.get(resourceOf(Tank), at("anew"));
    assert.notEqual(child?.metadata.uid, former?.metadata.uid);
    assert.equal(child?.metadata.ownerReferences?.[0]?.uid, owner?.metadata.uid);
    assert.deepEqual(child?.data, { size: "2" });
    assert.deepEqual(
      stack.runs().filter(({ error }) => error !== undefined),
      [],
    );
    await drop("anew");
    await stack.settled();
  });

  it("is no ground to decide on where it is a former owner's", async (t) => {
    const looks = each(Tank).function({
      name: "looks",
      owns: [ConfigMap],
      observe: async ({ self, read }) => ({ child: await read.get(ConfigMap, at(self.metadata.name)) }),
      reconcile: ({ self, child }) => ({
        effects: own(self, ConfigMap, {
          metadata: { name: self.metadata.name },
          data: { size: `${self.spec.size}` },
        }),
        status: { level: self.spec.size, note: `saw ${child?.data?.size ?? "nothing"}` },
      }),
    });
    const stack = await run(t, [looks]);
    await stack.apply(tank("looks", { size: 1 }));
    await stack.settled();
    await api.client.delete(TANKS, at("looks"), { uid: undefined });
    await stack.settled();
    await stack.apply(tank("looks", { size: 2 }));
    await stack.settled();
    assert.deepEqual(await valuesOf("looks"), { size: "2" });
    assert.notEqual((await statusOf("looks"))?.note, "saw 1");
    assert.deepEqual(
      stack.runs().filter(({ error }) => error !== undefined),
      [],
    );
    await drop("looks");
    await stack.settled();
  });
});
