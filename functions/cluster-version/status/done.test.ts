import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { atVersion, clusterVersionDone, done } from "./index.ts";

const operator = (said: Readonly<Record<string, string | undefined>>) => ({
  status: {
    conditions: Object.entries(said).flatMap(([type, status]) =>
      status === undefined ? [] : [{ type, status }],
    ),
  },
});

describe("done", () => {
  const values = ["True", "False", "Unknown", undefined, "Perhaps"] as const;
  for (const available of values)
    for (const progressing of values)
      for (const degraded of values) {
        const said = { Available: available, Progressing: progressing, Degraded: degraded };
        const expected = available === "True" && progressing === "False" && degraded === "False";
        const name = Object.entries(said).map(([type, status]) => `${type}=${status ?? "absent"}`);
        test(`scenario 4: ${expected} for ${name.join(", ")}`, () =>
          assert.equal(done(operator(said)), expected));
      }
  test("does not depend on anything else", () => {
    const well = { Available: "True", Progressing: "False", Degraded: "False" };
    assert.equal(done(operator({ ...well, Upgradeable: "False" })), true);
    assert.equal(done({}), false);
    assert.equal(done({ status: {} }), false);
  });
});

describe("atVersion", () => {
  const at = {
    status: {
      versions: [
        { name: "operator", version: "1.14.0" },
        { name: "etcd", version: "3.5" },
        { name: "etcd", version: "3.6" },
      ],
    },
  };
  test("compares exact texts of the first entry of the name", () => {
    assert.equal(atVersion(at, "operator", "1.14.0"), true);
    assert.equal(atVersion(at, "operator", "1.14"), false);
    assert.equal(atVersion(at, "operator", "v1.14.0"), false);
    assert.equal(atVersion(at, "etcd", "3.5"), true);
    assert.equal(atVersion(at, "etcd", "3.6"), false);
    assert.equal(atVersion(at, "kubelet", "1.14.0"), false);
    assert.equal(atVersion({}, "operator", "1.14.0"), false);
  });
});

describe("clusterVersionDone", () => {
  const conditions = (failing = "False") => [
    { type: "Available", status: "True" },
    { type: "Progressing", status: "False" },
    { type: "Failing", status: failing },
  ];
  const arrived = {
    metadata: { generation: 8 },
    status: {
      conditions: conditions(),
      observedGeneration: 8,
      desired: { image: "i@b" },
      history: [
        { state: "Completed", image: "i@b" },
        { state: "Completed", image: "i@a" },
      ],
    },
  };
  test("is true when it has arrived", () => assert.equal(clusterVersionDone(arrived), true));
  const { status } = arrived;
  for (const [name, other] of Object.entries({
    "an older generation was observed": { ...arrived, metadata: { generation: 9 } },
    "nothing tells which generation was observed": {
      metadata: {},
      status: { ...status, observedGeneration: undefined },
    },
    "it fails": { ...arrived, status: { ...status, conditions: conditions("True") } },
    "it may fail": { ...arrived, status: { ...status, conditions: conditions("Unknown") } },
    "Failing is not told": { ...arrived, status: { ...status, conditions: conditions().slice(0, 2) } },
    "the newest entry is Partial": {
      ...arrived,
      status: { ...status, history: [{ state: "Partial", image: "i@b" }, ...status.history] },
    },
    "the newest entry is another image": { ...arrived, status: { ...status, desired: { image: "i@c" } } },
    "there is no history": { ...arrived, status: { ...status, history: [] } },
    "there is no status": { metadata: { generation: 8 } },
  }))
    test(`is false while ${name}`, () => assert.equal(clusterVersionDone(other), false));
});
