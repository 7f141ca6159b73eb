import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { releaseOfTag, tagOf } from "../names/index.ts";
import {
  type ClusterOfClass,
  leavesAddons,
  leavesClass,
  releasePlace,
  usedOf,
  usersOf,
  userText,
  usesOf,
} from "./index.ts";

const cluster = (topology: object | undefined, name = "demo", namespace = "team"): ClusterOfClass => ({
  metadata: { name, namespace },
  spec: { ...(topology && { topology }) },
});
const addon = (clusterStack: string | undefined, name = "cluster-addon-demo", namespace = "team") => ({
  metadata: { name, namespace },
  spec: { clusterStack },
});
const V1 = releaseOfTag("docker-ferrol-1-27-v1") ?? assert.fail();
const HASH = releaseOfTag("docker-ferrol-1-27-v0-sha-hipstsw") ?? assert.fail();

describe("a release is in use", () => {
  for (const [name, clusters, addons, users] of [
    [
      "by a Cluster of its namespace",
      [cluster({ class: "docker-ferrol-1-27-v1" })],
      [],
      ["Cluster team/demo"],
    ],
    [
      "by one of v1beta2",
      [cluster({ classRef: { name: "docker-ferrol-1-27-v1" } })],
      [],
      ["Cluster team/demo"],
    ],
    [
      "by one elsewhere that says so",
      [
        cluster({ class: "docker-ferrol-1-27-v1", classNamespace: "team" }, "a", "t1"),
        cluster({ classRef: { name: "docker-ferrol-1-27-v1", namespace: "team" } }, "b", "t2"),
      ],
      [],
      ["Cluster t1/a", "Cluster t2/b"],
    ],
    ["by no Cluster of another class", [cluster({ class: "quick-start" }), cluster(undefined)], [], []],
    ["by no Cluster of another version", [cluster({ class: "docker-ferrol-1-27-v10" })], [], []],
    ["by no Cluster of another namespace", [cluster({ class: "docker-ferrol-1-27-v1" }, "a", "t1")], [], []],
    [
      "by addons that are still installed",
      [cluster({ class: "docker-ferrol-1-27-v2" })],
      [addon("docker-ferrol-1-27-v1"), addon(undefined, "cluster-addon-x")],
      ["ClusterAddon team/cluster-addon-demo"],
    ],
    [
      "by addons of a Cluster whose class lies elsewhere",
      [cluster({ class: "docker-ferrol-1-27-v2", classNamespace: "team" }, "demo", "t1")],
      [addon("docker-ferrol-1-27-v1", "cluster-addon-demo", "t1")],
      ["ClusterAddon t1/cluster-addon-demo"],
    ],
  ] as const)
    test(name, () => assert.deepEqual(usersOf(usesOf(clusters, addons), V1, "team").map(userText), users));

  test("on the custom channel, where its class has a dot", () => {
    const uses = usesOf([cluster({ class: "docker-ferrol-1-27-v0-sha.hipstsw" })], []);
    assert.deepEqual(usersOf(uses, HASH, "team").map(userText), ["Cluster team/demo"]);
    assert.deepEqual(usedOf(uses, V1, "team").map(tagOf), ["docker-ferrol-1-27-v0-sha-hipstsw"]);
  });
});

test("a class leads to its release's object", () => {
  assert.deepEqual(releasePlace({ name: "docker-ferrol-1-27-v0-sha.hipstsw", namespace: "n" }), {
    name: "docker-ferrol-1-27-v0-sha-hipstsw",
    namespace: "n",
  });
  assert.equal(releasePlace({ name: "quick-start", namespace: "n" }), undefined);
});

describe("somebody leaves a release", () => {
  const cluster = (name: string | undefined, was?: object, gone = false) =>
    leavesClass({ class: name, namespace: "team", was, gone });
  for (const [name, leaves, expected] of [
    ["when a Cluster takes up another class", cluster("b", { class: "a" }), true],
    ["when it takes up that of another namespace", cluster("a", { class: "a", classNamespace: "t1" }), true],
    ["when it names none any more", cluster(undefined, { classRefName: "a" }), true],
    ["when it goes", cluster("a", undefined, true), true],
    ["not when a Cluster comes", cluster("a"), false],
    ["not when it names its first class", cluster("a", {}), false],
    ["not when the class is told in the other version", cluster("a", { classRefName: "a" }), false],
    ["not when a Cluster without a class goes", cluster(undefined, undefined, true), false],
    [
      "when addons give way to others",
      leavesAddons({ clusterStack: "b", was: { clusterStack: "a" }, gone: false }),
      true,
    ],
    ["when they go", leavesAddons({ clusterStack: "a", was: undefined, gone: true }), true],
    ["not when they come", leavesAddons({ clusterStack: "a", was: {}, gone: false }), false],
    [
      "not when they become ready",
      leavesAddons({ clusterStack: "a", was: { clusterStack: "a" }, gone: false }),
      false,
    ],
  ] as const)
    test(name, () => assert.equal(leaves, expected));
});
