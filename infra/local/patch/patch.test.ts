import assert from "node:assert/strict";
import { test } from "vitest";
import type { StructuralSchema } from "../../../shared/kube/validation/structural-schema.ts";
import { jsonPatch } from "./json-patch.ts";
import { mergePatch } from "./merge-patch.ts";
import { strategicPatch } from "./strategic-patch.ts";

const schema: StructuralSchema = {
  type: "object",
  properties: {
    containers: {
      type: "array",
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
      items: {
        type: "object",
        properties: { name: { type: "string" }, args: { type: "array", items: { type: "string" } } },
      },
    },
    finalizers: { type: "array", "x-kubernetes-patch-strategy": "merge", items: { type: "string" } },
    rules: { type: "array", items: { type: "object" } },
    strategy: { type: "object", "x-kubernetes-patch-strategy": "retainKeys" },
  },
};

test("merge patch: null removes, lists are replaced, the argument stays", () => {
  const before = { a: { b: 1, c: [1, 2] }, d: 1 };
  assert.deepEqual(mergePatch(before, { a: { b: null, c: [3] }, e: { f: null, g: 1 } }), {
    a: { c: [3] },
    d: 1,
    e: { g: 1 },
  });
  assert.deepEqual(before, { a: { b: 1, c: [1, 2] }, d: 1 });
});

test("merge patch never reaches a prototype", () => {
  const patched = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  assert.deepEqual(Object.keys(patched as object), ["__proto__"]);
});

test("JSON patch: a failed test leaves the object alone", () => {
  const before = { a: { b: 1 } };
  assert.throws(
    () =>
      jsonPatch(before, [
        { op: "replace", path: "/a/b", value: 2 },
        { op: "test", path: "/a/b", value: 1 },
      ]),
    { message: /the server rejected our request/ },
  );
  assert.deepEqual(before, { a: { b: 1 } });
  assert.deepEqual(
    jsonPatch(before, [
      { op: "add", path: "/a/c", value: [1] },
      { op: "add", path: "/a/c/-", value: 2 },
    ]),
    { a: { b: 1, c: [1, 2] } },
  );
});

test("strategic patch: lists with a key merge, others are replaced", () => {
  const before = { containers: [{ name: "x", args: ["1"], image: "i" }, { name: "y" }], rules: [{ a: 1 }] };
  assert.deepEqual(
    strategicPatch(schema, before, {
      containers: [{ name: "x", args: ["2"] }, { name: "z" }],
      rules: [{ b: 1 }],
    }),
    {
      containers: [{ name: "x", args: ["2"], image: "i" }, { name: "z" }, { name: "y" }],
      rules: [{ b: 1 }],
    },
  );
});

test("strategic patch: new items come first", () => {
  const patched = strategicPatch(schema, { containers: [{ name: "a" }] }, { containers: [{ name: "b" }] });
  assert.deepEqual(patched, { containers: [{ name: "b" }, { name: "a" }] });
});

test("strategic patch: directives", () => {
  const before = {
    containers: [{ name: "x" }, { name: "y" }],
    finalizers: ["a", "b"],
    strategy: { type: "R", rolling: 1 },
  };
  const patch = {
    "$setElementOrder/containers": [{ name: "z" }, { name: "x" }],
    containers: [{ name: "y", $patch: "delete" }, { name: "z" }],
    "$deleteFromPrimitiveList/finalizers": ["a"],
    finalizers: ["c"],
    strategy: { $retainKeys: ["type"], type: "S" },
  };
  assert.deepEqual(strategicPatch(schema, before, patch), {
    containers: [{ name: "z" }, { name: "x" }],
    finalizers: ["c", "b"],
    strategy: { type: "S" },
  });
  assert.deepEqual(strategicPatch(schema, before, { strategy: { $patch: "replace", type: "T" } }), {
    ...before,
    strategy: { type: "T" },
  });
});
