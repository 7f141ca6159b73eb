import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject, ManagedFields } from "../../../../shared/kube/object.ts";
import { atField, atItem, othersOf } from "./ownership.ts";
import { replaced } from "./replaced.ts";
import { standsIn } from "./stored.ts";

const CREATED = "2026-02-03T09:00:00Z";
const live = (...managedFields: readonly ManagedFields[]): KubeObject => ({
  apiVersion: "demo.example.org/v1",
  kind: "Gadget",
  metadata: { name: "x", creationTimestamp: CREATED, managedFields },
});
const fieldsV1 = { "f:spec": { "f:a": {} } };
const custom = standsIn("demo.example.org");

test("others are all but the release's own, the maker, and who writes the status", () => {
  const count = (entry: ManagedFields): number => othersOf(live(entry), ["ours", "before-us"]).length;
  assert.equal(count({ manager: "kubectl-edit", operation: "Update", fieldsV1 }), 1);
  assert.equal(
    count({ manager: "kubectl-edit", operation: "Update", time: "2026-02-04T09:00:00Z", fieldsV1 }),
    1,
  );
  assert.equal(count({ manager: "argo", operation: "Apply", fieldsV1 }), 1);
  assert.equal(count({ manager: "ours", operation: "Update", fieldsV1 }), 0);
  assert.equal(count({ manager: "before-us", operation: "Update", fieldsV1 }), 0);
  assert.equal(count({ manager: "installer", operation: "Update", time: CREATED, fieldsV1 }), 0);
  assert.equal(count({ manager: "operator", operation: "Update", subresource: "status", fieldsV1 }), 0);
  assert.deepEqual(othersOf(live(), []), []);
});

test("a step goes down to fields, to items by key and by value; below a whole value all is its writer's", () => {
  const others = [
    {
      "f:spec": {
        ".": {},
        "f:list": { 'k:{"name":"a","port":1}': { ".": {}, "f:x": {} } },
        "f:set": { 'v:"s"': {} },
      },
    },
    { "f:spec": { "f:whole": {} } },
  ];
  const spec = atField(others, "spec");
  assert.equal(atField(spec, "unknown").length, 0);
  const list = atField(spec, "list");
  assert.equal(atField(atItem(list, { name: "a", port: 1, x: 2 }), "x").length, 1);
  assert.equal(atItem(list, { name: "a", port: 2 }).length, 0);
  assert.equal(atItem(list, "a").length, 0);
  assert.equal(atItem(atField(spec, "set"), "s").length, 1);
  assert.equal(atItem(atField(spec, "set"), "t").length, 0);
  assert.equal(atField(atItem(atField(spec, "whole"), { any: 1 }), "any").length, 1);
});

test("a field beside the manifest's goes by whose it is, in lists as in maps", () => {
  const there = { list: [{ name: "a", filled: 1, mine: 2 }], filled: 3 };
  const others = [{ "f:list": { 'k:{"name":"a"}': { "f:mine": {} } } }];
  const wanted = { list: [{ name: "a" }] };
  assert.deepEqual(replaced(wanted, there, others, custom), { list: [{ name: "a", filled: 1 }], filled: 3 });
  assert.deepEqual(replaced(wanted, there, undefined, custom), wanted);
  assert.deepEqual(replaced(wanted, there, [], custom), there);
});

test("a custom resource keeps zeros and spellings that Go would not write", () => {
  const wanted = { flag: false, text: "", count: 0, requests: { cpu: "1000m" }, data: { key: "" }, list: [] };
  const there = { requests: { cpu: "1" } };
  assert.deepEqual(replaced(wanted, there, [], standsIn("policy")), { ...there, data: { key: "" } });
  assert.deepEqual(replaced(wanted, there, [], custom), wanted);
});
