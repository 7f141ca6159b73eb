import assert from "node:assert/strict";
import { test } from "vitest";
import type { User } from "../usage/index.ts";
import { usersWaits } from "./deletion.ts";

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
