import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  done,
  isFalse,
  managementStateOf,
  type OperatorStatus,
  report,
  unmanagedReport,
  upgradeableWithOverrides,
} from "./index.ts";

const [T1, T2] = ["2026-02-01T08:00:00Z", "2026-02-01T09:00:00Z"];

describe("an operator that is unmanaged", () => {
  const before: OperatorStatus = report(
    undefined,
    {
      conditions: [
        { type: "Available", status: "True", reason: "AsExpected", message: "3 of 3" },
        { type: "Progressing", status: "True", reason: "NewRevision", message: "Moving to 2" },
        { type: "Degraded", status: "False", reason: "AsExpected" },
      ],
      versions: [{ name: "operator", version: "1" }],
      extension: { a: 1 },
    },
    T1,
  );
  test("keeps versions and what was observed, does not progress, and holds up minor updates only", () => {
    const after = report(before, unmanagedReport(before), T2);
    assert.deepEqual(after.versions, before.versions);
    assert.deepEqual(after.extension, { a: 1 });
    assert.deepEqual(after.conditions?.[0], before.conditions?.[0]);
    assert.deepEqual(after.conditions?.[2], before.conditions?.[2]);
    assert.equal(isFalse(after.conditions, "Upgradeable"), true);
    assert.equal(done(after === before ? {} : { status: after }), true);
    assert.equal(report(after, unmanagedReport(after), T2), after);
  });
  test("says Unknown of what it never observed", () =>
    assert.deepEqual(
      report(undefined, unmanagedReport(undefined), T1).conditions?.map(({ type, status }) => [type, status]),
      [
        ["Available", "Unknown"],
        ["Progressing", "False"],
        ["Degraded", "Unknown"],
        ["Upgradeable", "False"],
      ],
    ));
});

test("a management state that nobody knows is Managed", () =>
  assert.deepEqual(
    ["Managed", "Force", "Unmanaged", "Removed", "Sleeping", "", undefined].map(managementStateOf),
    ["Managed", "Force", "Unmanaged", "Removed", "Managed", "Managed", "Managed"],
  ));

describe("unsupported overrides", () => {
  for (const none of [undefined, null, {}, ""])
    test(`${JSON.stringify(none)} are none`, () =>
      assert.equal(upgradeableWithOverrides(none).status, "True"));
  test("are told by name, never by value", () => {
    const said = upgradeableWithOverrides({ b: { password: "hunter2" }, a: 1 });
    assert.equal(said.status, "False");
    assert.equal(
      said.message,
      "unsupportedConfigOverrides are set: a, b. Remove them before a minor update.",
    );
  });
});
