import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import type { ObjectPatch } from "../function/effects.ts";
import { defineKind } from "../kube/kind.ts";
import type { KubeObject } from "../kube/object.ts";
import { patchOperations, testsOf } from "./patch-operations.ts";

class Lock extends defineKind({
  group: "unit.example.org",
  version: "v1",
  kind: "Lock",
  scope: "Namespaced",
  fields: { spec: z.object({ holder: z.object({ plan: z.string() }).optional() }) },
  engineOwned: (it) => ({ holder: it.spec.holder }),
}) {}

const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "owner" };
const live = (metadata: Partial<KubeObject["metadata"]> = {}, spec: object = {}): KubeObject => ({
  apiVersion: "unit.example.org/v1",
  kind: "Lock",
  metadata: { name: "l", namespace: "a", uid: "u", resourceVersion: "5", ...metadata },
  spec,
});
const operations = (object: KubeObject, change: ObjectPatch) =>
  patchOperations(Lock, object, change).map(({ op, path, value }) =>
    value === undefined ? `${op} ${path}` : `${op} ${path} ${JSON.stringify(value)}`,
  );

describe("the steps of a patch", () => {
  it("are none where all is so already", () => {
    const object = live({ labels: { a: "1" }, ownerReferences: [owner] }, { holder: { plan: "p" } });
    const change = { labels: { a: "1", b: null }, addOwner: owner, engine: { holder: { plan: "p" } } };
    assert.deepEqual(operations(object, change), []);
    assert.deepEqual(operations(live(), { annotations: { a: null }, engine: { holder: null } }), []);
  });
  it("make the map first where there is none, and escape names", () => {
    assert.deepEqual(operations(live(), { labels: { "x.org/a~b": "1" } }), [
      "add /metadata/labels {}",
      'add /metadata/labels/x.org~1a~0b "1"',
    ]);
  });
  it("change, add and take away beside what others wrote", () => {
    assert.deepEqual(
      operations(live({ annotations: { a: "1", b: "2", c: "3" } }), { annotations: { a: null, b: "9" } }),
      ["remove /metadata/annotations/a", 'add /metadata/annotations/b "9"'],
    );
  });
  it("add an owner to those that there are, and none twice", () => {
    const other = { ...owner, name: "p", uid: "other" };
    assert.deepEqual(operations(live(), { addOwner: owner }), [
      `add /metadata/ownerReferences ${JSON.stringify([owner])}`,
    ]);
    assert.deepEqual(operations(live({ ownerReferences: [other] }), { addOwner: owner }), [
      `add /metadata/ownerReferences ${JSON.stringify([other, owner])}`,
    ]);
  });
  it("make the fields above a path of the engine where there are none", () => {
    const { spec: _, ...bare } = live();
    assert.deepEqual(operations(bare, { engine: { holder: { plan: "p" } } }), [
      "add /spec {}",
      'add /spec/holder {"plan":"p"}',
    ]);
  });
  it("write and clear a path that the kind leaves to functions, and no other", () => {
    assert.deepEqual(operations(live(), { engine: { holder: { plan: "p" } } }), [
      'add /spec/holder {"plan":"p"}',
    ]);
    assert.deepEqual(operations(live({}, { holder: { plan: "p" } }), { engine: { holder: null } }), [
      "remove /spec/holder",
    ]);
    assert.throws(
      () => operations(live(), { engine: { size: 1 } }),
      /Lock declares no engine-owned path size/,
    );
  });
  it("are tried on the object that was read alone", () => {
    assert.deepEqual(testsOf(live()), [
      { op: "test", path: "/metadata/uid", value: "u" },
      { op: "test", path: "/metadata/resourceVersion", value: "5" },
    ]);
  });
});
