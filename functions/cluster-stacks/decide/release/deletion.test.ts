import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Time } from "../../../../shared/function/index.ts";
import type { User } from "../usage/index.ts";
import { releaseDeletion, usersWaits } from "./deletion.ts";

const user = (kind: User["kind"], name: string): User => ({ kind, namespace: "team", name });
const clusters = Array.from({ length: 500 }, (_, index) => user("Cluster", `c${index}`));

test("a release that goes names some of those who use it, and follows one whose change nobody tells it", () => {
  const waits = usersWaits([...clusters, user("ClusterAddon", "one"), user("ClusterAddon", "two")]);
  assert.equal(waits.length, 12);
  assert.deepEqual(waits[0], {
    for: "ClusterAddon team/one to leave its class",
    object: {
      apiVersion: "clusterstack.x-k8s.io/v1alpha1",
      kind: "ClusterAddon",
      name: "one",
      namespace: "team",
    },
  });
  assert.deepEqual(
    waits.slice(1).flatMap(({ object }) => object ?? []),
    [],
  );
  assert.equal(waits[1]?.for, "Cluster team/c0 to leave its class");
  assert.equal(waits.at(-1)?.for, "491 others to leave their class");
});

test("a Cluster that uses it alone wakes it by itself", () => {
  assert.deepEqual(usersWaits(clusters.slice(0, 1)), [{ for: "Cluster team/c0 to leave its class" }]);
});

describe("a release that goes", () => {
  const metadata = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({
    ...{ name, namespace: "team", uid: name, resourceVersion: "1", generation: 1, creationTimestamp: "" },
    ...{ labels: { "clusterstack.x-k8s.io/instance": "owned" }, annotations },
    ...{ finalizers: [], ownerReferences: [] },
  });
  const release = (name: string) => ({
    ...{ apiVersion: "clusterstack.x-k8s.io/v1alpha1", kind: "ClusterStackRelease" },
    ...{ metadata: metadata(name), spec: {} },
  });
  const image = (markedFor: string) => ({
    ...{ apiVersion: "openstack.k-orc.cloud/v1alpha1", kind: "Image" },
    metadata: metadata("ubuntu", { "reveille.dev/cluster-stack-release": `team/${markedFor}` }),
  });
  const decided = (markedFor: string, heir?: string, refused?: string) => {
    const world = {
      ...{ name: undefined, users: [], opening: undefined, assets: undefined, faults: [] },
      ...{ provider: { state: "none" as const }, rendered: undefined, recreated: [] },
      recorded: [
        {
          resource: { group: "openstack.k-orc.cloud", version: "v1alpha1", kind: "Image", name: "ubuntu" },
          live: refused === undefined ? image(markedFor) : undefined,
          refused,
          heir: heir === undefined ? undefined : release(heir),
        },
      ],
    };
    const { effects = [] } = releaseDeletion(release("v1"), world, "2024-01-01T00:00:00Z" as Time);
    return JSON.stringify(effects);
  };
  test("deletes what it alone brought", () => assert.match(decided("v1"), /"effect":"remove"/));
  test("warns of what the configuration does not admit any more, and goes", () => {
    assert.match(
      decided("v1", undefined, "kinds does not admit it"),
      /ObjectLeft.*Image ubuntu stays if it was applied: kinds does not admit it; admit its kind/,
    );
    assert.doesNotMatch(decided("v1", "v2", "kinds does not admit it"), /ObjectLeft/);
  });
  test("leaves what another one brings as well to that one", () => {
    const effects = decided("v1", "v2");
    assert.doesNotMatch(effects, /"effect":"remove"/);
    assert.match(effects, /"effect":"patch".*"reveille.dev\/cluster-stack-release":"team\/v2"/);
  });
  test("says nothing of what is the other one's already, and warns of what is nobody's", () => {
    assert.doesNotMatch(decided("v2", "v2"), /ObjectLeft|remove/);
    assert.match(decided("v3"), /ObjectLeft/);
  });
});
