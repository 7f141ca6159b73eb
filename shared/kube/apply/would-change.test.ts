import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject, ManagedFields } from "../object.ts";
import { entry, live, object, ours } from "./test-objects.ts";
import { wouldChange } from "./would-change.ts";

test("an apply of what we own already, with the values that stand there, changes nothing", () => {
  const table: readonly [string, boolean, object, object, object][] = [
    ["the same", false, { spec: { a: 1 } }, { spec: { a: 1, theirs: 2 } }, { "f:spec": { "f:a": {} } }],
    ["another value", true, { spec: { a: 2 } }, { spec: { a: 1 } }, { "f:spec": { "f:a": {} } }],
    ["a field more", true, { spec: { a: 1, b: 1 } }, { spec: { a: 1, b: 1 } }, { "f:spec": { "f:a": {} } }],
    [
      "a field less",
      true,
      { spec: { a: 1 } },
      { spec: { a: 1, b: 1 } },
      { "f:spec": { "f:a": {}, "f:b": {} } },
    ],
    ["1 is not '1'", true, { spec: { a: 1 } }, { spec: { a: "1" } }, { "f:spec": { "f:a": {} } }],
    [
      "an atomic list",
      false,
      { spec: { l: [1, { a: 2 }] } },
      { spec: { l: [1, { a: 2 }] } },
      { "f:spec": { "f:l": {} } },
    ],
    [
      "an atomic list in another order",
      true,
      { spec: { l: [1, 2] } },
      { spec: { l: [2, 1] } },
      { "f:spec": { "f:l": {} } },
    ],
    [
      "a set among theirs",
      false,
      { spec: { s: ["a", "c"] } },
      { spec: { s: ["a", "b", "c"] } },
      { "f:spec": { "f:s": { 'v:"a"': {}, 'v:"c"': {} } } },
    ],
    [
      "a set in another order",
      true,
      { spec: { s: ["c", "a"] } },
      { spec: { s: ["a", "b", "c"] } },
      { "f:spec": { "f:s": { 'v:"a"': {}, 'v:"c"': {} } } },
    ],
    [
      "a set with one more",
      true,
      { spec: { s: ["a", "b"] } },
      { spec: { s: ["a", "b"] } },
      { "f:spec": { "f:s": { 'v:"a"': {} } } },
    ],
    [
      "a set whose value was taken out",
      true,
      { spec: { s: ["a"] } },
      { spec: { s: [] } },
      { "f:spec": { "f:s": { 'v:"a"': {} } } },
    ],
    [
      "a keyed item with its key's default",
      false,
      { spec: { p: [{ port: 1 }] } },
      {
        spec: {
          p: [
            { port: 9, proto: "TCP" },
            { port: 1, proto: "TCP", theirs: 1 },
          ],
        },
      },
      { "f:spec": { "f:p": { 'k:{"port":1,"proto":"TCP"}': { ".": {}, "f:port": {} } } } },
    ],
    [
      "a keyed item whose key we sent before",
      true,
      { spec: { p: [{ port: 1 }] } },
      { spec: { p: [{ port: 1, proto: "TCP" }] } },
      { "f:spec": { "f:p": { 'k:{"port":1,"proto":"TCP"}': { ".": {}, "f:port": {}, "f:proto": {} } } } },
    ],
    [
      "a keyed item with another value",
      true,
      { spec: { p: [{ port: 1, a: 2 }] } },
      { spec: { p: [{ port: 1, a: 1 }] } },
      { "f:spec": { "f:p": { 'k:{"port":1}': { ".": {}, "f:port": {}, "f:a": {} } } } },
    ],
    [
      "a keyed item that is gone",
      true,
      { spec: { p: [{ port: 1 }] } },
      { spec: { p: [] } },
      { "f:spec": { "f:p": { 'k:{"port":1}': { ".": {}, "f:port": {} } } } },
    ],
    [
      "items by index",
      true,
      { spec: { p: ["a"] } },
      { spec: { p: ["a"] } },
      { "f:spec": { "f:p": { "i:0": {} } } },
    ],
  ];
  for (const [name, expected, desired, standing, managed] of table)
    assert.equal(wouldChange(object(desired), live(standing, managed), ours), expected, name);
  const labelled = live(
    {},
    { "f:metadata": { "f:labels": { "f:a": {} } } },
    { labels: { a: "b", theirs: "c" } },
  );
  assert.equal(wouldChange(object({}, { labels: { a: "b" } }), labelled, ours), false);
  assert.equal(wouldChange(object({}, { labels: { a: "c" } }), labelled, ours), true);
});

test("an empty list that we do not own changes nothing only where its items are owned each by itself", () => {
  const theirs = (fields: object, operation: "Apply" | "Update" = "Apply"): ManagedFields =>
    entry(fields, { manager: "theirs", operation });
  const items = theirs({ "f:spec": { "f:l": { 'v:"a"': {} } } });
  const whole = theirs({ "f:spec": { "f:l": {} } });
  const table: readonly [string, boolean, unknown, readonly ManagedFields[]][] = [
    ["a set of theirs", false, ["a"], [items]],
    ["a list of theirs that is a whole", true, [1, 2, 3], [whole]],
    ["an empty list of theirs that is a whole", true, [], [whole]],
    ["one that somebody edited", true, [], [theirs({ "f:spec": { "f:l": {} } }, "Update")]],
    ["an empty list of nobody's", false, [], []],
    ["a full list of nobody's", true, ["a"], []],
    ["theirs lies elsewhere", true, ["a"], [theirs({ "f:other": { "f:l": { 'v:"a"': {} } } })]],
    ["absent", true, undefined, []],
  ];
  for (const [name, expected, l, others] of table) {
    const there = live({ spec: { a: 1, l } }, {});
    const managedFields = [entry({ "f:spec": { "f:a": {} } }), ...others];
    const standing = { ...there, metadata: { ...there.metadata, managedFields } };
    assert.equal(wouldChange(object({ spec: { a: 1, l: [] } }), standing, ours), expected, name);
  }
  const deep = live({ spec: { p: [{ port: 1, l: [1] }] } }, {});
  const item = (fields: object) => ({ "f:spec": { "f:p": { 'k:{"port":1}': { ".": {}, ...fields } } } });
  const managedFields = [entry(item({ "f:port": {} })), theirs(item({ "f:port": {}, "f:l": {} }))];
  const standing = { ...deep, metadata: { ...deep.metadata, managedFields } };
  assert.equal(wouldChange(object({ spec: { p: [{ port: 1, l: [] }] } }), standing, ours), true);
});

test("an empty map that we own changes nothing of a map whose fields others own each by itself", () => {
  const others = (fields: object): ManagedFields =>
    entry({ "f:spec": { "f:m": fields } }, { manager: "theirs" });
  for (const [name, expected, m, more] of [
    ["fields of theirs", false, { a: 1 }, [others({ "f:a": {} })]],
    ["a map of theirs that is a whole", true, { a: 1 }, [others({})]],
    ["fields of nobody's, which may be defaults", true, { a: 1 }, []],
    ["none", false, {}, []],
    ["no map any more", true, undefined, [others({ "f:a": {} })]],
  ] as const) {
    const there = live({ spec: { m } }, {});
    const managedFields = [entry({ "f:spec": { "f:m": {} } }), ...more];
    const standing = { ...there, metadata: { ...there.metadata, managedFields } };
    assert.equal(wouldChange(object({ spec: { m: {} } }), standing, ours), expected, name);
  }
  // A field in it becomes ours too.
  const there = live({ spec: { m: { a: 1 } } }, {});
  const managedFields = [entry({ "f:spec": { "f:m": {} } }), others({ "f:a": {} })];
  const standing = { ...there, metadata: { ...there.metadata, managedFields } };
  assert.equal(wouldChange(object({ spec: { m: { a: 1 } } }), standing, ours), true);
});

test("an empty map of a built-in that is not stored changes nothing, an empty structure does", () => {
  const builtIn = { ...ours, custom: false };
  const standing = live({}, { "f:data": {}, "f:spec": { "f:securityContext": {} } });
  assert.equal(wouldChange(object({ data: {} }), live({}, { "f:data": {} }), builtIn), false);
  assert.equal(wouldChange(object({ data: {} }), live({}, {}), builtIn), true);
  assert.equal(
    wouldChange(object({ data: {}, spec: { securityContext: {} } }), { ...standing, spec: {} }, builtIn),
    true,
  );
});

test("an empty list of a pod template that is not stored changes nothing", () => {
  const builtIn = { ...ours, custom: false };
  const template = (container: object): object => ({
    spec: { template: { spec: { containers: [{ name: "a", ...container }] } } },
  });
  const owned = (fields: object): object => ({
    "f:spec": {
      "f:template": {
        "f:spec": { "f:containers": { 'k:{"name":"a"}': { ".": {}, "f:name": {}, ...fields } } },
      },
    },
  });
  const standing = live(template({}), owned({}));
  assert.equal(wouldChange(object(template({ ports: [], env: [] })), standing, builtIn), false);
  // Who applies an atomic list owns it, although it is empty.
  assert.equal(wouldChange(object(template({ args: [] })), standing, builtIn), true);
  assert.equal(
    wouldChange(object(template({ args: [] })), live(template({}), owned({ "f:args": {} })), builtIn),
    false,
  );
  assert.equal(wouldChange(object(template({ ports: [] })), standing, ours), true);
  const filled = live(template({ ports: [{ containerPort: 80 }] }), owned({}));
  assert.equal(wouldChange(object(template({ ports: [] })), filled, builtIn), true);
  assert.equal(wouldChange(object({ spec: { ports: [] } }), live({ spec: {} }, {}), builtIn), true);
});

test("it is sent where our entry cannot answer", () => {
  const body = object({ spec: { a: 1 } });
  const there = live({ spec: { a: 1 } }, { "f:spec": { "f:a": {} } });
  const managed = (...entries: ManagedFields[]): KubeObject => ({
    ...there,
    metadata: { ...there.metadata, managedFields: entries },
  });
  const fields = { "f:spec": { "f:a": {} } };
  assert.equal(wouldChange(body, there, ours), false);
  for (const [name, standing] of [
    ["no entry", managed()],
    ["another manager's", managed(entry(fields, { manager: "theirs" }))],
    ["an update's", managed(entry(fields, { operation: "Update" }))],
    ["the status'", managed(entry(fields, { subresource: "status" }))],
    ["another version's", managed(entry(fields, { apiVersion: "example.org/v2" }))],
    ["two", managed(entry(fields), entry(fields, { apiVersion: "example.org/v2" }))],
  ] as const)
    assert.equal(wouldChange(body, standing, ours), true, name);
  assert.equal(
    wouldChange(object({ spec: { a: 1 } }, { uid: "u", resourceVersion: "5" }), there, ours),
    false,
  );
  assert.equal(wouldChange(object({ spec: { a: 1 } }, { uid: "other" }), there, ours), true);
  assert.equal(wouldChange(object({ spec: { a: 1 } }, { resourceVersion: "4" }), there, ours), true);
  assert.equal(wouldChange(object({ spec: { a: 1 }, status: {} }), there, ours), true);
});

test("an apply to the status looks at the status alone", () => {
  const status = { conditions: [{ type: "Ready", status: "True" }] };
  const managed = [
    entry(
      { "f:status": { "f:conditions": { 'k:{"type":"Ready"}': { ".": {}, "f:type": {}, "f:status": {} } } } },
      { subresource: "status" },
    ),
  ];
  const there = object(
    { spec: { a: 1 }, status: { ...status, theirs: 1 } },
    { uid: "u", resourceVersion: "5", managedFields: managed },
  );
  assert.equal(wouldChange(object({ status }), there, { ...ours, subresource: "status" }), false);
  assert.equal(
    wouldChange(object({ status: { conditions: [{ type: "Ready", status: "False" }] } }), there, {
      ...ours,
      subresource: "status",
    }),
    true,
  );
});

test("built-ins normalise: zero values vanish, quantities are numbers", () => {
  const managed = {
    "f:spec": { "f:paused": {}, "f:resources": { "f:limits": { "f:cpu": {} } }, "f:message": {} },
  };
  const there = live({ spec: { resources: { limits: { cpu: "1" } } } }, managed);
  const body = object({ spec: { paused: false, message: "", resources: { limits: { cpu: "1000m" } } } });
  assert.equal(wouldChange(body, there, { ...ours, custom: false }), false);
  assert.equal(wouldChange(body, there, ours), true);
  assert.equal(
    wouldChange(object({ spec: { paused: true, message: "", resources: { limits: { cpu: "1" } } } }), there, {
      ...ours,
      custom: false,
    }),
    true,
  );
});
