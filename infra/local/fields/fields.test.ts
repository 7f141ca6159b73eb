import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { ApiObject, ResourceType } from "../resource-type.ts";
import { FieldSet } from "./field-set.ts";
import { managersOf } from "./managers.ts";
import { applyConfiguration, trackUpdate, unchanged } from "./track.ts";

const type: ResourceType = {
  group: "x.io",
  version: "v1",
  kind: "X",
  listKind: "XList",
  plural: "xs",
  singular: "x",
  shortNames: [],
  categories: [],
  namespaced: true,
  custom: true,
  subresources: { status: true },
  columns: [],
  selectableFields: [],
  generation: true,
  schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          a: { type: "string" },
          map: { type: "object", additionalProperties: { type: "string" } },
          set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
          list: { type: "array", items: { type: "string" } },
          items: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            items: { type: "object", properties: { k: { type: "string" }, v: { type: "string" } } },
          },
        },
      },
    },
  },
};
const letter = fc.constantFrom("p", "q", "r");
const spec = fc.record(
  {
    a: letter,
    map: fc.dictionary(letter, letter, { minKeys: 1 }),
    set: fc.uniqueArray(letter, { minLength: 1 }),
    list: fc.array(letter, { minLength: 1 }),
    items: fc.uniqueArray(fc.record({ k: letter, v: letter }), { selector: (item) => item.k, minLength: 1 }),
  },
  { requiredKeys: [] },
);
const object = (of: object): ApiObject => ({
  apiVersion: "x.io/v1",
  kind: "X",
  metadata: { name: "x" },
  spec: structuredClone(of),
});
const apply = (live: KubeObject | undefined, manager: string, of: object): ApiObject =>
  applyConfiguration(type, live, object(of), {
    fieldManager: manager,
    time: "2026-01-01T00:00:00Z",
    force: true,
  });

test("applying again changes nothing", () => {
  fc.assert(
    fc.property(spec, spec, (one, two) => {
      const live = apply(apply(undefined, "m1", one), "m2", two);
      const again = apply(live, "m2", two);
      assert.ok(unchanged(live, again));
    }),
  );
});

test("what is applied is there, and what is dropped by its only owner is gone", () => {
  fc.assert(
    fc.property(spec, spec, (one, two) => {
      const first = apply(undefined, "m1", one);
      const second = apply(first, "m1", two);
      // Alone, an applier's last word is the whole truth.
      assert.deepEqual(second, apply(undefined, "m1", two));
    }),
  );
});

test("everything in an object has an owner after an update", () => {
  fc.assert(
    fc.property(spec, spec, (one, two) => {
      const made = object(one);
      trackUpdate(type, undefined, made, { fieldManager: "u1", time: "t" });
      const next = object(two);
      trackUpdate(type, made, next, { fieldManager: "u2", time: "t" });
      const all = object(two);
      trackUpdate(type, undefined, all, { fieldManager: "u", time: "t" });
      const union = (of: ApiObject): FieldSet =>
        [...(managersOf(of.metadata.managedFields)?.values() ?? [])].reduce(
          (sum, manager) => sum.union(manager.fields),
          new FieldSet(),
        );
      assert.deepEqual(union(next).toJson(), union(all).toJson());
    }),
  );
});

test("a forced apply leaves no field with two opinions", () => {
  fc.assert(
    fc.property(spec, spec, (one, two) => {
      const live = apply(apply(undefined, "m1", one), "m2", two);
      // Whoever still owns something may say it again without a conflict.
      const managers = managersOf(live.metadata.managedFields);
      assert.ok(managers !== undefined);
      const again = applyConfiguration(type, live, object(two), {
        fieldManager: "m2",
        time: "t",
        force: false,
      });
      assert.deepEqual(again.spec, live.spec);
    }),
  );
});

test("fieldsV1 survives reading and writing; malformed ones are refused", () => {
  const fields = { "f:a": {}, "f:b": { ".": {}, 'k:{"x":1,"y":"z"}': { ".": {}, "f:x": {} }, 'v:"s"': {} } };
  assert.deepEqual(FieldSet.fromJson(fields)?.toJson(), fields);
  assert.equal(FieldSet.fromJson({ "x:a": {} }), undefined);
  assert.equal(FieldSet.fromJson({ "k:nonsense": {} }), undefined);
  assert.deepEqual(Object.keys(FieldSet.fromJson({ 'k:{"b":1,"a":2}': {} })?.toJson() ?? {}), [
    'k:{"a":2,"b":1}',
  ]);
});

test("more than ten updaters are counted together", () => {
  let live: ApiObject | undefined;
  for (let count = 0; count < 15; count++) {
    const next = object({
      map: Object.fromEntries(Array.from({ length: count + 1 }, (_, index) => [`k${index}`, "v"])),
    });
    trackUpdate(type, live, next, {
      fieldManager: `u${String(count).padStart(2, "0")}`,
      time: `2026-01-01T00:00:${String(count).padStart(2, "0")}Z`,
    });
    live = next;
  }
  const names = (live?.metadata.managedFields ?? []).map((entry) => entry.manager);
  assert.ok(names.includes("ancient-changes"));
  assert.ok(names.length <= 11, names.join(" "));
  assert.ok(names.includes("u14"));
});
