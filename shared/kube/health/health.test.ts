import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import type { KubeObject } from "../object.ts";
import { type Health, healthOf, readDeployment } from "./index.ts";

type Kind = readonly [apiVersion: string, kind: string];
const DEPLOYMENT: Kind = ["apps/v1", "Deployment"];
const STATEFUL: Kind = ["apps/v1", "StatefulSet"];
const DAEMON: Kind = ["apps/v1", "DaemonSet"];
const JOB: Kind = ["batch/v1", "Job"];
const POD: Kind = ["v1", "Pod"];
const DEFINITION: Kind = ["apiextensions.k8s.io/v1", "CustomResourceDefinition"];
const API: Kind = ["apiregistration.k8s.io/v1", "APIService"];
const KINDS: readonly Kind[] = [DEPLOYMENT, STATEFUL, DAEMON, JOB, POD, DEFINITION, API];

const object = ([apiVersion, kind]: Kind, status: unknown, spec: unknown = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "x", generation: 2 },
  spec,
  status,
});
const condition = (type: string, status: string, reason = "R") => ({
  type,
  status,
  reason,
  message: `${type}.`,
});
const conditions = (...all: readonly (readonly [type: string, status: string, reason?: string])[]) => ({
  observedGeneration: 2,
  conditions: all.map((one) => condition(...one)),
});
/** `ready`, `failed Unavailable Available Progressing`: the last ones are the conditions that say so. */
const lineOf = (health: Health | undefined): string => {
  if (health === undefined) return "nothing";
  if (health.state === "ready") return "ready";
  return [health.state, health.why, ...health.said.map(({ message }) => message.replace(/\.$/, ""))].join(
    " ",
  );
};
const rolledOut = {
  observedGeneration: 2,
  replicas: 3,
  updatedReplicas: 3,
  availableReplicas: 3,
  readyReplicas: 3,
};
const revisions = { currentRevision: "a", updateRevision: "a" };

const cases: readonly (readonly [string, KubeObject, string])[] = [
  ["a Deployment that nobody looked at", object(DEPLOYMENT, undefined), "progressing RollingOut"],
  ["one that is rolled out", object(DEPLOYMENT, rolledOut, { replicas: 3 }), "ready"],
  ["one that is scaled to nothing", object(DEPLOYMENT, { observedGeneration: 2 }, { replicas: 0 }), "ready"],
  [
    "one with old pods left",
    object(DEPLOYMENT, { ...rolledOut, replicas: 4 }, { replicas: 3 }),
    "progressing RollingOut",
  ],
  [
    "one with pods that do not answer yet",
    object(DEPLOYMENT, { ...rolledOut, availableReplicas: 2 }, { replicas: 3 }),
    "progressing RollingOut",
  ],
  [
    "one of which the status is behind",
    object(DEPLOYMENT, { ...rolledOut, observedGeneration: 1 }),
    "progressing Outdated",
  ],
  [
    "one whose pods cannot be made",
    object(DEPLOYMENT, conditions(["ReplicaFailure", "True"], ["Available", "True"])),
    "failed ReplicaFailure ReplicaFailure",
  ],
  [
    "one that is neither there nor coming",
    object(DEPLOYMENT, conditions(["Available", "False"], ["Progressing", "False"])),
    "failed Unavailable Available Progressing",
  ],
  [
    "one that is away and comes",
    object(DEPLOYMENT, conditions(["Available", "False"], ["Progressing", "True"])),
    "progressing RollingOut Available Progressing",
  ],
  [
    "one that took too long",
    object(
      DEPLOYMENT,
      conditions(["Available", "True"], ["Progressing", "False", "ProgressDeadlineExceeded"]),
    ),
    "failed ProgressDeadlineExceeded Progressing",
  ],

  ["a StatefulSet that is there", object(STATEFUL, { ...rolledOut, ...revisions }, { replicas: 3 }), "ready"],
  ["one that nobody looked at", object(STATEFUL, undefined), "progressing RollingOut"],
  [
    "one of which a pod is missing",
    object(STATEFUL, { ...rolledOut, ...revisions, readyReplicas: 2 }, { replicas: 3 }),
    "progressing RollingOut",
  ],
  [
    "one on its way to another revision",
    object(STATEFUL, { ...rolledOut, ...revisions, updateRevision: "b" }, { replicas: 3 }),
    "progressing RollingOut",
  ],
  [
    "one that is updated as far as its partition says",
    object(
      STATEFUL,
      { ...rolledOut, updateRevision: "b", currentRevision: "a", updatedReplicas: 1 },
      { replicas: 3, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
    ),
    "ready",
  ],
  [
    "one that people update by deleting pods",
    object(
      STATEFUL,
      { ...rolledOut, updateRevision: "b", currentRevision: "a" },
      { replicas: 3, updateStrategy: { type: "OnDelete" } },
    ),
    "ready",
  ],

  [
    "a DaemonSet on all nodes",
    object(DAEMON, {
      observedGeneration: 2,
      desiredNumberScheduled: 2,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
    }),
    "ready",
  ],
  ["one that no node wants", object(DAEMON, { observedGeneration: 2, desiredNumberScheduled: 0 }), "ready"],
  [
    "one with an old pod",
    object(DAEMON, {
      observedGeneration: 2,
      desiredNumberScheduled: 2,
      updatedNumberScheduled: 1,
      numberAvailable: 2,
    }),
    "progressing RollingOut",
  ],

  ["a Job that is complete", object(JOB, conditions(["Complete", "True"])), "ready"],
  ["one that has succeeded often enough", object(JOB, { succeeded: 2 }, { completions: 2 }), "ready"],
  [
    "one that has succeeded once of twice",
    object(JOB, { succeeded: 1 }, { completions: 2 }),
    "progressing Running",
  ],
  ["one that was given up", object(JOB, conditions(["Failed", "True"])), "failed Failed Failed"],
  [
    "one that is suspended",
    object(JOB, conditions(["Suspended", "True"])),
    "progressing Suspended Suspended",
  ],

  ["a Pod that answers", object(POD, { ...conditions(["Ready", "True"]), phase: "Running" }), "ready"],
  [
    "one that has come to a good end",
    object(POD, { ...conditions(["Ready", "False"]), phase: "Succeeded" }),
    "ready",
  ],
  [
    "one that has come to a bad end",
    object(POD, { phase: "Failed", reason: "Evicted", message: "Evicted." }),
    "failed Failed Evicted",
  ],
  [
    "one that runs and does not answer",
    object(POD, { ...conditions(["Ready", "False"]), phase: "Running" }),
    "progressing Running Ready",
  ],
  [
    "one whose image cannot be had",
    object(POD, {
      phase: "Pending",
      containerStatuses: [
        { name: "c", state: { waiting: { reason: "ImagePullBackOff", message: "no such image." } } },
      ],
    }),
    "progressing ContainerWaiting no such image",
  ],
  [
    "one that is on its way",
    object(POD, {
      phase: "Pending",
      containerStatuses: [{ name: "c", state: { waiting: { reason: "ContainerCreating" } } }],
    }),
    "progressing Running",
  ],
  ["one that nobody looked at", object(POD, undefined), "progressing Unobserved"],

  ["a definition that is established", object(DEFINITION, conditions(["Established", "True"])), "ready"],
  ["one that was just made", object(DEFINITION, {}), "progressing Unobserved"],
  [
    "one on its way",
    object(DEFINITION, conditions(["NamesAccepted", "True"], ["Established", "False"])),
    "progressing NotEstablished Established",
  ],
  [
    "one whose names are taken",
    object(DEFINITION, conditions(["NamesAccepted", "False"], ["Established", "False"])),
    "failed NamesNotAccepted Established",
  ],

  ["an APIService that answers", object(API, conditions(["Available", "True"])), "ready"],
  [
    "one whose server is away",
    object(API, conditions(["Available", "False"])),
    "progressing Unavailable Available",
  ],
  ["one that nobody looked at", object(API, {}), "progressing Unobserved"],

  ["a kind whose status says nothing known", object(["v1", "ConfigMap"], {}), "nothing"],
  ["a kind of the same name elsewhere", object(["example.org/v1", "Deployment"], rolledOut), "nothing"],
];

describe("the health of", () => {
  for (const [name, live, expected] of cases)
    test(name, () => assert.equal(lineOf(healthOf(live)), expected));
});

const status = fc.record(
  {
    observedGeneration: fc.integer({ min: 0, max: 3 }),
    replicas: fc.nat(3),
    updatedReplicas: fc.nat(3),
    readyReplicas: fc.nat(3),
    availableReplicas: fc.nat(3),
    desiredNumberScheduled: fc.nat(3),
    updatedNumberScheduled: fc.nat(3),
    numberAvailable: fc.nat(3),
    succeeded: fc.nat(3),
    phase: fc.constantFrom("Pending", "Running", "Succeeded", "Failed"),
    conditions: fc.array(
      fc
        .tuple(
          fc.constantFrom(
            "Available",
            "Progressing",
            "ReplicaFailure",
            "Complete",
            "Failed",
            "Ready",
            "Established",
          ),
          fc.constantFrom("True", "False", "Unknown"),
          fc.constantFrom("R", "ProgressDeadlineExceeded"),
        )
        .map((one) => condition(...one)),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: [] },
);
const living = fc
  .tuple(
    fc.constantFrom(...KINDS),
    status,
    fc.record({ replicas: fc.nat(3), completions: fc.nat(3) }, { requiredKeys: [] }),
  )
  .map((parts) => object(...parts));

describe("whatever a status says", () => {
  test("it is ready, or something says why not", () => {
    fc.assert(
      fc.property(living, (live) => {
        const health = healthOf(live);
        assert.ok(health !== undefined && !health.deleting);
        assert.ok(health.state === "ready" || health.why.length > 0);
      }),
    );
  });
  test("a status that is behind neither fails a workload nor calls it ready", () => {
    fc.assert(
      fc.property(living, (live) => {
        const behind = { ...live, status: { ...(live.status as object), observedGeneration: 1 } };
        if (live.apiVersion === "apps/v1") assert.equal(healthOf(behind)?.state, "progressing");
      }),
    );
  });
  test("a Deployment that is ready is rolled out, and one that failed may serve still", () => {
    fc.assert(
      fc.property(living, (live) => {
        if (live.kind === "Deployment" && healthOf(live)?.state === "ready")
          assert.ok(readDeployment(live).isRolledOut);
      }),
    );
  });
  test("a deletion is told beside it, and changes nothing of it", () => {
    fc.assert(
      fc.property(living, (live) => {
        const metadata = { ...live.metadata, deletionTimestamp: "2026-02-03T09:00:00Z" };
        assert.deepEqual(healthOf({ ...live, metadata }), { ...healthOf(live), deleting: true });
      }),
    );
  });
  test("garbage is no error", () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.jsonValue(), fc.jsonValue(), (kind, said, spec) => {
        assert.ok(healthOf(object(kind, said, spec)) !== undefined);
      }),
    );
  });
});
