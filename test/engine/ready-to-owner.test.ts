import assert from "node:assert/strict";
import { test } from "vitest";
import * as z from "zod";
import { startStack } from "../../infra/testing/stack.ts";
import { defineKind, defineSystem, each, ready } from "../../shared/function/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";

class Crew extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Crew",
  scope: "Namespaced",
  fields: { spec: z.object({}) },
}) {}
class Ship extends defineKind({
  group: "engine.example.org",
  version: "v1",
  kind: "Ship",
  scope: "Namespaced",
  fields: { spec: z.object({ paint: z.string() }) },
  status: z.object({ afloat: z.boolean() }),
  ready: (it) => it.status.afloat.is(true),
}) {}

test("the owner of an object hears that it became ready, and that it is lost, and nothing else of it", async (t) => {
  let woken = 0;
  const crews = each(Crew).function({
    name: "crews",
    wakes: [ready(Ship).toOwner()],
    reconcile: () => {
      woken += 1;
      return {};
    },
  });
  const system = defineSystem({ name: "harbour", description: "A harbour.", functions: [crews] });
  const stack = await startStack({ api: "local", systems: [system] });
  t.onTestFinished(() => stack.stop());
  const apiVersion = "engine.example.org/v1";
  const at = (name: string) => ({ name, namespace: "default" });
  const [crew] = await stack.apply({ apiVersion, kind: "Crew", metadata: at("blue"), spec: {} });
  const uid = crew?.metadata.uid ?? assert.fail("no uid");
  const owner = { apiVersion, kind: "Crew", name: "blue", uid };
  const sail = (paint: string) =>
    stack.apply({
      apiVersion,
      kind: "Ship",
      metadata: { ...at("blue"), ownerReferences: [owner] },
      spec: { paint },
    });
  const float = async (afloat: boolean): Promise<void> => {
    const body = { apiVersion, kind: "Ship", metadata: at("blue"), status: { afloat } };
    await stack.client.apply(resourceOf(Ship), at("blue"), body, {
      fieldManager: "harbour-master",
      force: true,
      subresource: "status",
    });
  };
  const runsOf = async (act: () => Promise<unknown>): Promise<number> => {
    await stack.settled();
    const before = woken;
    await act();
    await stack.settled();
    return woken - before;
  };
  assert.equal(await runsOf(() => sail("white")), 0);
  assert.equal(await runsOf(() => float(true)), 1);
  assert.equal(await runsOf(() => sail("red")), 0);
  assert.equal(await runsOf(() => float(false)), 1);
  assert.equal(await runsOf(() => float(true)), 1);
  assert.equal(await runsOf(() => stack.client.delete(resourceOf(Ship), at("blue"), { uid: undefined })), 1);
});
