import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { missing, parseWant, type Watched } from "./index.ts";

const operator = (more: Partial<NonNullable<Watched["status"]>> = {}): Watched => ({
  kind: "ClusterOperator",
  metadata: { name: "etcd", generation: 2 },
  status: {
    conditions: [
      { type: "Available", status: "True" },
      { type: "Progressing", status: "False" },
      { type: "Degraded", status: "False" },
    ],
    versions: [{ name: "operator", version: "1.14.0" }],
    ...more,
  },
});
const cluster = (observedGeneration: number, generation = 8): Watched => ({
  kind: "ClusterVersion",
  metadata: { name: "version", generation },
  status: {
    observedGeneration,
    conditions: [
      { type: "Available", status: "True" },
      { type: "Progressing", status: "False" },
      { type: "Failing", status: "False" },
    ],
  },
});

describe("missing", () => {
  test("scenario 7: a condition about an older generation is not met until the present one was observed", () => {
    const wants = [{ condition: "Progressing", status: "False" }];
    assert.deepEqual(missing(cluster(7), wants), ["Progressing is about generation 7, and the spec is at 8"]);
    assert.deepEqual(missing(cluster(8), wants), []);
    assert.deepEqual(missing({ ...cluster(8), kind: "Anything" }, wants), []);
  });

  test("a condition's own generation goes before that of the status; where neither tells, nothing is asked", () => {
    const wants = [{ condition: "Ready", status: "True" }];
    const about = (observed: number | undefined, status: number | undefined): Watched => ({
      metadata: { generation: 3 },
      status: {
        conditions: [{ type: "Ready", status: "True", observedGeneration: observed }],
        observedGeneration: status,
      },
    });
    assert.equal(missing(about(2, 3), wants).length, 1);
    assert.equal(missing(about(3, 1), wants).length, 0);
    assert.equal(missing(about(undefined, 2), wants).length, 1);
    assert.equal(missing(about(undefined, undefined), wants).length, 0);
  });

  test("compares types and statuses without regard to case; an absent one is not met", () => {
    assert.deepEqual(missing(operator(), [{ condition: "available", status: "true" }]), []);
    assert.deepEqual(missing(operator(), [{ condition: "Upgradeable", status: "False" }]), [
      "there is no condition Upgradeable",
    ]);
    assert.deepEqual(missing(operator(), [{ condition: "Degraded", status: "True" }]), [
      "Degraded is False, not True",
    ]);
  });

  test("done and a version are asked of one read, and all that is missing is told", () => {
    const wants = [{ done: true as const }, { version: "1.14.0" }, { version: "3.5", name: "etcd" }];
    assert.deepEqual(missing(operator(), wants), ["etcd is at no version, not at 3.5"]);
    assert.deepEqual(
      missing(operator({ conditions: [{ type: "Available", status: "True" }] }), [{ done: true }]),
      ["not done: Available=True, Progressing=absent, Degraded=absent"],
    );
    assert.deepEqual(missing({ metadata: {} }, [{ done: true }]).length, 1);
  });

  test("done of a ClusterVersion also asks for history and generation", () => {
    assert.equal(missing(cluster(8), [{ done: true }]).length, 1);
    const arrived = {
      ...cluster(8),
      status: {
        ...cluster(8).status,
        desired: { image: "i" },
        history: [{ state: "Completed", image: "i" }],
      },
    };
    assert.deepEqual(missing(arrived, [{ done: true }]), []);
  });
});

describe("parseWant", () => {
  for (const [text, want] of [
    ["done", { done: true }],
    ["Available", { condition: "Available", status: "True" }],
    ["Progressing=False", { condition: "Progressing", status: "False" }],
    ["version=1.2.3", { version: "1.2.3" }],
    ["version.kube-apiserver=1.33.4", { version: "1.33.4", name: "kube-apiserver" }],
    ["done=yes", undefined],
    ["version", undefined],
    ["version=", undefined],
    ["Progressing=", undefined],
    ["=True", undefined],
    ["", undefined],
  ] as const)
    test(`${text === "" ? "nothing" : text}`, () => assert.deepEqual(parseWant(text), want));
});
