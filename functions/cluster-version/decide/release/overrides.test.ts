import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { manifest } from "../../test/target-objects.ts";
import { hasOverrides, isUnmanaged } from "./overrides.ts";

const override = { group: "apps", kind: "Deployment", namespace: "demo", name: "web", unmanaged: true };
const web = { group: "apps", kind: "Deployment", namespace: "demo", name: "web" };

describe("whether an override takes a manifest out", () => {
  for (const [name, more, given, expected] of [
    ["it does", {}, {}, true],
    ["not another group", { group: "extensions" }, {}, false],
    ["not another kind", { kind: "DaemonSet" }, {}, false],
    ["not another name", { name: "api" }, {}, false],
    ["not another namespace", { namespace: "other" }, {}, false],
    ["of a cluster's object whatever namespace it names", { namespace: "" }, {}, true],
    ["not where it says managed", {}, { unmanaged: false }, false],
  ] as const)
    test(name, () =>
      assert.equal(isUnmanaged([{ ...override, ...given }], manifest({ ...web, ...more })), expected),
    );
  test("none at all", () => assert.equal(isUnmanaged(undefined, manifest(web)), false));
});

test("only those that leave something unmanaged count", () => {
  assert.equal(hasOverrides([{ ...override, unmanaged: false }]), false);
  assert.equal(hasOverrides([{ ...override, unmanaged: false }, override]), true);
});
