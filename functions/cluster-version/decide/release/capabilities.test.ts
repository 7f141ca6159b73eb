import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manifest } from "../../test/target-objects.ts";
import { capabilitiesOf, implicitlyEnabledVerdict, isEnabled, movedCapabilities } from "./capabilities.ts";
import { KNOWN_CAPABILITIES } from "./capability-sets.ts";

describe("which capabilities are enabled", () => {
  const none = { baselineCapabilitySet: "None" };
  test("all that are known, where the spec says nothing", () => {
    const { enabled, known, implicit } = capabilitiesOf(undefined, []);
    assert.deepEqual(
      [enabled, known, implicit],
      [KNOWN_CAPABILITIES.toSorted(), KNOWN_CAPABILITIES.toSorted(), []],
    );
  });
  for (const [set, count] of [
    ["None", 0],
    ["v4.11", 4],
    ["v4.12", 8],
    ["v4.13", 9],
    ["v4.14", 12],
    ["v4.15", 14],
    ["v4.16", 16],
    ["v4.17", 16],
    ["v4.18", 17],
    ["vCurrent", 17],
  ] as const)
    test(`${count} in ${set}`, () =>
      assert.equal(capabilitiesOf({ baselineCapabilitySet: set }, []).enabled.length, count));
  test("what is asked for beyond the baseline, sorted", () =>
    assert.deepEqual(
      capabilitiesOf({ ...none, additionalEnabledCapabilities: ["baremetal", "Console"] }, []).enabled,
      ["Console", "baremetal"],
    ));
  test("what was ever enabled stays so, known or not, and is told as implicit", () => {
    const capabilities = capabilitiesOf(none, ["Console", "FromTomorrow"]);
    assert.deepEqual(capabilities.enabled, ["Console", "FromTomorrow"]);
    assert.deepEqual(implicitlyEnabledVerdict(capabilities), {
      status: "True",
      reason: "CapabilitiesImplicitlyEnabled",
      message: "The following capabilities could not be disabled: Console, FromTomorrow",
    });
    assert.equal(capabilities.known.includes("FromTomorrow"), false);
  });
  test("nothing implicit is told as expected", () =>
    assert.deepEqual(implicitlyEnabledVerdict(capabilitiesOf(none, [])), {
      status: "False",
      reason: "AsExpected",
      message: "Capabilities match configured spec",
    }));
});

describe("scenario 41: whether a manifest's capabilities let it in", () => {
  const capabilities = { enabled: ["Console", "FromTomorrow"], known: ["Console", "Storage"] };
  for (const [capability, expected] of [
    [undefined, true],
    ["", true],
    ["Console", true],
    ["Storage", false],
    ["Console+Storage", false],
    ["FromTomorrow", false],
  ] as const)
    test(`${capability}`, () =>
      assert.equal(
        isEnabled(manifest(capability === undefined ? {} : { capability }), capabilities),
        expected,
      ));
});

describe("scenario 41: what the next payload makes implicit", () => {
  const capabilities = { enabled: ["cap1"], known: ["cap1", "cap2", "cap3"] };
  const before = (capability?: string) => [manifest(capability === undefined ? {} : { capability })];
  for (const [name, today, next, expected] of [
    ["a managed object that moves under a disabled one", before("cap1"), before("cap2"), ["cap2"]],
    ["one that had none", before(), before("cap2"), ["cap2"]],
    ["one that moves under several", before(), before("cap3+cap1+cap2"), ["cap2", "cap3"]],
    ["one that nobody knows yet", before(), before("cap9"), ["cap9"]],
    ["an object that stays", before("cap1"), before("cap1"), []],
    ["an object that was not managed", before("cap2"), before("cap3"), []],
    ["another kind", before("cap1"), [manifest({ kind: "Secret", capability: "cap2" })], []],
    ["another namespace", before("cap1"), [manifest({ namespace: "other", capability: "cap2" })], []],
  ] as const)
    test(name, () => assert.deepEqual(movedCapabilities(today, next, capabilities, []), expected));
  test("not an object that an override leaves alone", () => {
    const overrides = [
      { group: "", kind: "ConfigMap", namespace: "demo", name: "settings", unmanaged: true },
    ];
    assert.deepEqual(movedCapabilities(before("cap1"), before("cap2"), capabilities, overrides), []);
  });
});

test("a capability behind a gate is known where the spec asks for it, and in no set", () => {
  assert.ok(!capabilitiesOf(undefined, []).known.includes("ClusterAPI"));
  const asked = capabilitiesOf(
    { baselineCapabilitySet: "None", additionalEnabledCapabilities: ["ClusterAPI"] },
    [],
  );
  assert.deepEqual([asked.enabled, asked.known.includes("ClusterAPI")], [["ClusterAPI"], true]);
});
