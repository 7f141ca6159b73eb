import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { done, type OperatorStatus, statusOf } from "../status/index.ts";
import { importOlder } from "./import-older.ts";

const [THEN, NOW] = ["2018-10-01T08:00:00Z", "2026-02-01T08:00:00Z"];
const flat = (type: string, more: Readonly<Record<string, unknown>> = {}) => ({
  apiVersion: "operatorstatus.openshift.io/v1",
  kind: "OperatorStatus",
  metadata: { name: "scheduler", namespace: "openshift-scheduler" },
  condition: { type, message: "So it said" },
  version: "0.0.1",
  lastUpdate: THEN,
  ...more,
});
const namespaced = (conditions: readonly Readonly<Record<string, unknown>>[]) => ({
  apiVersion: "operatorstatus.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name: "scheduler", namespace: "openshift-scheduler" },
  spec: {},
  status: { conditions, version: "0.0.2", extension: { nodes: [1] } },
});
const one = (object: unknown, prior?: OperatorStatus): OperatorStatus => {
  const { operators, issues } = importOlder(
    [object],
    new Map(prior === undefined ? [] : [["scheduler", prior]]),
    NOW,
  );
  assert.deepEqual(issues, []);
  return operators[0]?.status ?? assert.fail("nothing was imported");
};
const words = (status: OperatorStatus) =>
  ["Available", "Progressing", "Degraded"].map((type) => statusOf(status.conditions, type));

describe("OperatorStatus", () => {
  const available = one(flat("Done"));
  const broken: OperatorStatus = {
    conditions: [
      { type: "Available", status: "False", lastTransitionTime: THEN },
      { type: "Degraded", status: "True", lastTransitionTime: THEN },
    ],
  };
  for (const [type, prior, expected] of [
    ["Done", undefined, ["True", "False", "False"]],
    ["Done", broken, ["True", "False", "False"]],
    ["Working", undefined, [undefined, "True", "False"]],
    ["Working", available, ["True", "True", "False"]],
    ["Working", broken, ["False", "True", "False"]],
    ["Waiting", undefined, ["False", "False", undefined]],
    ["Waiting", available, ["True", "False", "False"]],
    ["Waiting", broken, ["False", "False", "True"]],
    ["Degraded", undefined, [undefined, undefined, "True"]],
    ["Degraded", available, ["True", "False", "True"]],
  ] as const)
    test(`${type} ${prior === undefined ? "of an unknown one" : prior === available ? "after Done" : "of a broken one"}`, () =>
      assert.deepEqual(words(one(flat(type), prior)), expected));

  test("version, time, words and extension come along, and twice is once", () => {
    const status = one(flat("Done", { extension: { availableUpdates: [{ version: "1" }] } }));
    assert.equal(done({ status }), true);
    assert.deepEqual(status, {
      conditions: [
        {
          type: "Available",
          status: "True",
          reason: "AsExpected",
          message: "So it said",
          lastTransitionTime: THEN,
        },
        { type: "Progressing", status: "False", reason: "AsExpected", lastTransitionTime: THEN },
        { type: "Degraded", status: "False", reason: "AsExpected", lastTransitionTime: THEN },
      ],
      versions: [{ name: "operator", version: "0.0.1" }],
      extension: { availableUpdates: [{ version: "1" }] },
    });
    assert.equal(one(flat("Done", { extension: { availableUpdates: [{ version: "1" }] } }), status), status);
    assert.equal(one(flat("Working", { lastUpdate: null })).conditions?.[0]?.lastTransitionTime, NOW);
  });
});

describe("the namespaced ClusterOperator", () => {
  const condition = (type: string, status: string) => ({
    type,
    status,
    reason: "R",
    message: "M",
    lastTransitionTime: THEN,
  });
  test("Failing is Degraded today; times, version and extension come along", () => {
    const status = one(namespaced([condition("Available", "True"), condition("Failing", "False")]));
    assert.deepEqual(status, {
      conditions: [condition("Available", "True"), condition("Degraded", "False")],
      versions: [{ name: "operator", version: "0.0.2" }],
      extension: { nodes: [1] },
    });
    assert.deepEqual(
      one(namespaced([condition("Available", "True"), condition("Failing", "False")]), status),
      status,
    );
  });
  test("Degraded goes before Failing; unknown words are Unknown; a missing time is now", () => {
    const status = one(
      namespaced([
        condition("Failing", "True"),
        condition("Degraded", "False"),
        { type: "Own", status: "yes" },
      ]),
    );
    assert.deepEqual(
      status.conditions?.map(({ type, status: word }) => [type, word]),
      [
        ["Degraded", "False"],
        ["Own", "Unknown"],
      ],
    );
    assert.equal(status.conditions?.[1]?.lastTransitionTime, NOW);
  });
  test("one without a status is a line that says nothing yet", () =>
    assert.deepEqual(words(one({ ...namespaced([]), status: undefined })), [
      undefined,
      undefined,
      undefined,
    ]));
});

test("what cannot be imported is told and holds up nothing else", () => {
  const named = (name: string, namespace: string, more = {}) =>
    flat("Done", { metadata: { name, namespace }, ...more });
  const { operators, issues } = importOlder(
    [
      named("a", "x"),
      named("a", "y"),
      named("b", "x", { extension: { token: "abc" } }),
      flat("Resting"),
      { apiVersion: "v1", kind: "Secret" },
      named("c", "x"),
    ],
    new Map(),
    NOW,
  );
  assert.deepEqual(
    operators.map(({ name }) => name),
    ["a", "c"],
  );
  assert.deepEqual(
    issues.map(({ code, object }) => [code, object]),
    [
      ["NameTaken", "y/a"],
      ["HoldsSecret", "x/b"],
      ["UnknownShape", "#4"],
      ["UnknownShape", "#5"],
    ],
  );
  assert.match(issues[0]?.message ?? "", /^x\/a has the same name/);
});
