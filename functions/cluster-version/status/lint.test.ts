import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { lint, type OperatorStatus } from "./index.ts";

const lastTransitionTime = "2026-02-01T08:00:00Z";
const status = (
  changes: Readonly<Record<string, Partial<NonNullable<OperatorStatus["conditions"]>[number]>>> = {},
  version: string | undefined = "1",
): OperatorStatus => ({
  conditions: (["Available", "Progressing", "Degraded"] as const).map((type) => ({
    type,
    status: type === "Available" ? "True" : "False",
    reason: "AsExpected",
    message: "All is well",
    lastTransitionTime,
    ...changes[type],
  })),
  versions: version === undefined ? [] : [{ name: "operator", version }],
});
const codes = (of: OperatorStatus, before?: OperatorStatus): readonly string[] =>
  lint(of, before).map(({ code }) => code);

describe("lint", () => {
  test("finds nothing in a good status", () => assert.deepEqual(codes(status(), status()), []));
  test("finds what is not told", () => {
    assert.deepEqual(codes({}), ["ConditionMissing", "ConditionMissing", "ConditionMissing"]);
    assert.deepEqual(codes({ ...status(), versions: [] }), ["NoOperatorVersion"]);
  });
  test("finds words that readers cannot use", () => {
    assert.deepEqual(codes(status({ Degraded: { reason: "" } })), ["ReasonMissing"]);
    assert.deepEqual(codes(status({ Degraded: { reason: "as expected" } })), ["ReasonNotCamelCase"]);
    assert.deepEqual(codes(status({ Degraded: { reason: "A_B::C_D" } })), []);
    assert.deepEqual(codes(status({ Degraded: { message: "all is well" } })), ["MessageNotCapitalised"]);
    const odd = JSON.parse(JSON.stringify(status()).replace('"False"', '"No"')) as OperatorStatus;
    assert.deepEqual(codes(odd), ["UnknownStatus"]);
  });
  test("finds a block without advice", () => {
    const blocked: OperatorStatus = {
      ...status(),
      conditions: [
        ...(status().conditions ?? []),
        { type: "Upgradeable", status: "False", reason: "AsExpected", lastTransitionTime },
      ],
    };
    assert.deepEqual(codes(blocked), ["UpgradeableWithoutMessage"]);
  });
  test("finds a version that moves before the component has", () => {
    const moving = { Progressing: { status: "True" as const } };
    assert.deepEqual(codes(status(moving, "2"), status(moving)), ["VersionAhead"]);
    assert.deepEqual(codes(status({}, "2"), status(moving)), []);
    assert.deepEqual(codes(status(moving), status()), []);
  });
  test("finds a component that degrades as it moves", () => {
    const both = { Progressing: { status: "True" as const }, Degraded: { status: "True" as const } };
    assert.deepEqual(codes(status(both), status()), ["DegradedWhileMoving"]);
    assert.deepEqual(codes(status(both), status(both)), []);
    assert.deepEqual(codes(status(both)), []);
  });
});
