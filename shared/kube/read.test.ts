import assert from "node:assert/strict";
import { test } from "vitest";
import * as z from "zod";
import { defineKind } from "./kind.ts";
import type { KubeObject } from "./object.ts";
import { parseObject, rawOf, UnreadableObjectError } from "./read.ts";

class Widget extends defineKind({
  group: "example.org",
  version: "v1",
  kind: "Widget",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      value: z.int(),
      mode: z.enum(["fast", "safe"]).default("safe"),
      parts: z.array(z.object({ name: z.string(), size: z.int().default(1) })).default([]),
    }),
  },
  status: z.object({ observedGeneration: z.int(), phase: z.string().default("New") }),
}) {}

const nest: z.ZodType = z.lazy(() => z.union([z.number(), z.object({ a: nest })]));
class Deep extends defineKind({
  group: "example.org",
  version: "v1",
  kind: "Deep",
  scope: "Namespaced",
  fields: { spec: z.object({ deep: nest }) },
}) {}

const raw = (fields: object, metadata: object = {}): KubeObject =>
  ({
    apiVersion: "example.org/v1",
    kind: "Widget",
    metadata: { name: "one", namespace: "team", uid: "u", resourceVersion: "5", ...metadata },
    ...fields,
  }) as KubeObject;

test("defaults hold, unknown fields stay at every depth, metadata has no gaps", () => {
  const sent = raw(
    { spec: { value: 1, later: { a: 1 }, parts: [{ name: "p", more: true }] }, extra: [1] },
    { managedFields: [{ manager: "x" }], creationTimestamp: null },
  );
  const widget = parseObject(Widget, sent);
  assert.deepEqual(widget, {
    apiVersion: "example.org/v1",
    kind: "Widget",
    metadata: {
      name: "one",
      namespace: "team",
      uid: "u",
      resourceVersion: "5",
      generation: 0,
      creationTimestamp: "",
      labels: {},
      annotations: {},
      finalizers: [],
      ownerReferences: [],
    },
    spec: { value: 1, mode: "safe", later: { a: 1 }, parts: [{ name: "p", size: 1, more: true }] },
    extra: [1],
  });
  assert.equal(rawOf(widget), sent);
  assert.equal(rawOf({}), undefined);
  assert.equal("status" in widget, false);
});

test("objects of other clusters carry the cluster's name", () => {
  const { metadata } = parseObject(Widget, raw({ spec: { value: 1 } }), "edge");
  assert.equal((metadata as { cluster?: string }).cluster, "edge");
});

test("a status that fits is parsed, another one is taken as it is", () => {
  const status = (value: unknown): unknown =>
    parseObject(Widget, raw({ spec: { value: 1 }, status: value })).status;
  assert.deepEqual(status({ observedGeneration: 2, theirs: 1 }), {
    observedGeneration: 2,
    phase: "New",
    theirs: 1,
  });
  assert.deepEqual(status({ observedGeneration: "two", theirs: 1 }), {
    observedGeneration: "two",
    theirs: 1,
  });
});

test("a number that the API server takes and JSON rounds is read as it came, and the rest with its defaults", () => {
  const { spec } = parseObject(Widget, raw({ spec: { value: 2 ** 53, parts: [{ name: "a" }] } }));
  assert.equal(spec.value, 2 ** 53);
  assert.equal(spec.parts?.[0]?.name, "a");
  assert.throws(() => parseObject(Widget, raw({ spec: { value: 2 ** 53, parts: [{ name: 7 }] } })), {
    path: "spec.value",
  });
  const sound = parseObject(Widget, raw({ spec: { value: -(2 ** 60) } }));
  assert.deepEqual([sound.spec.value, sound.spec.mode, sound.spec.parts], [-(2 ** 60), "safe", []]);
});

test("an object that is nested deeper than a stack reaches is named", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`) as unknown;
  let error: unknown;
  try {
    parseObject(Deep, raw({ spec: { deep } }));
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof UnreadableObjectError);
  assert.match(error.message, /^Deep team\/one cannot be read: it is nested too deep/);
});

test("an object that does not fit is named with the path of its fault", () => {
  const read = (fields: object) => () => parseObject(Widget, raw(fields));
  assert.throws(read({ spec: { value: 1, parts: [{ name: "a" }, { name: 7 }] } }), (error: unknown) => {
    assert.ok(error instanceof UnreadableObjectError);
    assert.equal(error.code, "OBJECT_UNREADABLE");
    assert.equal(error.path, "spec.parts[1].name");
    assert.match(error.message, /^Widget team\/one cannot be read: spec.parts\[1\].name: .*expected string/);
    return true;
  });
  assert.throws(read({}), { path: "spec" });
});
