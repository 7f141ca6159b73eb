import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { releaseOfTag, tagOf } from "../names/index.ts";
import { type ClusterOfClass, releasePlace, usedOf, usersOf, usesOf } from "./index.ts";

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
    test(name, () => assert.deepEqual(usersOf(usesOf(clusters, addons), V1, "team"), users));

  test("on the custom channel, where its class has a dot", () => {
    const uses = usesOf([cluster({ class: "docker-ferrol-1-27-v0-sha.hipstsw" })], []);
    assert.deepEqual(usersOf(uses, HASH, "team"), ["Cluster team/demo"]);
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
