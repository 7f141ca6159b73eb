import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { type OperatorReport, type OperatorStatus, report, StatusError, setVersion } from "./index.ts";

const [T1, T2] = ["2026-02-01T08:00:00Z", "2026-02-01T09:00:00Z"];
const well: OperatorReport = {
  conditions: [
    { type: "Available", status: "True", reason: "AsExpected", message: "Scheduler answers" },
    { type: "Progressing", status: "False", reason: "AsExpected" },
    { type: "Degraded", status: "False", reason: "AsExpected" },
  ],
  versions: [{ name: "operator", version: "5.1.9" }],
};

describe("report", () => {
  test("conditions and versions are one snapshot", () => {
    const first = report(undefined, well, T1);
    assert.deepEqual(first.versions, [{ name: "operator", version: "5.1.9" }]);
    assert.deepEqual(
      first.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
      [
        ["Available", T1],
        ["Progressing", T1],
        ["Degraded", T1],
      ],
    );
  });

  test("what says the same gives back what is stored, whenever it is said", () => {
    const stored = report(undefined, { ...well, extension: { a: { b: 1 } } }, T1);
    assert.equal(report(stored, { ...well, extension: { a: { b: 1 } } }, T2), stored);
    assert.equal(
      report(stored, { conditions: [], versions: [{ version: "5.1.9", name: "operator" }] }, T2),
      stored,
    );
    const empty: OperatorStatus = {};
    assert.equal(report(empty, { conditions: [], versions: [], remove: ["Upgradeable"] }, T2), empty);
  });

  test("scenario 3: removing a type that is not there is no change", () => {
    const stored = report(undefined, well, T1);
    assert.equal(report(stored, { conditions: [], remove: ["Upgradeable"] }, T2), stored);
  });

  test("scenario 43: unknown fields of the extension, and of the status, survive a change of conditions", () => {
    const stored = {
      ...report(undefined, well, T1),
      extension: { nodes: [{ name: "a", deep: { further: [1, { more: null }] } }], of: "its owner" },
      later: { field: true },
    };
    const next = report(stored, { conditions: [{ type: "Degraded", status: "True", reason: "Disk" }] }, T2);
    assert.deepEqual(next.extension, stored.extension);
    assert.deepEqual(next.later, { field: true });
    assert.equal(next.conditions?.[2]?.lastTransitionTime, T2);
    assert.equal(next.conditions?.[0]?.lastTransitionTime, T1);
  });

  test("scenario 43: refuses to pass on what looks like a secret, also where another wrote it", () => {
    const refused = (stored: OperatorStatus | undefined, says: OperatorReport): void => {
      assert.throws(
        () => report(stored, says, T1),
        (error) => error instanceof StatusError && error.code === "STATUS_SECRET",
      );
    };
    refused(undefined, { ...well, extension: { token: "abc" } });
    refused({ extension: { stringData: { a: "b" } } }, well);
  });

  test("null is an extension; leaving it out keeps it", () => {
    const stored = report(undefined, { ...well, extension: { a: 1 } }, T1);
    assert.equal(report(stored, { ...well, extension: null }, T2).extension, null);
    assert.deepEqual(report(stored, { conditions: [{ type: "Degraded", status: "True" }] }, T2).extension, {
      a: 1,
    });
  });

  test("an Upgradeable=False must say what to do", () => {
    const silent = { type: "Upgradeable", status: "False" as const, reason: "AsExpected", message: " " };
    assert.throws(
      () => report(undefined, { conditions: [silent] }, T1),
      (error) => error instanceof StatusError && error.code === "STATUS_UNEXPLAINED",
    );
    assert.equal(
      report(undefined, { conditions: [{ ...silent, status: "True" }] }, T1).conditions?.length,
      1,
    );
  });

  test("for all reports: saying it again changes nothing and moves no time", () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            type: fc.constantFrom("Available", "Progressing", "Degraded", "Own"),
            status: fc.constantFrom("True" as const, "False" as const, "Unknown" as const),
            message: fc.constantFrom("", "One", "Two"),
          }),
          { selector: ({ type }) => type },
        ),
        fc.array(
          fc.record({ name: fc.constantFrom("operator", "etcd"), version: fc.constantFrom("1", "2") }),
        ),
        (conditions, versions) => {
          const once = report(undefined, { conditions, versions }, T1);
          assert.equal(report(once, { conditions, versions }, T2), once);
        },
      ),
    ));
});

describe("setVersion", () => {
  test("in its place, at the end, or not at all", () => {
    const versions = [
      { name: "operator", version: "1" },
      { name: "etcd", version: "3.5" },
    ];
    assert.equal(setVersion(versions, "operator", "1"), versions);
    assert.deepEqual(setVersion(versions, "operator", "2"), [
      { name: "operator", version: "2" },
      versions[1],
    ]);
    assert.deepEqual(setVersion(undefined, "operator", "1"), [{ name: "operator", version: "1" }]);
    assert.deepEqual(setVersion(versions, "kubelet", "1"), [...versions, { name: "kubelet", version: "1" }]);
  });
});
