import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import type { InstanceStatus } from "../../kinds/index.ts";
import { childVerdict, readinessOf, verdictOn } from "./index.ts";

const object = (
  apiVersion: string,
  kind: string,
  spec: unknown,
  status: unknown,
  metadata: Partial<KubeObject["metadata"]> = {},
): KubeObject => ({ apiVersion, kind, metadata: { name: "x", generation: 2, ...metadata }, spec, status });
const condition = (type: string, status: string, reason = "", message = "") => ({
  type,
  status,
  reason,
  message,
});
const full = {
  observedGeneration: 2,
  replicas: 3,
  updatedReplicas: 3,
  availableReplicas: 3,
  readyReplicas: 3,
};

const CASES: readonly (readonly [string, KubeObject, string])[] = [
  ["a Deployment that is rolled out", object("apps/v1", "Deployment", { replicas: 3 }, full), "healthy"],
  [
    "a Deployment on its way",
    object("apps/v1", "Deployment", { replicas: 3 }, { ...full, availableReplicas: 1 }),
    "waiting: deployment x: 1 of 3 pods available, 3 updated",
  ],
  [
    "a Deployment that nobody has looked at",
    object("apps/v1", "Deployment", { replicas: 3 }, { ...full, observedGeneration: 1 }),
    "waiting: deployment x: 3 of 3 pods available, 3 updated",
  ],
  [
    "a Deployment past its deadline",
    object(
      "apps/v1",
      "Deployment",
      { replicas: 3 },
      {
        ...full,
        availableReplicas: 0,
        conditions: [condition("Progressing", "False", "ProgressDeadlineExceeded", "it took too long")],
      },
    ),
    "failed: deployment x: 0 of 3 pods available, 3 updated; it took too long",
  ],
  [
    "a Deployment whose pods are refused for now",
    object(
      "apps/v1",
      "Deployment",
      { replicas: 1 },
      {
        observedGeneration: 2,
        conditions: [condition("ReplicaFailure", "True", "FailedCreate", "exceeded quota")],
      },
    ),
    "waiting: deployment x: 0 of 1 pods available, 0 updated; exceeded quota",
  ],
  [
    "a StatefulSet on its way",
    object("apps/v1", "StatefulSet", { replicas: 3 }, { observedGeneration: 2, readyReplicas: 2 }),
    "waiting: statefulset x: 2 of 3 pods ready",
  ],
  [
    "a StatefulSet whose pods people replace",
    object(
      "apps/v1",
      "StatefulSet",
      { replicas: 1, updateStrategy: { type: "OnDelete" } },
      {
        observedGeneration: 2,
        readyReplicas: 1,
        currentRevision: "a",
        updateRevision: "b",
      },
    ),
    "healthy",
  ],
  [
    "a DaemonSet on its way",
    object(
      "apps/v1",
      "DaemonSet",
      {},
      { observedGeneration: 2, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 },
    ),
    "waiting: daemonset x: 1 of 2 pods available",
  ],
  ["a Job that runs", object("batch/v1", "Job", {}, {}), "waiting: job x: running"],
  [
    "a Job of several completions",
    object(
      "batch/v1",
      "Job",
      { completions: 3 },
      { succeeded: 3, conditions: [condition("Complete", "True")] },
    ),
    "healthy",
  ],
  [
    "a Job that failed",
    object(
      "batch/v1",
      "Job",
      {},
      { conditions: [condition("Failed", "True", "BackoffLimitExceeded", "it failed too often")] },
    ),
    "failed: job x: it failed too often",
  ],
  ["a Pod that came to a good end", object("v1", "Pod", {}, { phase: "Succeeded" }), "healthy"],
  ["a Pod that is not ready", object("v1", "Pod", {}, { phase: "Running" }), "waiting: pod x: running"],
  [
    "a Namespace that goes",
    object("v1", "Namespace", {}, { phase: "Terminating" }),
    "waiting: namespace x: is Terminating",
  ],
  ["a Namespace", object("v1", "Namespace", {}, { phase: "Active" }), "healthy"],
  ["a Service", object("v1", "Service", { clusterIP: "10.0.0.1" }, {}), "healthy"],
  ["a Service without an address", object("v1", "Service", {}, {}), "waiting: service x: has no cluster IP"],
  ["a Service elsewhere", object("v1", "Service", { type: "ExternalName" }, {}), "healthy"],
  [
    "a load balancer on its way",
    object("v1", "Service", { type: "LoadBalancer", clusterIP: "10.0.0.1" }, { loadBalancer: {} }),
    "waiting: service x: waits for an address of its load balancer",
  ],
  [
    "a load balancer",
    object(
      "v1",
      "Service",
      { type: "LoadBalancer", clusterIP: "10.0.0.1" },
      { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
    ),
    "healthy",
  ],
  ["a ConfigMap", object("v1", "ConfigMap", undefined, undefined), "healthy"],
  [
    "an unknown kind that says it is not ready",
    object(
      "db.example.org/v1",
      "Database",
      {},
      { conditions: [condition("Ready", "False", "Starting", "it starts")] },
    ),
    "waiting: database x: it starts",
  ],
  [
    "an unknown kind that does not know",
    object("db.example.org/v1", "Database", {}, { conditions: [condition("Ready", "Unknown")] }),
    "healthy",
  ],
  [
    "a definition that is not served",
    object("apiextensions.k8s.io/v1", "CustomResourceDefinition", {}, {}),
    "waiting: customresourcedefinition x: unobserved",
  ],
];

describe("an object that a plan applied", () => {
  for (const [title, live, wanted] of CASES)
    test(`${title}: ${wanted}`, () => {
      const verdict = verdictOn(live);
      assert.equal("message" in verdict ? `${verdict.state}: ${verdict.message}` : verdict.state, wanted);
    });
});

describe("a child Instance", () => {
  const wanted = { operatorVersion: { name: "v1" }, parameters: { A: "1" } };
  const lastStarted = {
    execution: 1,
    planName: "deploy",
    planUID: "u",
    operatorVersion: { name: "v1", namespace: "n" },
    parameters: { A: "1", B: "2" },
  };
  const child = (status: InstanceStatus | undefined, plan = "") => ({
    metadata: { name: "c", namespace: "n", uid: "c" },
    spec: { ...wanted, planExecution: { planName: plan, uid: "u" } },
    ...(status !== undefined && { status }),
  });
  for (const [title, of, state] of [
    ["that nobody has seen", child(undefined), "waiting"],
    ["that runs", child({ lastStarted, aggregatedStatus: { status: "IN_PROGRESS" } }, "deploy"), "waiting"],
    ["that is done", child({ lastStarted, aggregatedStatus: { status: "COMPLETE" } }), "healthy"],
    ["that failed", child({ lastStarted, aggregatedStatus: { status: "FATAL_ERROR" } }), "failed"],
    [
      "that has another version by now",
      child({
        lastStarted: { ...lastStarted, operatorVersion: { name: "v0" } },
        aggregatedStatus: { status: "COMPLETE" },
      }),
      "waiting",
    ],
    [
      "that has yet to see that a parameter is wanted no more",
      {
        ...child({ observedGeneration: 1, lastStarted, aggregatedStatus: { status: "COMPLETE" } }),
        metadata: { name: "c", namespace: "n", uid: "c", generation: 2 },
      },
      "waiting",
    ],
    [
      "that failed before it was given other parameters",
      child({
        lastStarted: { ...lastStarted, parameters: { A: "0" } },
        aggregatedStatus: { status: "FATAL_ERROR" },
      }),
      "waiting",
    ],
  ] as const)
    test(`${title} is ${state}`, () => assert.equal(childVerdict(of, wanted, undefined).state, state));

  test.each([
    ["1", "healthy"],
    ["2", "waiting"],
  ])("that ran with a default and is given the value %s is %s", (value, state) => {
    const version = { metadata: { name: "v1" }, spec: { parameters: [{ name: "A", default: "1" }] } };
    const of = child({
      lastStarted: { ...lastStarted, parameters: {} },
      aggregatedStatus: { status: "COMPLETE" },
    });
    assert.equal(childVerdict(of, { ...wanted, parameters: { A: value } }, version).state, state);
  });
});

describe("the readiness of an Instance", () => {
  const broken = object("v1", "Pod", {}, { phase: "Pending" });
  test("is that of all its workloads", () => {
    const stateful = object("apps/v1", "StatefulSet", { replicas: 1 }, { observedGeneration: 2 });
    assert.deepEqual(readinessOf([stateful, broken]), {
      ready: false,
      message: "pod x: running, statefulset x: 0 of 1 pods ready",
    });
    assert.deepEqual(readinessOf([]), { ready: true, message: "" });
  });
  test("hears of the pods of a ReplicaSet that nobody else speaks for", () => {
    const set = (availableReplicas?: number) =>
      object("apps/v1", "ReplicaSet", { replicas: 2 }, { ...(availableReplicas && { availableReplicas }) });
    assert.deepEqual(
      [readinessOf([set()]).message, readinessOf([set(1)]).message, readinessOf([set(2)]).message],
      ["replicaset x: 0 of 2 pods available", "replicaset x: 1 of 2 pods available", ""],
    );
    assert.equal(verdictOn(set()).state, "healthy");
  });
  test("leaves out what another of them made", () => {
    const made = (uid: string) => ({
      ...broken,
      metadata: {
        ...broken.metadata,
        ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid, controller: true }],
      },
    });
    const set = object("apps/v1", "ReplicaSet", { replicas: 0 }, {}, { uid: "r" });
    assert.deepEqual(readinessOf([set, made("r")]), { ready: true, message: "" });
    assert.equal(readinessOf([set, made("another")]).message, "pod x: running");
    for (const label of ["pod-template-hash", "controller-revision-hash", "job-name"]) {
      const metadata = { ...broken.metadata, labels: { [label]: "1" } };
      assert.ok(readinessOf([{ ...broken, metadata }]).ready, label);
    }
  });
  test("leaves out what has ended, what goes, what a Job made, and what asks for it", () => {
    const metadata = (more: Partial<KubeObject["metadata"]>) => ({
      ...broken,
      metadata: { ...broken.metadata, ...more },
    });
    assert.ok(
      readinessOf([
        object("v1", "Pod", {}, { phase: "Succeeded" }),
        metadata({ deletionTimestamp: "2026-01-01T00:00:00Z" }),
        metadata({ ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "j", uid: "j" }] }),
        metadata({ annotations: { "kudo.dev/skip-for-readiness-computation": "true" } }),
      ]).ready,
    );
  });
});
