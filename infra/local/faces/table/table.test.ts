import assert from "node:assert/strict";
import { test } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { builtInTypes } from "../../builtin/index.ts";
import type { ResourceType } from "../../resource-type.ts";
import { durationText } from "./duration.ts";
import { findAll } from "./json-path.ts";
import { tableOf } from "./table.ts";

const ages: readonly (readonly [number, string])[] = [
  [0, "0s"],
  [119, "119s"],
  [120, "2m"],
  [125, "2m5s"],
  [600, "10m"],
  [3 * 3600, "3h"],
  [3 * 3600 + 60, "3h1m"],
  [8 * 3600, "8h"],
  [47 * 3600, "47h"],
  [48 * 3600, "2d"],
  [49 * 3600, "2d1h"],
  [8 * 86400, "8d"],
  [2 * 365 * 86400, "2y"],
  [800 * 86400, "2y70d"],
  [9 * 365 * 86400, "9y"],
];
for (const [seconds, text] of ages)
  test(`${seconds} s is ${text}`, () => assert.equal(durationText(seconds * 1000), text));

test("a clock that is behind gives no age", () => {
  assert.equal(durationText(-1000), "0s");
  assert.equal(durationText(-5000), "<invalid>");
});

const object = {
  spec: { a: { "x.y": 1 }, list: [{ n: "a", v: 1 }, { n: "b", v: 2 }, { n: "c" }] },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Old]", status: "False" },
    ],
  },
};
const paths: readonly (readonly [string, readonly unknown[]])[] = [
  [".spec.list[0].n", ["a"]],
  [".spec.list[-1].n", ["c"]],
  [".spec.list[*].v", [1, 2]],
  [".spec.list[1:].n", ["b", "c"]],
  [".spec.list[?(@.v>1)].n", ["b"]],
  [".spec.list[?(@.v)].n", ["a", "b"]],
  [".spec.a.x\\.y", [1]],
  [".spec.a['x.y']", [1]],
  ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
  [".status.conditions[?(@.type == 'Old]')].status", ["False"]],
  [".status.conditions[?(@.type!='Ready')].type", ["Old]"]],
  ["..status", [object.status, "True", "False"]],
  [".nothing.here", []],
  [".spec.list[9]", []],
  [".spec[", []],
];
for (const [path, found] of paths)
  test(`finds ${path}`, () => assert.deepEqual(findAll(object, path), found));

const rowOf = (type: ResourceType | undefined, one: unknown, now = 0): readonly unknown[] => {
  assert.ok(type);
  const table = tableOf(type, [one as KubeObject], {
    includeObject: "None",
    withoutColumns: false,
    listMetadata: {},
    now,
  });
  const [row] = table.rows as readonly { readonly cells: readonly unknown[] }[];
  return row?.cells ?? [];
};

test("a custom resource shows its declared columns; what is absent or of another type is empty", () => {
  const columns = [
    { name: "Text", type: "string", jsonPath: ".spec.text" },
    { name: "Count", type: "integer", jsonPath: ".spec.count" },
    { name: "Rich", type: "string", jsonPath: ".spec.rich" },
    { name: "When", type: "date", jsonPath: ".spec.when" },
    { name: "None", type: "string", jsonPath: ".spec.none", priority: 1 },
  ];
  const [some] = builtInTypes;
  assert.ok(some);
  const type: ResourceType = { ...some, custom: true, columns };
  const one = {
    metadata: { name: "a" },
    spec: { text: 3, count: "many", rich: { a: 1 }, when: "1970-01-01T00:00:00Z" },
  };
  assert.deepEqual(rowOf(type, one, 300_000), ["a", "3", null, '{"a":1}', "5m", null]);
});

test("a Pod shows what keeps it", () => {
  const type = builtInTypes.find(({ kind }) => kind === "Pod");
  const pod = (status: object, more: object = {}): object => ({
    metadata: { name: "p", creationTimestamp: "1970-01-01T00:00:00Z", ...more },
    spec: { containers: [{ name: "c" }], initContainers: [{ name: "i" }] },
    status,
  });
  const running = {
    phase: "Running",
    containerStatuses: [{ ready: true, restartCount: 0, state: { running: {} } }],
    initContainerStatuses: [{ name: "i", state: { terminated: { exitCode: 0 } } }],
  };
  assert.deepEqual(rowOf(type, pod(running)).slice(1, 4), ["1/1", "Running", "0"]);
  assert.deepEqual(
    rowOf(
      type,
      pod({ phase: "Pending", initContainerStatuses: [{ name: "i", state: { running: {} } }] }),
    ).slice(1, 3),
    ["0/1", "Init:0/1"],
  );
  assert.deepEqual(
    rowOf(
      type,
      pod({
        phase: "Running",
        containerStatuses: [{ restartCount: 2, state: { waiting: { reason: "CrashLoopBackOff" } } }],
      }),
    ).slice(1, 4),
    ["0/1", "CrashLoopBackOff", "2"],
  );
  assert.equal(rowOf(type, pod(running, { deletionTimestamp: "1970-01-01T00:00:00Z" }))[2], "Terminating");
});
