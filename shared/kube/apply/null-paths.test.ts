import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { KubeError } from "../errors.ts";
import type { KubeObject } from "../object.ts";
import { nullPathsOf } from "./null-paths.ts";

const live = {
  apiVersion: "x.example.org/v1",
  kind: "X",
  metadata: { name: "x" },
  spec: {
    conf: { a: "1" },
    "a.b": { "c/d": { e: "1" } },
    a: { b: {} },
    ports: [{ labels: { x: "1" } }],
    map: { "k.l": { y: "1" } },
  },
} as KubeObject;
const refusal = (...fields: readonly (readonly [string, string])[]): KubeError =>
  new KubeError("invalid", "refused", {
    request: "PATCH /x",
    status: { code: 422, details: { causes: fields.map(([field, message]) => ({ field, message })) } },
  });
const NULL = 'Invalid value: "null": spec.conf in body must be of type object: "null"';

describe("what a refused apply would have made null", () => {
  it("is pointed to in the object that is there, whatever dots its names hold", () => {
    const pointers: readonly (readonly [string, string])[] = [
      ["spec.conf", "/spec/conf"],
      ["spec.a.b.c/d", "/spec/a.b/c~1d"],
      ["spec.a.b", "/spec/a.b"],
      ["spec.ports[0].labels", "/spec/ports/0/labels"],
      ["spec.map[k.l]", "/spec/map/k.l"],
    ];
    for (const [field, pointer] of pointers)
      assert.deepEqual(nullPathsOf(refusal([field, NULL]), live), [pointer], field);
  });
  it("is nothing where the object lacks it, and for any other refusal", () => {
    assert.deepEqual(nullPathsOf(refusal(["spec.absent", NULL]), live), []);
    assert.deepEqual(nullPathsOf(refusal(["spec.conf", 'Invalid value: "x": too short']), live), []);
    assert.deepEqual(nullPathsOf(new Error(NULL), live), []);
  });
  it("is each once", () =>
    assert.deepEqual(nullPathsOf(refusal(["spec.conf", NULL], ["spec.conf", NULL]), live), ["/spec/conf"]));
});
