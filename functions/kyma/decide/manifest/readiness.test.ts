import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { type Judged, readinessOf } from "./readiness.ts";

const NOW = "2024-01-01T12:00:00Z";
const object = (kind: string, status: object | undefined, spec: object = {}, age = 3600): Judged => ({
  apiVersion: kind === "CustomResourceDefinition" ? "apiextensions.k8s.io/v1" : "apps/v1",
  kind,
  metadata: {
    name: "alpha",
    generation: 2,
    creationTimestamp: new Date(Date.parse(NOW) - age * 1000).toISOString(),
  },
  spec,
  status,
});
type Told = readonly [type: string, status: string, reason: string];
const conditions = (...all: readonly Told[]) => ({
  observedGeneration: 2,
  conditions: all.map(([type, status, reason]) => ({ type, status, reason, message: `${reason}.` })),
});
const deployment = (...all: readonly Told[]): Judged => object("Deployment", conditions(...all));
const statefulSet = (readyReplicas: number, age?: number): Judged =>
  object("StatefulSet", { observedGeneration: 2, readyReplicas }, { replicas: 2 }, age);
const AVAILABLE = ["Available", "True", "MinimumReplicasAvailable"] as const;
const AWAY = ["Available", "False", "MinimumReplicasUnavailable"] as const;
const pod = (started: boolean) => ({ status: { containerStatuses: [{ name: "c", started }] } });

const cases: readonly (readonly [string, Judged, "Ready" | "Processing" | "Error", object[]?])[] = [
  [
    "a Deployment that is up",
    deployment(AVAILABLE, ["Progressing", "True", "NewReplicaSetAvailable"]),
    "Ready",
  ],
  [
    "one that is up and not available",
    deployment(AWAY, ["Progressing", "True", "NewReplicaSetAvailable"]),
    "Processing",
  ],
  [
    "one with a new ReplicaSet",
    deployment(AWAY, ["Progressing", "True", "NewReplicaSetCreated"]),
    "Processing",
  ],
  [
    "one that found its ReplicaSet",
    deployment(AWAY, ["Progressing", "True", "FoundNewReplicaSet"]),
    "Processing",
  ],
  [
    "one that is available and rolling",
    deployment(AVAILABLE, ["Progressing", "True", "ReplicaSetUpdated"]),
    "Processing",
  ],
  ["one that took too long", deployment(AWAY, ["Progressing", "False", "ProgressDeadlineExceeded"]), "Error"],
  ["one that is paused", deployment(AVAILABLE, ["Progressing", "Unknown", "DeploymentPaused"]), "Error"],
  [
    "one whose status is behind",
    object("Deployment", { ...conditions(AVAILABLE), observedGeneration: 1 }),
    "Processing",
  ],
  ["one that nobody looked at", object("Deployment", undefined), "Error"],
  ["one that was just made", object("Deployment", undefined, {}, 59), "Processing"],
  ["a StatefulSet that is up", statefulSet(2), "Ready"],
  ["one of which a pod is starting", statefulSet(1), "Processing", [pod(false), pod(true)]],
  ["one whose containers do not start", statefulSet(0), "Error", [pod(false)]],
  ["one without pods", statefulSet(0), "Error"],
  ["one without pods that was just made", statefulSet(0, 10), "Processing"],
  [
    "a definition that is established",
    object("CustomResourceDefinition", conditions(["Established", "True", "R"])),
    "Ready",
  ],
  [
    "one on its way",
    object("CustomResourceDefinition", conditions(["Established", "False", "R"])),
    "Processing",
  ],
  ["what tells nothing of its health", object("Odd", undefined), "Ready"],
];

describe("the operator of a module", () => {
  for (const [name, live, state, pods = []] of cases)
    test(`${name} is ${state}`, () => assert.equal(readinessOf(live, pods, undefined, NOW).state, state));

  test("that shows nothing yet says until when that is no error", () => {
    const verdict = readinessOf(object("Deployment", undefined, {}, 20), [], undefined, NOW);
    assert.deepEqual(verdict, {
      state: "Processing",
      message: "Deployment alpha: it has no conditions",
      until: "2024-01-01T12:00:40.000Z",
    });
  });

  test("that shows nothing in a runtime whose clock is an hour ahead is an error a minute after that was told", () => {
    const live = object("Deployment", undefined, {}, -3600);
    const message = "Deployment alpha: it has no conditions";
    const first = readinessOf(live, [], undefined, NOW);
    assert.deepEqual(first, { state: "Processing", message, until: "2024-01-01T12:01:00.000Z" });
    const told = { state: "Processing" as const, lastOperation: { operation: message, lastUpdateTime: NOW } };
    assert.deepEqual(readinessOf(live, [], told, "2024-01-01T12:00:59Z"), first);
    assert.deepEqual(readinessOf(live, [], told, "2024-01-01T12:01:00Z"), { state: "Error", message });
    const error = { ...told, state: "Error" as const };
    assert.equal(readinessOf(live, [], error, "2024-01-01T12:30:00Z").state, "Error", "and stays one");
  });

  test("that is being deleted is not ready", () => {
    const live = deployment(AVAILABLE, ["Progressing", "True", "NewReplicaSetAvailable"]);
    const going = { ...live, metadata: { ...live.metadata, deletionTimestamp: NOW } };
    assert.equal(readinessOf(going, [], undefined, NOW).state, "Processing");
  });
});
