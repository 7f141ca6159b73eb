import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { aggregate, type Condition, joinReasons } from "./index.ts";

const NOW = "2026-02-01T09:00:00Z";
const part = (type: string, status: Condition["status"], rest: Partial<Condition> = {}): Condition => ({
  type,
  status,
  lastTransitionTime: "2026-02-01T08:00:00Z",
  ...rest,
});

describe("aggregate", () => {
  test("nothing to aggregate: Unknown, NoData", () => {
    const {
      condition: { status, reason, message },
      lastTransitionTime,
    } = aggregate("Degraded", [part("NodesAvailable", "True")], NOW);
    assert.deepEqual([status, reason, message, lastTransitionTime], ["Unknown", "NoData", "", undefined]);
  });

  for (const [type, good, bad] of [
    ["Available", "True", "False"],
    ["Upgradeable", "True", "False"],
    ["Progressing", "False", "True"],
    ["Degraded", "False", "True"],
  ] as const) {
    test(`${type}: all good`, () => {
      const well = aggregate(
        type,
        [
          part(`A${type}`, good),
          part(`B${type}`, good, { lastTransitionTime: "2026-02-01T08:30:00Z" }),
          part("Other", bad, { lastTransitionTime: "2026-02-01T08:59:00Z" }),
        ],
        NOW,
      );
      assert.deepEqual(well, {
        condition: { type, status: good, reason: "AsExpected", message: "All is well" },
        lastTransitionTime: "2026-02-01T08:30:00Z",
        dueAt: undefined,
      });
    });
    test(`${type}: the opposite where any part says so, with the reasons of the bad ones, sorted`, () => {
      const ill = aggregate(
        type,
        [
          part(`Scheduler${type}`, bad, { reason: "Stuck", message: "One\nTwo\nOne" }),
          part(`Good${type}`, good, { reason: "AsExpected", message: "Fine" }),
          part(`Etcd${type}`, "Unknown", { reason: "NoAnswer", message: "It does not answer" }),
          part(`Plain${type}`, bad),
        ],
        NOW,
      );
      assert.equal(ill.condition.status, bad);
      assert.equal(ill.condition.reason, "Etcd_NoAnswer::Plain::Scheduler_Stuck");
      assert.equal(
        ill.condition.message,
        `Etcd${type}: It does not answer\nScheduler${type}: One\nScheduler${type}: Two`,
      );
    });
    test(`${type}: Unknown where none says the opposite`, () =>
      assert.equal(
        aggregate(type, [part(`A${type}`, "Unknown"), part(`B${type}`, good)], NOW).condition.status,
        "Unknown",
      ));
  }

  test("the messages of good parts are told by type", () =>
    assert.equal(
      aggregate(
        "Available",
        [part("EtcdAvailable", "True", { message: "3 of 3" }), part("ApiAvailable", "True")],
        NOW,
      ).condition.message,
      "EtcdAvailable: 3 of 3",
    ));

  test("inertia: what has been bad for less than its window does not count, and the answer says when it will", () => {
    const parts = [
      part("NodesDegraded", "True", { reason: "Late", lastTransitionTime: "2026-02-01T08:59:00Z" }),
      part("EtcdDegraded", "False"),
    ];
    const young = aggregate("Degraded", parts, NOW, "2m");
    assert.deepEqual([young.condition.status, young.condition.reason], ["False", "AsExpected"]);
    assert.equal(young.dueAt, "2026-02-01T09:01:00.000Z");
    const grown = aggregate("Degraded", parts, "2026-02-01T09:01:00Z", "2m");
    assert.deepEqual(
      [grown.condition.status, grown.condition.reason, grown.dueAt],
      ["True", "Nodes_Late", undefined],
    );
  });

  test("inertia: an older bad part counts beside a young one, which is not told yet; windows differ by part", () => {
    const parts = [
      part("NodesDegraded", "True", { reason: "Late", lastTransitionTime: "2026-02-01T08:59:00Z" }),
      part("EtcdDegraded", "Unknown", { reason: "NoAnswer", lastTransitionTime: "2026-02-01T08:50:00Z" }),
    ];
    const both = aggregate("Degraded", parts, NOW, "5m");
    assert.deepEqual([both.condition.status, both.condition.reason], ["Unknown", "Etcd_NoAnswer"]);
    const own = aggregate("Degraded", parts, NOW, ({ type }) => (type === "EtcdDegraded" ? "30m" : "0s"));
    assert.deepEqual(
      [own.condition.status, own.condition.reason, own.dueAt],
      ["True", "Nodes_Late", "2026-02-01T09:20:00.000Z"],
    );
  });

  test("several reasons are one, each once", () => assert.equal(joinReasons(["B", "A", "B"]), "A::B"));
});
