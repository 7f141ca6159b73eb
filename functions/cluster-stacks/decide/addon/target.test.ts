import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { AddonStatus } from "../../kinds/index.ts";
import { recordOf, unsynced } from "./record.ts";
import { completedOf, hasTheseAddons, isDoneFor, targetFor, wantedClass } from "./target.ts";

const CLASS = "docker-ferrol-1-27-v2";
const cluster = (topology: object) => ({
  metadata: { name: "demo", namespace: "team" },
  spec: { topology },
});
const wanted = (name: string) => {
  const found = wantedClass(cluster({ class: name }));
  assert.ok(found);
  return found;
};
const target = (clusterStack: string, more: Partial<NonNullable<AddonStatus["target"]>> = {}) => ({
  ...{ clusterStack, namespace: "team", digest: "d", version: "v2", kubernetesVersion: "v1.27.3" },
  ...more,
});
/** Addons of which a target was completed, unless `phase` says otherwise. */
const stored = (clusterStack: string, of: string, phase: "done" | "Pending" = "done") => ({
  metadata: { annotations: {} },
  spec: { clusterStack, version: "v2" },
  status: {
    ready: phase === "done",
    target: target(of, { from: { clusterStack } }),
    stages: [{ name: "cluster-addon", phase }],
  },
});

describe("the class that a Cluster asks for", () => {
  test("is read in both versions of Cluster API, wherever it lies", () => {
    const older = wantedClass(cluster({ class: CLASS, classNamespace: "stacks" }));
    const later = wantedClass(cluster({ classRef: { name: CLASS, namespace: "stacks" } }));
    assert.deepEqual(later, older);
    assert.deepEqual([older?.tag, older?.namespace], [CLASS, "stacks"]);
    assert.equal(wanted("docker-ferrol-1-27-v0-sha.abc").tag, "docker-ferrol-1-27-v0-sha-abc");
  });
  test("is none where it is of no stack", () => {
    for (const topology of [{}, { class: "my-own" }, { class: "" }])
      assert.equal(wantedClass(cluster(topology)), undefined);
  });
});

describe("addons are done", () => {
  test("once all stages of their target are, and the spec says so", () => {
    assert.equal(isDoneFor(stored(CLASS, CLASS), wanted(CLASS), "d"), true);
    assert.equal(isDoneFor(stored(CLASS, CLASS, "Pending"), wanted(CLASS), "d"), false);
    assert.equal(isDoneFor(stored("docker-ferrol-1-27-v1", CLASS), wanted(CLASS), "d"), false);
    assert.equal(isDoneFor(stored(CLASS, CLASS), wanted("docker-ferrol-1-27-v3"), "d"), false);
  });
  test("not where the content of their release is another", () => {
    assert.equal(isDoneFor(stored(CLASS, CLASS), wanted(CLASS), "other"), false);
    assert.equal(isDoneFor(stored(CLASS, CLASS), wanted(CLASS), undefined), true);
  });
  test("where upstream's operator completed them", () => {
    const theirs = { metadata: { annotations: {} }, spec: { clusterStack: CLASS }, status: { ready: true } };
    assert.equal(isDoneFor(theirs, wanted(CLASS), "d"), true);
    assert.equal(isDoneFor({ ...theirs, status: { ready: false } }, wanted(CLASS), "d"), false);
  });
});

test("an abandoned target leaves what was completed before it", () => {
  const abandoned = stored("docker-ferrol-1-27-v1", CLASS, "Pending");
  assert.deepEqual(completedOf(abandoned), { clusterStack: "docker-ferrol-1-27-v1" });
  assert.equal(completedOf(stored(CLASS, CLASS))?.clusterStack, CLASS);
});

test("a target whose spec says that it is completed began where it began", () => {
  const assets = {
    digest: "d",
    metadata: {
      stack: { major: "2", custom: undefined },
      kubernetes: "v1.27.3",
      addon: { major: "2", custom: undefined },
    },
  };
  const { status, ...rest } = stored(CLASS, CLASS);
  const first = { ...rest, status: { ...status, ready: false, target: target(CLASS) } };
  assert.equal(targetFor(first, wanted(CLASS), assets).from, undefined);
  const upgrade = {
    ...first,
    status: { ...first.status, target: target(CLASS, { from: { clusterStack: "x" } }) },
  };
  assert.deepEqual(targetFor(upgrade, wanted(CLASS), assets).from, { clusterStack: "x" });
});

describe("the same addons", () => {
  const v3 = wanted("docker-ferrol-1-27-v3");
  const assets = (major: string) => ({
    metadata: {
      stack: { major: "3", custom: undefined },
      kubernetes: "v1.27.3",
      addon: { major, custom: undefined },
    },
  });
  test("stand where a release of the same stack has the same version of them", () => {
    assert.equal(hasTheseAddons(stored(CLASS, CLASS), v3, assets("2")), true);
    assert.equal(hasTheseAddons(stored(CLASS, CLASS), v3, assets("3")), false);
    const other = stored("docker-ferrol-1-26-v2", "docker-ferrol-1-26-v2");
    assert.equal(hasTheseAddons(other, v3, assets("2")), false, "another stack counts its versions anew");
  });
  test("do not stand where other work was begun since", () =>
    assert.equal(hasTheseAddons(stored(CLASS, "docker-ferrol-1-27-v4", "Pending"), v3, assets("2")), false));
});

describe("the record", () => {
  const entry = (name: string, more: object = {}) => ({ kind: "ConfigMap", name, ...more });
  test("has nothing synced for a new target", () =>
    assert.deepEqual(unsynced([{ ...entry("a"), status: "synced", stage: "x" }]), [
      { ...entry("a"), status: "not-synced" },
    ]));
  test("takes what a stage applies, and lets go of what that applied before it was rendered anew", () => {
    const before = [
      { ...entry("old"), status: "synced" as const, stage: "cni" },
      { ...entry("other"), status: "synced" as const, stage: "csi" },
      { ...entry("same"), status: "synced" as const, stage: "cni" },
    ];
    assert.deepEqual(recordOf(before, [entry("same"), entry("new")], { name: "cni", action: "apply" }), [
      { ...entry("old"), status: "not-synced", stage: "cni" },
      { ...entry("other"), status: "synced", stage: "csi" },
      { ...entry("same"), status: "not-synced", stage: "cni" },
      { ...entry("new"), status: "not-synced", stage: "cni" },
    ]);
    assert.deepEqual(recordOf(before, [entry("x")], { name: "cni", action: "delete" }), before);
  });
});
