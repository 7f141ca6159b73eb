import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { parseObject } from "../../../../shared/kube/read.ts";
import { Manifest } from "../../kinds/index.ts";
import { broughtLost, hasLostKind } from "./lost.ts";

const LOST = "is installed, and misses the kind Store of acme.test/v1; the module beta";

describe("an installed module", () => {
  it.each([
    ["whose state says that a kind is gone has lost one", "Warning", LOST, "Ready", true],
    [
      "whose objects have no kind any more has",
      "Processing",
      "waits for the kind Store of acme.test/v1",
      "Ready",
      true,
    ],
    ["that lacked it before has not", "Warning", LOST, "Processing", false],
    [
      "that could use one has not",
      "Ready",
      "the module is installed; it could use the kind A of b.test/v1",
      "Ready",
      false,
    ],
    [
      "that lost something else has not",
      "Warning",
      "is installed, and misses the module beta",
      "Ready",
      false,
    ],
  ] as const)("%s", (_, state, operation, before, expected) =>
    assert.equal(hasLostKind({ state, operation }, { state: before }), expected),
  );
  it("has not where nothing is known of before", () =>
    assert.equal(hasLostKind({ state: "Warning", operation: LOST }, undefined), false));
});

describe("what was lost", () => {
  const brought = (...names: readonly string[]) => {
    const group = "apiextensions.k8s.io";
    const entries = names.map((name) => ({
      ...{ group, version: "v1", kind: "CustomResourceDefinition", name, namespace: "" },
    }));
    const manifest = parseObject(Manifest, {
      apiVersion: "operator.kyma-project.io/v1beta2",
      kind: "Manifest",
      metadata: { name: "rt-1-alpha", namespace: "kcp-system", uid: "u", resourceVersion: "1" },
      status: { state: "Ready", synced: entries },
    });
    return broughtLost(manifest, { operation: LOST });
  };
  it("was brought by the module that recorded a definition of its group", () => {
    assert.equal(brought("others.example.org", "stores.acme.test"), true);
    assert.equal(brought("stores.more-acme.test", "stores.example.org"), false);
    assert.equal(brought(), false);
  });
});
